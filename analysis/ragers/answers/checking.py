"""Whether what libraries hold is sound: counted again, and, if that is wanted, solved again."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from analysis.amounts import bound
from analysis.errors import RefusedError, TooShortError
from analysis.exit_codes import EXIT_FAILURE
from analysis.front.question import Answer
from analysis.interrupt import Interrupt
from analysis.progress import Reporter
from analysis.ragers.answers import library, verification
from analysis.ragers.answers.library import Found
from analysis.ragers.answers.own_files import POSITIONS, is_current, items
from analysis.ragers.answers.solving import Effort
from engine.ragers.rules import Rules, load_rules


class VerifyAnswer(Answer, frozen=True, kw_only=True):
    """What a check of a library has found.

    Attributes
    ----------
    fit : entries that are sound, and for the rules of this version.
    bad : entries with problems.
    others : of your own: sound files of other rules, and of positions in mid-day.
    solved_again : how many were.
    problems, compared : what is wrong; and both certificates of what was solved again, in words.
    """

    library: str
    own: bool
    fit: int
    bad: int
    others: int
    solved_again: int
    problems: list[str]
    compared: list[str]

    @property
    def exit_code(self) -> int:
        """What a command ends with."""
        return super().exit_code or (EXIT_FAILURE if self.bad else 0)


@dataclass(frozen=True, kw_only=True)
class Again:
    """Which entries are solved again, to compare certificates.

    Attributes
    ----------
    resolve, recertify : how many; the latter with as many iterations as they had.
    time_limit, memory : of each: seconds, bytes.
    seed : chooses the sample.
    """

    resolve: int = 0
    recertify: int = 0
    time_limit: float | None = None
    memory: int | None = None
    seed: int = 0

    def efforts(self, good: list[Found]) -> list[tuple[Found, Effort]]:
        """Return those that are chosen of the sound ones, and how each is solved."""
        count = min(max(self.resolve, self.recertify), len(good))
        usual = Effort(time_limit_s=self.time_limit, memory_bytes=self.memory)
        found = []
        for number, each in enumerate(random.Random(self.seed).sample(good, count)):
            had = each.entry.answer
            same = replace(usual, method=had.method, iterations=had.iterations, seed=had.seed)
            found.append((each, same if number < self.recertify else usual))
        return found


def verified(
    again: Again, reporter: Reporter, interrupt: Interrupt, *, own: bool, is_sound: Callable[[Path], bool]
) -> VerifyAnswer:
    """Check every entry of a library, and solve some again; contradictions are problems.

    Parameters
    ----------
    is_sound : whether a solve of a position in mid-day can be read.
    """
    chosen, rules = (library.own() if own else library.carried()), load_rules()
    good: list[Found] = []
    num_bad = others = 0
    problems: list[str] = []
    for item in items(chosen, rules, is_sound) if own else ():
        if item.fault and library.REPORT not in [file.name for file in item.files]:
            num_bad += 1
            problems.append(f"{item.title}: {item.fault}")
        others += not item.fault and item.files[0].parent.name == POSITIONS
    for folder, entry in chosen.entries():
        wrong = ["its report cannot be read"]
        if entry is not None:
            found = Found(entry, folder, chosen.name)
            # The user's own library holds days of all sorts of rules, which only their own hashes can vouch
            # for.
            stale = own and not is_current(entry, rules)
            wrong = (
                verification.check_alone(found) if stale else verification.check_entry(found, rules, chosen)
            )
            others += stale and not wrong
            if not wrong and not stale:
                good.append(found)
        num_bad += bool(wrong)
        problems += [f"{folder.relative_to(chosen.root)}: {problem}" for problem in wrong]
    efforts, compared = again.efforts(good), []
    reporter.total = len(efforts)
    for number, (found, effort) in enumerate(efforts, 1):
        told, contradiction = resolved(found, rules, effort, reporter, number, interrupt)
        compared += [told] if told is not None else []
        if interrupt.requested:
            break
        if contradiction is not None:
            num_bad += 1
            problems.append(f"{found.folder.relative_to(chosen.root)}: {contradiction}")
    return VerifyAnswer(
        library=str(chosen.root),
        own=own,
        fit=len(good),
        bad=num_bad,
        others=others,
        solved_again=len(efforts),
        problems=problems,
        compared=compared,
        complete=not interrupt(),
    )


def resolved(
    found: Found, rules: Rules, effort: Effort, reporter: Reporter, number: int, interrupt: Interrupt
) -> tuple[str | None, str | None]:
    """Return both certificates in words where they compare, and how a fresh solve contradicts `found`."""
    from analysis.ragers.answers import solving
    from solver.hidden_hands import DiskRefused, MemoryRefused

    scenario = verification.scenario_of(found.entry, rules)
    assert scenario is not None
    reporter.begin(scenario.title, number, effort.time_limit_s)
    try:
        again, _ = solving.solve(scenario, effort, progress=reporter, stop=interrupt, leave=interrupt.leaves)
    except (DiskRefused, MemoryRefused) as refused:
        raise RefusedError(f"{scenario.title}: {refused}") from None
    except TooShortError as error:
        return f"{scenario.title}: not compared, {error}.", None
    if not again.certified:
        return f"{scenario.title}: not compared, cut short before it was proved.", None
    stored = found.entry.answer
    if effort.iterations is None:
        return None, verification.contradiction(stored, again)
    both = (
        f"{found.entry.patron} / {found.entry.cheers}: NashConv {bound(stored.nash_conv_gp)} GP as stored,"
        f" {bound(again.nash_conv_gp)} GP after {again.iterations} of {stored.iterations} iterations."
    )
    return both, verification.recertified(stored, again)
