"""What is told of days in rarer cases: matches, fixed frequencies, explanations; what solves are asked."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from analysis.errors import RequestError
from analysis.front.page import Page, Table
from analysis.progress import Silent
from analysis.ragers.answers import library, profiles, solving, starts
from analysis.ragers.answers.findings import Finding
from analysis.ragers.answers.solving import Effort
from analysis.ragers.last_day.advice import (
    ActionChance,
    CardChances,
    Chance,
    LastDayAnswer,
    LastDayReport,
    MatchAdvice,
    SearchAdvice,
    SearchedAction,
    SolvedAdvice,
)
from analysis.ragers.questions import advise, last_day, lock, warmup
from analysis.ragers.scenarios import Scenario, scenarios
from analysis.ragers.workbench import explaining, locking
from engine.ragers.rules import TYPES, load_rules
from solver.hidden_hands import LockedFrequency
from solver.hidden_hands.game import Progress
from tests.analysis.made_answers import Made, sampled
from tests.analysis.test_trust import answer as trusted


def tables(page: Page) -> Iterator[list[list[Any]]]:
    for section in page.sections:
        if isinstance(section, Table):
            yield [list(row) for row in section.rows]


# ---- what a solve is asked for -----------------------------------------------------------------------------


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """Solve nothing; tell what was asked for, and report progress as it is put here."""
    told: dict[str, Any] = {"states": []}

    def solve(game: Any, settings: Any, *, progress: Any, warm: Any, show: Any, **_: Any) -> Any:
        told.update(settings=settings, warm=warm, show=show)
        for each in told["states"]:
            progress(each)
        return SimpleNamespace(samples=None, nash_conv=0.5)

    monkeypatch.setattr("solver.hidden_hands.solve", solve)
    monkeypatch.setattr(solving, "from_solution", lambda *_: (trusted(0.5), None))
    monkeypatch.setattr(solving, "warm_start", lambda *_: "tables")
    return told


def day() -> Scenario:
    return Made("BSPP", "BBSV", "none").scenario


def test_progress_is_kept_where_it_proves_something_new(asked: dict[str, Any]) -> None:
    def state(seconds: float, nash_conv: float | None, phase: str = "solve") -> Progress:
        return Progress(phase, None, 1, nash_conv, seconds, 0, "")

    asked["states"] = [
        *(state(1.0, None), state(2.0, 5.0), state(3.0, 5.0), state(4.0, 3.0), state(5.0, None)),
        *(state(6.0, 3.0), state(7.0, 2.0, "certify"), state(8.0, 2.0), state(9.0, 5.0)),
    ]
    heard: list[Progress] = []
    found, _ = solving.solve(day(), Effort(), heard.append)
    assert found.history == [(2.0, 5.0), (4.0, 3.0), (8.0, 2.0), (9.0, 5.0)]
    assert heard == asked["states"]
    asked["states"] = [state(float(number), 20.0 - number) for number in range(15)]
    found, _ = solving.solve(day(), Effort())
    assert found.history == [(float(number), 20.0 - number) for number in range(3, 15)], "the last twelve"
    asked["states"] = []
    assert solving.solve(day(), Effort())[0].history is msgspec.UNSET


def test_when_a_solve_stops_if_nothing_is_said(asked: dict[str, Any]) -> None:
    for effort, target, share, limit in (
        (Effort(), 1e-6, 0.02, 300.0),
        (Effort(target_gp=0.2), 0.2, None, None),
        (Effort(iterations=7), None, None, None),
        (Effort(time_limit_s=5.0), None, None, 5.0),
    ):
        solving.solve(day(), effort)
        settings = asked["settings"]
        assert (settings.target, settings.target_share, settings.time_limit_s) == (target, share, limit)
        assert (settings.iterations, settings.sampling, settings.seed) == (effort.iterations, None, 0)
    solving.solve(day(), Effort(profile=True, seed=3, threads=2, memory_bytes=9))
    settings = asked["settings"]
    assert settings.sampling == profiles.sampling(day().rules)
    assert (settings.seed, settings.threads, settings.memory_bytes) == (3, 2, 9)
    assert asked["show"] is None


def test_only_plain_days_begin_from_tables(asked: dict[str, Any]) -> None:
    habit = (LockedFrequency(0, 0, 0, 0.5),)
    for effort, habits, warm in (
        (Effort(warm=True), (), "tables"),
        (Effort(warm=True, method="exact"), (), "tables"),
        (Effort(warm=True, method="merged"), (), None),
        (Effort(warm=True), habit, None),
        (Effort(), (), None),
    ):
        solving.solve(day(), effort, habits=habits)
        assert asked["warm"] == warm


@pytest.mark.parametrize(
    ("method", "memory", "leaves", "there", "told", "solves"),
    [
        ("exact", 2 << 30, True, False, "made", 1),
        ("exact", 2 << 30, False, False, "none", 1),
        ("exact", (2 << 30) + 1, True, False, "none", 0),
        ("merged", 1, True, False, "none", 0),
        ("merged", 1, True, True, "there", 0),
    ],
)
def test_days_that_are_solved_for_their_tables(
    method: str,
    memory: int,
    leaves: bool,
    there: bool,
    told: str,
    solves: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Not those that are there, that would take more than two GiB, or whose histories are merged."""
    path = tmp_path / "tables"
    if there:
        path.touch()
    solved: list[Effort] = []

    def solve(scenario: Scenario, effort: Effort, *_: Any, note: Any) -> tuple[Any, None]:
        solved.append(effort)
        if leaves:
            path.touch()
        return trusted(0.5), None

    monkeypatch.setattr(starts, "warm_start", lambda *_: SimpleNamespace(keep_in=path))
    monkeypatch.setattr(solving, "estimate", lambda *_: SimpleNamespace(method=method, memory_bytes=memory))
    monkeypatch.setattr(solving, "solve", solve)
    running: Any = SimpleNamespace(reporter=Silent(), interrupt=lambda: False)
    found = warmup._made(day(), Effort(time_limit_s=120.0), running)
    assert (found.tables, len(solved)) == (told, solves)
    assert found.nash_conv_gp == (0.5 if solves else None)
    assert (found.patron, found.cheers, found.preparation) == ("solennos", "two-bashers", "none")


# ---- a day of a match --------------------------------------------------------------------------------------


SOLVED = SolvedAdvice(
    actions=[
        ActionChance("basher", 0.75, 0.5),
        ActionChance("slasher", 0.25, 0.625),
        ActionChance("prodder", 0.0, 0.25),
    ],
    win=Chance(0.5, 0.45, 0.55),
    nash_conv_win=0.1,
    beliefs="course",
    read_by="by a short solve",
    tie_breaks="no decks",
    surprises=[2],
    iterations=40,
    seconds=2.4,
)
SEARCH = SearchAdvice(
    best="basher",
    actions=[SearchedAction("prodder", None), SearchedAction("slasher", 0.25), SearchedAction("basher", 0.5)],
    iterations=80,
    player="guided",
)
ADVICE = MatchAdvice(
    patron="solennos",
    cheers=["two-bashers"],
    names=["Solennos", "Two Bashers"],
    day=3,
    match="4:6",
    player="accusers",
    hand=["basher", "slasher"],
    decision="place",
    history=[],
    search=SEARCH,
    solved=SOLVED,
    unsolved="",
)


def test_advice_for_a_match_names_what_wins_most() -> None:
    found = advise.page(ADVICE)
    solved, searched = tables(found)
    assert solved == [
        ["Slasher", 0.25, 0.625, 0.0],
        ["Basher", 0.75, 0.5, 0.125],
        ["Prodder", 0.0, 0.25, 0.375],
    ]
    assert searched == [["Basher", 0.5], ["Slasher", 0.25], ["Prodder", None]]
    assert "Solennos / Two Bashers, day 3 (4:6), Accusers," in found.headline
    assert found.headline.endswith("Slasher wins most.")
    notes = "\n".join(found.notes)
    assert "the Accusers win 50.0 ±5.0 % from here on (NashConv 10.00 win-%, 40 iterations in 2 s)" in notes
    assert "began with course beliefs, read by a short solve; placements" in notes
    assert "larger deck before the day" in notes
    assert "Surprise in step 2:" in notes
    assert "Searched: guided, 80 iterations." in notes


def test_advice_by_the_search_alone_or_the_solve_alone() -> None:
    alone = msgspec.structs.replace(ADVICE, solved=None, unsolved="too large", match="")
    found = advise.page(alone)
    assert found.headline.startswith("Solennos / Two Bashers, day 3, Accusers,")
    assert found.headline.endswith("Basher wins most.")
    assert "Not solved: too large." in found.notes
    assert len([*tables(found)]) == 1
    plain = msgspec.structs.replace(SOLVED, tie_breaks="exact", read_by="", surprises=[])
    typed = advise.page(msgspec.structs.replace(ADVICE, search=None, solved=plain))
    notes = "\n".join(typed.notes)
    assert "larger deck" not in notes
    assert "course beliefs; placements" in notes
    assert "Not solved" not in notes
    assert "Searched" not in notes
    assert typed.data is not None
    assert [row[6:] for row in typed.data.rows] == [
        ["basher", 0.75, 0.5, None],
        ["slasher", 0.25, 0.625, None],
        ["prodder", 0.0, 0.25, None],
    ]


@pytest.mark.parametrize(
    ("ties", "told"),
    [("exact", "Ties are decided as in the rules"), ("no decks", "go to the larger deck"), ("later", "")],
)
def test_notes_on_a_day_of_a_match(ties: Any, told: str) -> None:
    one = LastDayAnswer(
        beliefs="fresh",
        read_by="",
        win=Chance(0.5, 0.499, 0.501),
        nash_conv_win=0.002,
        cards=[CardChances("basher", 0.5, 0.5, None)],
        hand=[ActionChance("basher", 0.25, 0.5), ActionChance("slasher", 0.75, 0.75)],
        iterations=30,
        seconds=1.6,
    )
    report = LastDayReport(
        patron="solennos",
        cheers=["two-bashers"],
        names=["Solennos", "Two Bashers"],
        match="day 3, score 4:6",
        player="defenders",
        preparation="none",
        hand=["basher", "slasher"],
        tie_breaks=ties,
        worth="",
        decision="place",
        certificate="exact",
        answers=[one],
    )
    found = last_day.page(report)
    assert found.headline == (
        "Solennos / Two Bashers, day 3, score 4:6: the Defenders win 50.0 ±0.1 % of matches from here."
    )
    *_, hand = tables(found)
    assert hand == [["Slasher", 0.75, 0.75, 0.0], ["Basher", 0.25, 0.5, 0.25]]
    text = "\n".join(found.notes)
    assert "(30 iterations in 2 s)" in text
    assert ("Ties" in text) == bool(told)
    assert told in text
    assert "The discards of the day are over." in text
    assert "beneath the deck" not in text
    assert "by other" in text
    read = msgspec.structs.replace(one, beliefs="course", read_by="by solves of earlier days")
    other = msgspec.structs.replace(
        report, answers=[read, one], worth="a file", preparation="seen", match="day 2, 1 hidden"
    )
    text = "\n".join(last_day.page(other).notes)
    assert "prices of cards placed, by a file." in text
    assert "The course of play is read by solves of earlier days;" in text
    assert "discards" not in text
    assert "beneath the deck" in text


# ---- fixed frequencies -------------------------------------------------------------------------------------


def locked(low: float, high: float, *, certified: bool = True) -> locking.LockedScenario:
    """Return a day in which fixed frequencies cost the Accusers between `low` and `high`."""
    free, fixed = Made("BSPP", "BBSV", "none"), Made("BSPP", "BBSV", "none")
    free.change(best_response_gp=(1.0, -1.0), nash_conv_gp=0.0, value_gp=1.0, mean_gp=(5.0, 4.0))
    mix = [[0.5, 0.3, 0.2, *[0.0] * 6], [0.5, 0.5, *[0.0] * 7]]
    free.change(opening_mix=mix)
    fixed.change(
        best_response_gp=(1.0 - low, high - 1.0),
        nash_conv_gp=high - low,
        mean_gp=(4.5, 4.5),
        outcome=(0.25, 0.25, 0.5, 0.0),
        certified=certified,
        opening_mix=[[0.2, 0.595, 0.205, *[0.0] * 6], mix[1]],
    )
    return locking.compare(free.answered(), fixed.answered(), 0, shared=False)


@pytest.mark.parametrize(
    ("low", "high", "words"),
    [
        (0.125, 0.25, "This costs the accusers 0.12 to 0.25 GP a day, for certain."),
        (-0.125, 0.25, "No cost is shown: at most 0.25 GP a day for the accusers."),
        (-0.125, 0.0049, "This costs the accusers nothing."),
        (-0.125, 0.0051, "No cost is shown: at most 0.01 GP a day for the accusers."),
    ],
)
def test_what_fixed_frequencies_cost_in_words(low: float, high: float, words: str) -> None:
    cost, plans, *openings = lock._sentences(locked(low, high))
    assert cost == words
    assert plans == "In the plans found a day pays 4.5 GP (-0.5); 25 % are drawn (+25)."
    # Changes of less than one in a hundred are not worth a word.
    assert openings == [
        "Accusers open, % of days: Basher 50 → 20, Slasher 30 → 60.",
        "Defenders open, % of days: as before.",
    ]


def test_which_frequencies_are_fixed() -> None:
    habits = [
        locking.HabitReport(player="accusers", step=step, type=name, frequency=0.125 * step)
        for step, name in enumerate(TYPES[:5], 1)
    ]
    one, other = locked(0.125, 0.25), locked(0.125, 0.25, certified=False)
    for number, more in ((4, "Chancer in step 4: 50 % by the accusers."), (5, "by the accusers and 1 more.")):
        page = lock.page(locking.LockAnswer(habits=habits[:number], scenarios=[one, other]))
        assert page.headline.endswith(" none: they cost something for certain in 1 of 2 days.")
        assert page.notes[0].startswith("Fixed, where the hand leaves a choice: Basher in step 1: 12 %")
        assert page.notes[0].endswith(more)


# ---- explanations ------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def days() -> list[Any]:
    """Two patrons with three cheers cards each, as the program knows them."""
    found = []
    for each in scenarios(
        load_rules(), ["solennos", "gharan-zul"], ["two-bashers", "two-slashers", "prodder-stopper"], "redraw"
    ):
        known = library.carried().find(each)
        assert known is not None
        found.append((each, known.entry.answer))
    return found


def test_what_a_subject_is_set_against(days: list[Any]) -> None:
    def crowd(kind: Any, subject: str, patron: str, some: list[Any]) -> tuple[int, int | None] | None:
        found = explaining._explained(kind, (subject, "name"), patron, some, 0)
        return (
            None if found is None else (found.here.days, None if found.others is None else found.others.days)
        )

    assert crowd("patron", "solennos", "solennos", days) == (3, 3)
    assert crowd("patron", "solennos", "solennos", days[:5]) == (3, 2)
    assert crowd("patron", "gharan-zul", "gharan-zul", days[:4]) == (1, 1), "with the same cheers card"
    assert crowd("patron", "solennos", "solennos", days[:3]) == (3, None)
    assert crowd("patron", "solennos", "gharan-zul", days) is None
    assert crowd("cheers", "two-bashers", "solennos", days) == (1, 2)
    assert crowd("cheers", "two-bashers", "solennos", days[1:]) is None
    assert crowd("card", "basher", "solennos", days) == (3, None)
    card = explaining._explained("card", ("stopper", "Stopper"), "solennos", days, 1)
    assert card is not None
    assert [each.cheers for each in card.card] == [each[0].cheers.id for each in days[:3]]
    t = TYPES.index("stopper")
    for told, (_, answer) in zip(card.card, days, strict=False):
        assert told.opening == answer.opening_mix[1][t]
        assert told.placed == [step[t] for step in answer.usage[1]]
    cheers = explaining._explained("cheers", ("two-bashers", ""), "solennos", days, 0)
    assert cheers is not None
    assert cheers.card == []
    assert cheers.day.cheers == "Two Bashers"


def test_means_over_days() -> None:
    one, other = Made("BSPP", "BBSV", "none"), Made("BSPP", "BBSV", "none")
    later = [0.25, 0.5, *[0.0] * 7]
    one.change(mean_gp=(5.0, 4.0), outcome=(0.5, 0.25, 0.25, 0.0), profile=sampled())
    other.change(mean_gp=(3.0, 3.0), outcome=(0.5, 0.5, 0.0, 0.0))
    other.change(usage=[[*each, later] for each in other.answer.usage])
    found = explaining._means([(each.scenario, each.answer) for each in (one, other)], 0)
    assert (found.days, found.mean_gp, found.draw) == (2, 4.0, 0.375)
    # Of days that were not sampled nothing is known, which is not nothing.
    assert found.steps == 1.8
    assert found.met == pytest.approx(0.6)
    assert found.card_gp is not None
    assert found.card_gp["basher"] == 4.0
    mix = one.answer.opening_mix[0]
    assert found.opening["slasher"] == pytest.approx(mix[1])
    assert found.placed["slasher"] == pytest.approx(mix[1] + 0.25)
    alone = explaining._means([(other.scenario, other.answer)], 1)
    assert (alone.steps, alone.met, alone.card_gp) == (None, None, None)


def test_which_findings_tell_about_a_subject() -> None:
    def about(of: Any, *subjects: str, **finding: Any) -> bool:
        base: dict[str, Any] = {
            "kind": "must",
            "patron": "solennos",
            "cheers": ["two-bashers"],
            "everywhere": True,
        }
        return explaining._tells(of, dict.fromkeys(subjects, ""), Finding(**(base | finding)))

    assert about("patron", "solennos")
    assert not about("patron", "arianna")
    assert not about("cheers", "two-bashers"), "about a card"
    for kind in ("never met", "hardly met"):
        assert about("cheers", "two-bashers", kind=kind)
        assert not about("cheers", "two-slashers", kind=kind)
    assert about("card", "basher", card="basher")
    assert not about("card", "basher", card="slasher")
    assert not about("card", "basher", kind="hardly met")


def test_subjects_by_name_and_what_the_rules_say_of_them() -> None:
    rules = load_rules(overrides=["cards.basher.copies.defenders=3", "cards.basher.gp=7"])
    subjects = explaining._subjects
    assert subjects(rules, "patron", ["Solennos"]) == {"solennos": "Solennos"}
    assert len(subjects(rules, "patron", [])) == len(rules.patrons)
    assert len(subjects(rules, "cheers", [])) == len(rules.cheers)
    assert subjects(rules, "cheers", ["two-bash"]) == {"two-bashers": "Two Bashers"}
    assert list(subjects(rules, "card", [])) == list(TYPES)
    assert subjects(rules, "card", ["stop"]) == {"stopper": "Stopper"}
    with pytest.raises(RequestError):
        subjects(rules, "card", ["wizard"])
    assert explaining._rule("card", "basher", rules).startswith("attack, 7 GP, 4 and 3 in each deck, beats ")
    assert explaining._rule("card", "stopper", rules).startswith("special, ")
    assert " 2 in each deck" in explaining._rule("card", "stopper", rules)
    assert explaining._rule("patron", "solennos", rules) == "rows of 5, Veteran forbidden"
    assert explaining._rule("patron", "arianna", rules) == "rows of 4, nothing forbidden"
    box = scenarios(rules, ["solennos"], ["two-bashers"], "none")[0]
    assert explaining._is_asked("card", {"basher": ""}, box)
    assert explaining._is_asked("patron", {"solennos": ""}, box)
    assert not explaining._is_asked("patron", {"two-bashers": ""}, box)
    assert explaining._is_asked("cheers", {"two-bashers": ""}, box)
