"""How rules files of any game are read, laid over one another, compared, and written again.

A draft holds every value under its dotted key (`cards.basher.copies.accusers`) with the file that said it
last, so that an error can name the file to mend even where two files contradict each other.
"""

import hashlib
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import copy
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import msgspec

from engine.bounded import read_toml
from engine.rulefiles import (
    MISSING,
    PROVENANCES,
    RULES_NAME,
    Field,
    Problem,
    RulesError,
    Schema,
    canonical_id,
    check_value,
    close_matches,
    file_problem,
    is_kebab,
    one_line,
    toml_key,
    toml_value,
    unknown,
)
from engine.rulewriting import Tables, tables_toml

_OVERRIDE = "--set"
SHEETS = (".xlsx", ".xlsm", ".ods", ".xls", ".csv", ".tsv")  # ends of names of spreadsheets


class Leaf(NamedTuple):
    """One value, in canonical order if it is a list, and the file that said it last."""

    value: Any
    file: str


class Draft:
    """Layers of rules files in the making.

    Attributes
    ----------
    base : the first file, on which all others lie.
    name : what the rules call themselves.
    leaves : dotted key -> value and file.
    entries : table of entries (`cards`, `clans.bohorg.units`) -> id -> the file that named it first.
    claims : dotted key -> the provenance its file states. A claim is about the value in the box: whether the
        value is still that one is for the caller to see.
    """

    def __init__(self, schema: Schema) -> None:
        self.schema = schema
        self.base = ""
        self.name = ""
        self.leaves: dict[str, Leaf] = {}
        self.entries: dict[str, dict[str, str]] = {table: {} for table in schema.entries}
        self.claims: dict[str, str] = {}
        self._problems: list[Problem] = []

    def copied(self) -> "Draft":
        """Return a draft of the same, to lay more over."""
        other = copy(self)
        other.leaves, other.claims, other._problems = dict(self.leaves), dict(self.claims), []
        other.entries = {table: dict(entries) for table, entries in self.entries.items()}
        return other

    def add_file(self, path: Path) -> None:
        """Lay a file over what is there, TOML or a spreadsheet; RulesError at once if it cannot be read."""
        if path.suffix.casefold() in SHEETS:
            from engine.rulesheets import add_sheets  # here, since few files are any

            add_sheets(self, path)
            self.name = one_line(path.stem, 200)
            return
        file = str(path)
        try:
            data = read_toml(path)
        except OSError as error:
            raise RulesError([file_problem(file, f"cannot be read: {error.strerror or error}")]) from error
        except UnicodeDecodeError as error:
            raise RulesError(
                [file_problem(file, f"not a UTF-8 text: {error.reason} at byte {error.start}")]
            ) from error
        except (ValueError, RecursionError) as error:
            raise RulesError([file_problem(file, f"not valid TOML: {error}")]) from error
        self.base = self.base or file
        self.name = one_line(path.stem, 200)
        self.add(data, file)

    def add_overrides(self, overrides: Sequence[str]) -> None:
        """Lay `KEY=VALUE` texts over what is there; plain words need no quotation marks or brackets."""
        if overrides:
            self.name = one_line(f"{self.name} with {', '.join(overrides)}", 200)
        for override in overrides:
            key, equals, text = override.partition("=")
            parts = key.strip().split(".")
            if not equals or not all(parts):
                reason = f"{toml_value(override)} is not KEY=VALUE"
                self._problems.append(file_problem(_OVERRIDE, reason, f"for example {self.schema.example}"))
                continue
            data = self._plain_value(parts, text.strip())
            for part in reversed(parts):
                data = {part: data}
            self.add(data, _OVERRIDE)

    def set_aside(self, table: str, check: Callable[["Draft", str], Iterable[Problem]]) -> None:
        """Leave out entries of the first file that other values no longer allow, such as teams of points.

        They are samples; nobody who changes something else should have to mend them. An entry that a later
        file or an override has touched stays, and `check` names what is wrong with it.
        """
        if all(leaf.file == self.base for leaf in self.leaves.values()):
            return
        for entry, file in list(self.entries[table].items()):
            own = [key for key in self.leaves if key.startswith(f"{table}.{entry}.")]
            files = {file, *(self.leaves[key].file for key in own)}
            if files == {self.base} and any(True for _ in check(self, entry)):
                self._leave_out(table, entry)

    def _leave_out(self, table: str, entry: str) -> None:
        del self.entries[table][entry]
        for key in [key for key in self.leaves if key.startswith(f"{table}.{entry}.")]:
            del self.leaves[key]

    def finish(self, check: Callable[["Draft"], Iterable[Problem]]) -> None:
        """Fill in what new entries may leave out and check the whole; RulesError with every problem found.

        `check` names contradictions between values that are each allowed on their own.
        """
        for table, entries in self.entries.items():
            for entry, file in entries.items():
                self._complete(table, entry, file)
        if not self._problems:  # contradictions are worth naming only between values that are sound
            self._problems.extend(check(self))
        if self._problems:
            raise RulesError(self._problems)

    def files(self, leaves: Sequence[Leaf]) -> str:
        """The files wrong together; the box, which is nobody's to mend, only where there is no other."""
        files = dict.fromkeys(leaf.file for leaf in leaves)
        return " and ".join(file for file in files if file != self.base or len(files) == 1)

    def add(self, data: Mapping[str, Any], file: str) -> bool:
        """Lay tables of values over what is there; return whether all of them can be."""
        before, top_keys = len(self._problems), self.schema.top_keys
        if data.get("alone") is True:
            # What this file has entries of, it has alone: none of the first file's are left.
            for table in [table for table in self.schema.entries if isinstance(data.get(table), Mapping)]:
                for entry in list(self.entries[table]):
                    self._leave_out(table, entry)
        for key, value in data.items():
            if key == "alone":
                if not isinstance(value, bool):
                    self._report(file, "", key, value, "must be true or false", "alone = true")
                elif file == _OVERRIDE:
                    reason = "is about the entries of a file, and stands at its top"
                    self._report(file, "", key, value, reason, "alone = true in a rules file")
            elif key == "name":
                if self._fits(RULES_NAME, file, "", key, value):
                    self.name = value
            elif key not in top_keys:
                what = "table" if isinstance(value, Mapping) else "key"
                reason = self._elsewhere(what, key, value) or unknown(what, key, top_keys)
                self._report(file, "", toml_key(key), MISSING, reason, ", ".join(top_keys))
            elif not isinstance(value, Mapping):
                self._report(file, "", key, value, "must be a table", f"[{key}] with keys beneath it")
            elif key in self.schema.tables:
                self._add_table(file, key, value)
            else:
                self._add_entries(file, key, value)
        return len(self._problems) == before

    def _elsewhere(self, what: str, key: str, value: Any) -> str:
        """Say that there is no such table or key at the top, but one deeper down; empty if there is none."""
        path = [key]
        while isinstance(value, Mapping) and len(value) == 1:
            [(part, value)] = value.items()
            path.append(part)
        word = ".".join(path)
        # Values by parts have a key of their own, `copies`, besides those of the parts.
        keys = dict.fromkeys(each for leaf in self.leaves for each in (leaf, leaf.rpartition(".")[0]))
        ends = {each.partition(".")[2]: each for each in keys if "." in each}
        found = [each for each in keys if each.endswith(f".{word}")]
        if not found and not close_matches(key, self.schema.top_keys):
            found = [ends[match] for match in close_matches(word, ends)]
        found = [leaf for each in found for leaf in self._settable(each, value)]
        return f"there is no such {what}; did you mean {' or '.join(found[:3])}?" if found else ""

    def _settable(self, key: str, value: Any) -> list[str]:
        """Return a key that holds a value; of a table those of its keys that a value fits, or else all."""
        fields = self.schema.fields(key) if key.partition(".")[0] in self.schema.top_keys else {}
        below = {name: field for name, field in fields.items() if f"{key}.{name}" in self.leaves}
        below = below or {name: field for name, field in fields.items() if field.parts}
        if not below or key in self.leaves:
            return [key]
        fitting = [name for name, field in below.items() if check_value(field, value, lambda *_: None)]
        return [f"{key}.{name}" for name in fitting or below]

    def _add_entries(self, file: str, table: str, data: Mapping[str, Any]) -> None:
        kind = self.schema.entry_table(table)
        assert kind is not None
        for entry, value in data.items():
            path = f"{table}.{toml_key(entry)}"
            if kind.names and entry not in kind.names:
                reason = unknown(kind.word, entry, kind.names)
                values = ", ".join(key for key in kind.fields if key not in kind.fixed)
                can = f"none can be added; {values} can be changed"
                allowed = f"{', '.join(kind.names)} ({can})"
                self._report(file, path, "", MISSING, reason, allowed)
            elif not kind.names and not is_kebab(entry):
                example = canonical_id(entry)
                hint = f', for example "{example}"' if is_kebab(example) else ""
                allowed = f"small letters, digits and single hyphens, at most 40 characters{hint}"
                self._report(file, path, "", MISSING, f"not the id of a {kind.word}", allowed)
            elif not isinstance(value, Mapping):
                keys = ", ".join(kind.fields)
                self._report(file, table, entry, value, "must be a table", f"[{path}] with any of {keys}")
            else:
                self.entries.setdefault(table, {}).setdefault(entry, file)
                self._add_table(file, path, value)

    def _add_table(self, file: str, path: str, data: Mapping[str, Any]) -> None:
        fields = self.schema.fields(path)
        kind = self.schema.entry_table(path)
        below = {} if kind is None else kind.below
        for key, value in data.items():
            if key == "provenance":
                self._add_claims(file, path, data)
            elif key in below:
                if isinstance(value, Mapping):
                    self._add_entries(file, f"{path}.{key}", value)
                else:
                    self._report(file, path, key, value, "must be a table", f"[{path}.{key}.NAME]")
            elif key not in fields:
                known = (*fields, *below, "provenance")
                self._report(file, path, toml_key(key), value, unknown("key", key, known), ", ".join(known))
            elif fields[key].parts:
                self._add_parts(file, path, key, value)
            elif self._fits(fields[key], file, path, key, value):
                if fields[key].is_list:
                    value = sorted(value, key=fields[key].words.index)
                self.leaves[f"{path}.{key}"] = Leaf(value, file)

    def _add_parts(self, file: str, path: str, key: str, value: Any) -> None:
        """One value for all parts, or a table by part."""
        field = self.schema.fields(path)[key]
        if isinstance(value, Mapping):
            if not value:
                self._report(file, path, key, value, "must not be empty", field.by_parts)
            for part, number in value.items():
                where = f"{key}.{toml_key(part)}"
                if part not in field.parts:
                    reason = unknown(field.part, part, field.parts)
                    self._report(file, path, where, number, reason, ", ".join(field.parts))
                elif self._fits(field._replace(parts=()), file, path, where, number):
                    self.leaves[f"{path}.{where}"] = Leaf(number, file)
        elif self._fits(field, file, path, key, value):
            for part in field.parts:
                self.leaves[f"{path}.{key}.{part}"] = Leaf(value, file)

    def _add_claims(self, file: str, path: str, data: Mapping[str, Any]) -> None:
        """Provenance: one word for the keys written in this table, or words by key and one for the `rest`.

        A key is that of a value, or of one of its parts (`"icons.slow" = "public"`).
        """
        stated = data["provenance"]
        by_key = stated if isinstance(stated, Mapping) else {"rest": stated}
        fields = self.schema.fields(path)
        names = [key for key in fields if key != "name"]
        in_part = {f"{key}.{part}" for key in names for part in fields[key].parts}
        # Parts have the last word.
        for key, word in sorted(by_key.items(), key=lambda item: item[0] in in_part):
            where = "provenance" if by_key is not stated else f"provenance.{toml_key(key)}"
            if key not in (*names, *in_part, "rest"):
                reason = unknown("key", key, (*names, "rest"))
                self._report(file, path, where, word, reason, ", ".join((*names, "rest")))
            elif word not in PROVENANCES:
                allowed = ", ".join(map(toml_value, PROVENANCES))
                self._report(file, path, where, word, "not a provenance", allowed)
            else:
                rest = [name for name in names if name in data and name not in by_key]
                claimed = [f"{path}.{key}"]
                if key not in in_part:
                    stated_names = [key] if key != "rest" else rest
                    claimed = [leaf for name in stated_names for leaf in self.schema.leaf_keys(path, name)]
                # "changed" claims nothing: it is what to_toml notes where values differ from the box.
                if word != "changed":
                    self.claims |= dict.fromkeys(claimed, word)

    def _complete(self, table: str, entry: str, file: str) -> None:
        kind = self.schema.entry_table(table)
        assert kind is not None
        missing, needed = [], [key for key in kind.fields if key not in kind.optional]
        leaves = {key: self.schema.leaf_keys(f"{table}.{entry}", key) for key in kind.fields}
        said = [key for key in needed if any(leaf in self.leaves for leaf in leaves[key])]
        for key, own in leaves.items():
            gone = [leaf for leaf in own if leaf not in self.leaves]
            if gone and not self._has_problem(f"{table}.{entry}", key):
                missing += [key] * (key in needed)
                self.leaves |= {leaf: Leaf(kind.optional[key], file) for leaf in gone if key not in needed}
        if missing:
            matches = close_matches(entry, [other for other in self.entries[table] if other != entry])
            # Who says most of what a new entry needs means no other one.
            meant = matches and 2 * len(said) < len(needed)
            # With its table, so that nobody takes it for the value that is missing.
            others = " or ".join(f"[{table}.{each}]" for each in matches)
            more = f", as well as {' and '.join(missing[1:])}" if missing[1:] else ""
            hint = f"; or did you mean {others}?" if meant else ""
            reason = f"is missing, and a new {kind.word} needs it{more}{hint}"
            allowed = kind.fields[missing[0]].allowed
            self._report(file, f"{table}.{entry}", missing[0], MISSING, reason, allowed)

    def _has_problem(self, table: str, key: str) -> bool:
        return any(problem.table == table and problem.key.split(".")[0] == key for problem in self._problems)

    def _fits(self, field: Field, file: str, table: str, key: str, value: Any) -> bool:
        return check_value(
            field, value, lambda reason, allowed: self._report(file, table, key, value, reason, allowed)
        )

    def _report(self, file: str, table: str, key: str, value: Any, reason: str, allowed: str) -> None:
        self._problems.append(Problem(file, table, key, value, reason, allowed))

    def _plain_value(self, parts: Sequence[str], text: str) -> Any:
        """Read the value of an override: TOML, or else words, since shells eat quotation marks."""
        if "\n" not in text and "\r" not in text:
            try:
                return tomllib.loads(f"value = {text}")["value"]
            except (ValueError, RecursionError):
                pass
        fields = self.schema.fields(".".join(parts[:-1])) if parts[0] in self.schema.entries else {}
        if len(parts) > 2 and parts[-1] in fields and fields[parts[-1]].is_list:
            return [word.strip() for word in text.strip("[]").split(",") if word.strip()]
        return text


_boxes: dict[Path, tuple[Draft, Draft]] = {}  # by their file, as read and finished


def load_layers(
    schema: Schema,
    check: Callable[[Draft], Iterable[Problem]],
    box_file: Path,
    files: Sequence[Path],
    overrides: Sequence[str],
) -> tuple[Draft, dict[str, str]]:
    """Read the rules in the box, and lay files and then overrides over them; later ones win.

    Parameters
    ----------
    check
        Yields what contradicts itself in a draft.
    files
        TOML files or spreadsheets; each needs to hold only what differs.
    overrides
        `KEY=VALUE` texts.

    Returns
    -------
    tuple
        The finished draft, and the provenance of every value by its dotted key: `changed` where it differs
        from the box.

    Raises
    ------
    RulesError
        With every problem found: unknown keys, values out of range, contradictions, broken TOML, files that
        cannot be read.
    """
    if box_file not in _boxes:
        begun = Draft(schema)
        begun.add_file(box_file)
        _boxes[box_file] = begun, begun.copied()
        _boxes[box_file][1].finish(check)
    begun, box = _boxes[box_file]
    if not files and not overrides:
        return box, dict(box.claims)
    draft = begun.copied()
    for file in files:
        draft.add_file(file)
    draft.add_overrides(overrides)
    draft.finish(check)
    return draft, {
        key: draft.claims[key] if key in box.leaves and box.leaves[key].value == leaf.value else "changed"
        for key, leaf in draft.leaves.items()
        if not key.endswith(".name")
    }


# ---- Finished rules, and as tables: table -> key -> value --------------------------------------------------


class LayeredRules(msgspec.Struct, frozen=True, dict=True):
    """What the finished rules of all games have in common.

    Attributes
    ----------
    schema : of the game.
    name : what they call themselves.
    provenance : dotted key of every value (`match.hand_size.two`) -> where it comes from: `rulebook`,
        `public`, `assumed`, or `changed`. Names carry none.
    """

    schema: ClassVar[Schema]

    name: str
    provenance: dict[str, str]

    def __hash__(self) -> int:
        return hash(self.sha256)  # the provenance, a dict, has none

    def tables(self) -> Tables:
        """The rules as a file holds them."""
        raise NotImplementedError

    def values(self) -> dict[str, Any]:
        """What play depends on, by dotted key."""
        values = values_of(self.schema, self.tables())
        return {key: value for key, value in values.items() if not key.endswith(".name")}

    @cached_property
    def sha256(self) -> str:
        """Hex digest of `values`: neither names, provenance, nor the order of entries change it."""
        return hashlib.sha256(msgspec.json.encode(sorted(self.values().items()))).hexdigest()

    @property
    def assumed(self) -> list[str]:
        """The dotted keys whose values are assumptions of ours, sorted."""
        return self._of_provenance("assumed")

    @property
    def changed(self) -> list[str]:
        """The dotted keys whose values differ from those we carry, sorted."""
        return self._of_provenance("changed")

    def _of_provenance(self, word: str) -> list[str]:
        return sorted(key for key, source in self.provenance.items() if source == word)


def diff_rules(a: LayeredRules, b: LayeredRules) -> list[tuple[str, Any, Any]]:
    """List what differs: dotted key, value in `a`, value in `b`; None where there is none.

    Parts that differ alike are one line, `cards.basher.copies`. The names of the two sets of rules, and their
    provenance, are no difference.
    """
    return _diff_tables(a.schema, a.tables(), b.tables())


def to_toml(rules: LayeredRules, sections: Sequence[str] | None = None) -> str:
    """Write rules, or some sections, as a rules file; reading a complete one gives the same rules again."""
    schema = rules.schema
    return tables_toml(schema, rules.name, rules.tables(), rules.provenance, sections or schema.sections)


def one_or_parts(parts: Sequence[str], values: Sequence[Any]) -> Any:
    """A value by parts as a file holds it: one value where all parts agree."""
    return values[0] if len(set(values)) == 1 else dict(zip(parts, values, strict=True))


def values_of(schema: Schema, tables: Tables) -> dict[str, Any]:
    """Every value of some tables by its dotted key, parts apart."""
    values: dict[str, Any] = {}
    for table, keys in tables.items():
        for key, value in keys.items():
            parts = schema.fields(table)[key].parts
            if not parts:
                values[f"{table}.{key}"] = value
            for part in parts:
                values[f"{table}.{key}.{part}"] = value[part] if isinstance(value, dict) else value
    return values


def _diff_tables(schema: Schema, mine: Tables, theirs: Tables) -> list[tuple[str, Any, Any]]:
    rows: list[tuple[str, Any, Any]] = []
    for table in dict.fromkeys((*mine, *theirs)):
        left, right = mine.get(table, {}), theirs.get(table, {})
        for key in dict.fromkeys((*left, *right)):
            one, other = left.get(key), right.get(key)
            if one == other:
                continue
            parts = schema.fields(table)[key].parts
            if not (parts and (isinstance(one, dict) or isinstance(other, dict))):
                rows.append((f"{table}.{key}", one, other))
                continue
            for part in parts:
                pair = [value[part] if isinstance(value, dict) else value for value in (one, other)]
                if pair[0] != pair[1]:
                    rows.append((f"{table}.{key}.{part}", pair[0], pair[1]))
    return rows
