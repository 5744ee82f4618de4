"""How rules files are read, laid over one another, and checked as a whole.

A draft holds every value under its dotted key (`cards.basher.copies.accusers`) with the file that said it
last, so that an error can name the file to mend even where two files contradict each other.
"""

import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple

from engine.ragers.rules_schema import (
    ATTACK_NAMES,
    COPIES,
    ENTRY_FIELDS,
    MATCH_FIELDS,
    MAX_DECK,
    MAX_ENTRIES,
    MAX_OF_ONE_ICON,
    MISSING,
    OPTIONAL_KEYS,
    PLAYERS,
    PROVENANCES,
    RULES_NAME,
    TOP_KEYS,
    TYPES,
    Field,
    Problem,
    RulesError,
    canonical_id,
    check_value,
    close_matches,
    is_kebab,
    one_line,
    toml_key,
    toml_value,
    unknown,
)

_OVERRIDE = "--set"
_ENTRY_WORDS = {"cards": "card type", "patrons": "patron", "cheers": "cheers card"}


class Leaf(NamedTuple):
    """One value, in canonical order if it is a list, and the file that said it last."""

    value: Any
    file: str


class Draft:
    """Layers of rules files in the making.

    Attributes
    ----------
    base
        The first file, on which all others lie.
    name
        What the rules call themselves.
    leaves
        Dotted key -> value and file.
    entries
        `cards`, `patrons`, `cheers` -> id -> the file that named it first.
    claims
        Dotted key -> the provenance its file states. A claim is about the value in the box: whether the value
        is still that one is for the caller to see.
    """

    def __init__(self) -> None:
        self.base = ""
        self.name = ""
        self.leaves: dict[str, Leaf] = {}
        self.entries: dict[str, dict[str, str]] = {table: {} for table in ENTRY_FIELDS}
        self.claims: dict[str, str] = {}
        self._problems: list[Problem] = []

    def add_file(self, path: Path) -> None:
        """Lay a TOML file over what is there; RulesError at once if it cannot be read as TOML."""
        file = str(path)
        try:
            data = tomllib.loads(path.read_bytes().decode("utf-8-sig"))  # some editors write a mark first
        except OSError as error:
            raise RulesError([_problem(file, f"cannot be read: {error.strerror or error}")]) from error
        except UnicodeDecodeError as error:
            raise RulesError(
                [_problem(file, f"not a UTF-8 text: {error.reason} at byte {error.start}")]
            ) from error
        except (ValueError, RecursionError) as error:
            raise RulesError([_problem(file, f"not valid TOML: {error}")]) from error
        self.base = self.base or file
        self.name = one_line(path.stem, 200)
        self._add(data, file)

    def add_overrides(self, overrides: Sequence[str]) -> None:
        """Lay `KEY=VALUE` texts over what is there; plain words need no quotation marks or brackets."""
        if overrides:
            self.name = one_line(f"{self.name} with {', '.join(overrides)}", 200)
        for override in overrides:
            key, equals, text = override.partition("=")
            parts = key.strip().split(".")
            if not equals or not all(parts):
                problem = _problem(
                    _OVERRIDE, f"{toml_value(override)} is not KEY=VALUE", "for example cards.basher.gp=4"
                )
                self._problems.append(problem)
                continue
            data = _plain_value(parts, text.strip())
            for part in reversed(parts):
                data = {part: data}
            self._add(data, _OVERRIDE)

    def finish(self) -> None:
        """Fill in what new entries may leave out and check the whole; RulesError with every problem found."""
        for table, fields in ENTRY_FIELDS.items():
            for entry, file in self.entries[table].items():
                self._complete(table, entry, file, fields)
        if not self._problems:  # contradictions are worth naming only between values that are sound
            self._problems.extend(_contradictions(self))
        if self._problems:
            raise RulesError(self._problems)

    def _add(self, data: Mapping[str, Any], file: str) -> None:
        for key, value in data.items():
            if key == "name":
                if self._fits(RULES_NAME, file, "", key, value):
                    self.name = value
            elif key not in TOP_KEYS:
                what = "table" if isinstance(value, Mapping) else "key"
                self._report(
                    file, "", toml_key(key), MISSING, unknown(what, key, TOP_KEYS), ", ".join(TOP_KEYS)
                )
            elif not isinstance(value, Mapping):
                self._report(file, "", key, value, "must be a table", f"[{key}] with keys beneath it")
            elif key == "match":
                self._add_table(file, key, MATCH_FIELDS, value)
            else:
                self._add_entries(file, key, value)

    def _add_entries(self, file: str, table: str, data: Mapping[str, Any]) -> None:
        for entry, value in data.items():
            path = f"{table}.{toml_key(entry)}"
            if table == "cards" and entry not in TYPES:
                reason = unknown("card type", entry, TYPES)
                self._report(file, path, "", MISSING, reason, ", ".join(TYPES))
            elif not is_kebab(entry):
                example = canonical_id(entry)
                hint = f', for example "{example}"' if is_kebab(example) else ""
                allowed = f"small letters, digits and single hyphens, at most 40 characters{hint}"
                self._report(file, path, "", MISSING, f"not the id of a {_ENTRY_WORDS[table]}", allowed)
            elif not isinstance(value, Mapping):
                keys = ", ".join(ENTRY_FIELDS[table])
                self._report(file, table, entry, value, "must be a table", f"[{path}] with any of {keys}")
            else:
                self.entries[table].setdefault(entry, file)
                self._add_table(file, path, ENTRY_FIELDS[table], value)

    def _add_table(self, file: str, path: str, fields: Mapping[str, Field], data: Mapping[str, Any]) -> None:
        for key, value in data.items():
            if key == "provenance":
                self._add_claims(file, path, fields, data)
            elif key not in fields:
                allowed = ", ".join((*fields, "provenance"))
                self._report(
                    file, path, toml_key(key), value, unknown("key", key, (*fields, "provenance")), allowed
                )
            elif key == "copies":
                self._add_copies(file, path, value)
            elif self._fits(fields[key], file, path, key, value):
                if fields[key].is_list:
                    value = sorted(value, key=TYPES.index)
                self.leaves[f"{path}.{key}"] = Leaf(value, file)

    def _add_copies(self, file: str, path: str, value: Any) -> None:
        """Copies: one number for both decks, or a table by player."""
        allowed = f"{COPIES.allowed}, or {{ accusers = .., defenders = .. }}"
        if isinstance(value, Mapping):
            if not value:
                self._report(file, path, "copies", value, "must not be empty", allowed)
            for player, number in value.items():
                key = f"copies.{toml_key(player)}"
                if player not in PLAYERS:
                    self._report(
                        file, path, key, number, unknown("player", player, PLAYERS), ", ".join(PLAYERS)
                    )
                elif self._fits(COPIES, file, path, key, number):
                    self.leaves[f"{path}.{key}"] = Leaf(number, file)
        elif self._fits(COPIES._replace(allowed=allowed), file, path, "copies", value):
            for player in PLAYERS:
                self.leaves[f"{path}.copies.{player}"] = Leaf(value, file)

    def _add_claims(self, file: str, path: str, fields: Mapping[str, Field], data: Mapping[str, Any]) -> None:
        """Provenance: one word for the keys written in this table, or words by key and one for the `rest`."""
        stated = data["provenance"]
        by_key = stated if isinstance(stated, Mapping) else {"rest": stated}
        names = [key for key in fields if key != "name"]
        for key, word in by_key.items():
            where = "provenance" if by_key is not stated else f"provenance.{toml_key(key)}"
            if key not in (*names, "rest"):
                reason = unknown("key", key, (*names, "rest"))
                self._report(file, path, where, word, reason, ", ".join((*names, "rest")))
            elif word not in PROVENANCES:
                allowed = ", ".join(map(toml_value, PROVENANCES))
                self._report(file, path, where, word, "not a provenance", allowed)
            else:
                meant = (
                    [key]
                    if key != "rest"
                    else [name for name in names if name in data and name not in by_key]
                )
                for name in meant:
                    for leaf_key in _leaf_keys(path, name):
                        # "changed" claims nothing: it is what to_toml notes where values differ from the box.
                        if word != "changed":
                            self.claims[leaf_key] = word

    def _complete(self, table: str, entry: str, file: str, fields: Mapping[str, Field]) -> None:
        for key in fields:
            for leaf_key in _leaf_keys(f"{table}.{entry}", key):
                if leaf_key in self.leaves or self._has_problem(f"{table}.{entry}", key):
                    continue
                if key in OPTIONAL_KEYS[table]:
                    self.leaves[leaf_key] = Leaf(OPTIONAL_KEYS[table][key], file)
                    continue
                known = [other for other in self.entries[table] if other != entry]
                matches = close_matches(entry, known)
                hint = f"; did you mean {' or '.join(matches)}?" if matches else ""
                reason = f"is missing, and a new {_ENTRY_WORDS[table]} needs it{hint}"
                self._report(file, f"{table}.{entry}", key, MISSING, reason, fields[key].allowed)

    def _has_problem(self, table: str, key: str) -> bool:
        return any(problem.table == table and problem.key.split(".")[0] == key for problem in self._problems)

    def _fits(self, field: Field, file: str, table: str, key: str, value: Any) -> bool:
        return check_value(
            field, value, lambda reason, allowed: self._report(file, table, key, value, reason, allowed)
        )

    def _report(self, file: str, table: str, key: str, value: Any, reason: str, allowed: str) -> None:
        self._problems.append(Problem(file, table, key, value, reason, allowed))


def _problem(file: str, reason: str, allowed: str = "") -> Problem:
    return Problem(file, "", "", MISSING, reason, allowed)


def _leaf_keys(path: str, key: str) -> list[str]:
    return [f"{path}.copies.{player}" for player in PLAYERS] if key == "copies" else [f"{path}.{key}"]


def _plain_value(parts: Sequence[str], text: str) -> Any:
    """Read the value of an override: TOML, or else words, since shells eat quotation marks."""
    if "\n" not in text and "\r" not in text:
        try:
            return tomllib.loads(f"value = {text}")["value"]
        except (ValueError, RecursionError):
            pass
    fields = ENTRY_FIELDS.get(parts[0], {})
    if len(parts) == 3 and parts[2] in fields and fields[parts[2]].is_list:
        return [word.strip() for word in text.strip("[]").split(",") if word.strip()]
    return text


def _contradictions(draft: Draft) -> Iterator[Problem]:
    """What is wrong between values that are each allowed on their own."""
    yield from _card_contradictions(draft)
    yield from _deck_contradictions(draft)
    yield from _cheers_contradictions(draft)
    for table in ("patrons", "cheers"):
        yield from _name_contradictions(draft, table)
        for entry in draft.entries[table]:
            yield from _repeats(draft, f"{table}.{entry}", "forbidden", 1)
        if len(draft.entries[table]) > MAX_ENTRIES:
            file = list(draft.entries[table].values())[-1]
            reason = f"too many: {len(draft.entries[table])}"
            yield Problem(file, table, "", MISSING, reason, f"at most {MAX_ENTRIES} {_ENTRY_WORDS[table]}s")
    days = draft.leaves["match.days"]
    fewest = min(len(draft.entries["patrons"]), len(draft.entries["cheers"]))
    if days.value > fewest:
        reason = "each day takes a patron and a cheers card of its own"
        yield Problem(days.file, "match", "days", days.value, reason, f"at most {fewest}")


def _card_contradictions(draft: Draft) -> Iterator[Problem]:
    for card in TYPES:
        table = f"cards.{card}"
        fixed = "attack" if card in ATTACK_NAMES else "special"
        kind, beats = draft.leaves[f"{table}.kind"], draft.leaves[f"{table}.beats"]
        if kind.value != fixed:
            reason = "what a card does is part of the program"
            yield Problem(kind.file, table, "kind", kind.value, reason, f'only "{fixed}"')
        if fixed == "special" and beats.value:
            yield Problem(beats.file, table, "beats", beats.value, "only an attack beats others", "[]")
        yield from _repeats(draft, table, "beats", 1)
        if card in beats.value:
            reason = "a card does not beat itself"
            allowed = ", ".join(attack for attack in ATTACK_NAMES if attack != card)
            yield Problem(beats.file, table, "beats", beats.value, reason, allowed)
    for pair in combinations(ATTACK_NAMES, 2):
        # Of the two that beat each other, the one that is not as in the box is at fault.
        second, first = sorted(
            pair, key=lambda attack: draft.leaves[f"cards.{attack}.beats"].file != draft.base
        )
        one, other = draft.leaves[f"cards.{first}.beats"], draft.leaves[f"cards.{second}.beats"]
        if second in one.value and first in other.value:
            reason = f"but [cards.{second}] beats {first} too"
            file = _files(draft, [one, other])
            yield Problem(file, f"cards.{first}", "beats", one.value, reason, "one of the two at most")


def _deck_contradictions(draft: Draft) -> Iterator[Problem]:
    for player in PLAYERS:
        leaves = [draft.leaves[f"cards.{card}.copies.{player}"] for card in TYPES]
        total = sum(leaf.value for leaf in leaves)
        if not 1 <= total <= MAX_DECK:
            reason = f"the deck of the {player.capitalize()} has {total} cards"
            allowed = f"1 to {MAX_DECK} cards in a deck"
            yield Problem(_files(draft, leaves), "cards", "copies", MISSING, reason, allowed)


def _files(draft: Draft, leaves: Sequence[Leaf]) -> str:
    """The files that are wrong together; the box, which is nobody's to mend, only where there is no other."""
    files = dict.fromkeys(leaf.file for leaf in leaves)
    return " and ".join(file for file in files if file != draft.base or len(files) == 1)


def _cheers_contradictions(draft: Draft) -> Iterator[Problem]:
    for entry in draft.entries["cheers"]:
        table = f"cheers.{entry}"
        yield from _repeats(draft, table, "required", MAX_OF_ONE_ICON)
        required, forbidden = draft.leaves[f"{table}.required"], draft.leaves[f"{table}.forbidden"]
        both = [icon for icon in TYPES if icon in required.value and icon in forbidden.value]
        if both:
            reason = f"{' and '.join(both)} required as well, so nobody could meet this card"
            allowed = "icons that are not required"
            yield Problem(forbidden.file, table, "forbidden", forbidden.value, reason, allowed)


def _repeats(draft: Draft, table: str, key: str, most: int) -> Iterator[Problem]:
    leaf = draft.leaves[f"{table}.{key}"]
    for icon, count in Counter(leaf.value).items():
        if count > most:
            allowed = "each type once" if most == 1 else f"each type at most {most} times"
            yield Problem(leaf.file, table, key, leaf.value, f"{icon} stands here {count} times", allowed)


def _name_contradictions(draft: Draft, table: str) -> Iterator[Problem]:
    """Two entries must not answer to one name: they are looked up by id and by name."""
    owner: dict[str, str] = {entry: entry for entry in draft.entries[table]}
    for entry in draft.entries[table]:
        name = draft.leaves[f"{table}.{entry}.name"]
        other = owner.setdefault(canonical_id(name.value), entry)
        if other != entry:
            reason = f"[{table}.{other}] answers to this name already"
            allowed = f"a name that no other {_ENTRY_WORDS[table]} has"
            yield Problem(name.file, f"{table}.{entry}", "name", name.value, reason, allowed)
