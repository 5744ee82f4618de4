"""What is wrong between values of a rules file that are each allowed on their own."""

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

from engine.ophidian.rules_schema import LEVELS, MAX_GLADIATORS
from engine.rulefiles import Problem, canonical_id
from engine.rulelayers import Draft


def contradictions(draft: Draft) -> Iterator[Problem]:
    """Yield what is wrong: teams that cannot be, lives that fall with the level, names used twice."""
    gladiators = list(draft.entries["gladiators"])
    if len(gladiators) > MAX_GLADIATORS:
        last = gladiators[MAX_GLADIATORS]
        file = draft.entries["gladiators"][last]
        reason = f"there are {len(gladiators)} gladiators"
        yield Problem(file, "gladiators", "", last, reason, f"at most {MAX_GLADIATORS}")
    for name in gladiators:
        yield from _gladiator(draft, name)
    for name in draft.entries["teams"]:
        yield from _team(draft, name)
    for kind in ("gladiators", "teams"):
        yield from _names(draft, kind)


def _gladiator(draft: Draft, name: str) -> Iterator[Problem]:
    table = f"gladiators.{name}"
    discount, points = draft.leaves[f"{table}.discount"], draft.leaves[f"{table}.points"]
    if discount.value >= points.value:
        reason = f"not below its {points.value} points (T2)"
        yield Problem(discount.file, table, "discount", discount.value, reason, f"0 to {points.value - 1}")
    lives = [draft.leaves[f"{table}.life.{level}"] for level in LEVELS]
    for before, after in pairwise(lives):
        if after.value < before.value:
            reason = f"below the level before ({before.value}): a promotion could destroy"
            yield Problem(draft.files([before, after]), table, "life", after.value, reason, "not to fall")


def _team(draft: Draft, name: str) -> Iterator[Problem]:
    """Different gladiators that exist, and points that add up, with a discount if need be (T1, T2)."""
    table, leaf = f"teams.{name}", draft.leaves[f"teams.{name}.gladiators"]
    known = draft.entries["gladiators"]
    for gladiator, count in Counter(leaf.value).items():
        if gladiator not in known:
            reason = "there is no such gladiator"
            yield Problem(leaf.file, table, "gladiators", gladiator, reason, ", ".join(known))
            return
        if count > 1:
            yield Problem(leaf.file, table, "gladiators", gladiator, "twice in a team (T1)", "different ones")
    wanted, most = draft.leaves["match.team_points"].value, draft.leaves["match.team_size"].value
    if len(leaf.value) > most:
        reason = "too many gladiators (T1)"
        yield Problem(leaf.file, table, "gladiators", len(leaf.value), reason, f"at most {most}")
    points = [draft.leaves[f"gladiators.{each}.points"].value for each in leaf.value]
    discounts = [draft.leaves[f"gladiators.{each}.discount"].value for each in leaf.value]
    reason = points_problem(sum(points), wanted, max(discounts))
    if reason:
        yield Problem(leaf.file, table, "gladiators", sum(points), reason, f"{wanted} points (T1, T2)")


def points_problem(points: int, wanted: int, discount: int) -> str:
    """Say why a team of so many points cannot play, empty if it can; one Legend may count less (T1, T2)."""
    if wanted <= points <= wanted + discount:
        return ""
    if points < wanted:
        return f"{points} points, {wanted - points} too few"
    over = points - wanted
    saved = f"; a discount takes off {discount}" if discount else "; no gladiator of the team has a discount"
    return f"{points} points, {over} too many{saved}"


def name_id(name: str) -> str:
    """Spell a name as an id: `G'frhtru` -> `gfrhtru`."""
    return canonical_id(name.replace("'", "").replace("’", ""))


def _names(draft: Draft, kind: str) -> Iterator[Problem]:
    """No two are called the same: they are looked up by id and by name."""
    seen: dict[str, str] = {}
    for entry in draft.entries[kind]:
        leaf = draft.leaves[f"{kind}.{entry}.name"]
        for word in {name_id(leaf.value), entry}:
            if seen.setdefault(word, entry) != entry:
                reason = f"{seen[word]} is called so as well"
                yield Problem(leaf.file, f"{kind}.{entry}", "name", leaf.value, reason, "names that differ")

