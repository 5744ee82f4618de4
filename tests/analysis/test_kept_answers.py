"""Answers as they are kept: what cannot be true of one, files and their faults, tables to begin from."""

from __future__ import annotations

import hashlib
import math
import os
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import numpy as np
import pytest

from analysis.errors import RequestError
from analysis.exit_codes import EXIT_FAILURE
from analysis.interrupt import STOPPING, Interrupt
from analysis.progress import Silent
from analysis.ragers.answers import findings, library, listing, own_files, solving, starts, trust
from analysis.ragers.answers.answer import NUM_TYPES, Answer, HandStrategy, load_strategy
from analysis.ragers.answers.listing import Again, Checked
from analysis.ragers.answers.own_files import Item
from analysis.ragers.answers.solving import Effort
from analysis.ragers.pages import solved
from analysis.ragers.questions import stored, sweep
from analysis.ragers.scenarios import scenarios
from analysis.ragers.workbench.building import _adds_a_profile
from arena_solver.folders import CACHE_VARIABLE
from engine.ragers.rules import diff_rules, load_rules
from tests.analysis.made_answers import Made, sampled
from tests.analysis.test_trust import answer as trusted

NOW = 1_700_000_000.0
HOUR = 3600.0
GIB = 1 << 30


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path / "cache"))
    monkeypatch.setattr(own_files, "time", SimpleNamespace(time=lambda: NOW))
    return tmp_path / "cache"


# ---- answers -----------------------------------------------------------------------------------------------


NO_MIX = "a mix is no probability distribution"
SHAPE = "a table has the wrong shape"
MIX = [1.0] + [0.0] * NUM_TYPES


@pytest.mark.parametrize(
    ("numbers", "problems"),
    [
        ({}, []),
        ({"nash_conv_gp": 0.49995}, []),
        ({"nash_conv_gp": 0.4998}, ["NashConv is less than what the best responses gain"]),
        (
            {"nash_conv_gp": -1e-5, "best_response_gp": (0.0, 0.0)},
            ["NashConv is negative (-1e-05)"],
        ),
        ({"nash_conv_gp": 0.0, "best_response_gp": (0.0, 0.0)}, []),
        ({"value_gp": 0.30005, "mean_gp": (4.80005, 4.5)}, []),
        ({"value_gp": 0.3002, "mean_gp": (4.8, 4.5)}, ["the value 0.3002 is not within [-0.2, 0.3]"]),
        ({"value_gp": -0.20005, "mean_gp": (4.5, 4.7)}, []),
        ({"value_gp": -0.2002, "mean_gp": (4.5, 4.7)}, ["the value -0.2002 is not within [-0.2, 0.3]"]),
        ({"mean_gp": (4.99, 4.5)}, []),
        ({"mean_gp": (5.01, 4.5)}, ["the value is not the difference of the mean glory points"]),
        ({"mean_gp": (4.5, 5.01)}, ["the value is not the difference of the mean glory points"]),
        ({"outcome": (0.5, 0.00005, 0.5, 0.0)}, []),
        ({"outcome": (0.5, 0.0002, 0.5, 0.0)}, [NO_MIX]),
        ({"outcome": (0.5, -0.0002, 0.5002, 0.0)}, [NO_MIX]),
        ({"outcome": (0.5, -0.00005, 0.50005, 0.0)}, []),
        ({"opening_mix": [MIX, [0.5, *MIX[1:]]]}, [NO_MIX]),
        ({"opening_mix": [MIX]}, [SHAPE]),
        ({"opening_mix": [MIX, MIX[:-1]]}, [SHAPE]),
        ({"usage": [[MIX]]}, [SHAPE]),
        ({"usage": [[MIX], [[*MIX, 0.0]]]}, [SHAPE]),
        ({"usage": [[MIX], [[math.inf, *MIX[1:]]]]}, ["a number is not finite"]),
        ({"seconds": math.nan}, ["a number is not finite"]),
        ({"peak_memory_mb": math.inf}, ["a number is not finite"]),
        ({"profile": sampled(days=0)}, ["what was sampled is wrong"]),
    ],
)
def test_what_no_answer_can_say(numbers: dict[str, Any], problems: list[str]) -> None:
    base = msgspec.structs.replace(
        trusted(0.5), best_response_gp=(0.3, 0.2), usage=[[MIX], [MIX]], opening_mix=[MIX, MIX]
    )
    assert msgspec.structs.replace(base, **numbers).problems() == problems


def test_types_under_other_names_and_back() -> None:
    made = Made("BSPP", "BBSV", "redraw")
    made.change(profile=sampled())
    types = [2, 0, 1, 4, 3, 5, 6, 7]
    back = [types.index(t) for t in range(NUM_TYPES)]
    other = made.answer.relabelled(types, "other day")
    assert other.day_sha256 == "other day"
    for old, new in enumerate(types):
        for player in (0, 1):
            assert other.opening_mix[player][new] == made.answer.opening_mix[player][old]
            assert other.usage[player][0][new] == made.answer.usage[player][0][old]
            assert other.profile is not None
            assert other.profile.card_gp[player][new] == sampled().card_gp[player][old]
    assert other.relabelled(back, made.answer.day_sha256) == made.answer
    strategy = made.strategy.relabelled(types)
    hand = [0] * NUM_TYPES
    hand[types[0]] = hand[types[1]] = 1
    row = strategy.index(hand)
    assert row == made.row(0, 1)
    assert strategy.opening[0, row, types[0]] == made.strategy.opening[0, row, 0]
    same = strategy.relabelled(back)
    for name, array in vars(made.strategy).items():
        assert np.array_equal(getattr(same, name), array, equal_nan=name != "hands")
    assert strategy.index([9] * NUM_TYPES) is None


@pytest.mark.parametrize(("second", "preparation"), [("BSPP", "none"), ("BSPP", "redraw"), ("BBSV", "seen")])
def test_strategies_are_read_as_they_were_written(second: str, preparation: str, tmp_path: Path) -> None:
    made = Made("BSPP", second, preparation)
    if second == "BSPP":
        for name in ("opening", "opening_ev"):
            getattr(made.strategy, name)[1] = getattr(made.strategy, name)[0]
        made.settle()
    data = made.strategy.to_bytes()
    again = HandStrategy.from_bytes(data)
    for name, array in vars(made.strategy).items():
        found = getattr(again, name)
        if array is None:
            assert found is None
        else:
            assert found.dtype == array.dtype
            assert np.array_equal(found, array, equal_nan=name != "hands")
    path, digest = tmp_path / "strategy.npz", hashlib.sha256(data).hexdigest()
    assert load_strategy(path, digest) is None
    path.write_bytes(data)
    assert load_strategy(path, digest) is not None
    assert load_strategy(path, digest[::-1]) is None
    path.write_bytes(data[:50])
    assert load_strategy(path, hashlib.sha256(data[:50]).hexdigest()) is None


@pytest.mark.parametrize(
    ("effort", "numbers", "met"),
    [
        ({"target_gp": 0.5}, {}, True),
        ({"target_gp": 0.499}, {}, False),
        ({"time_limit_s": 75.0}, {}, True),  # 60 s, four fifths
        ({"time_limit_s": 75.1}, {}, False),
        ({"iterations": 20}, {}, True),
        ({"iterations": 21}, {}, False),
        ({"iterations": 21, "target_gp": 0.4, "time_limit_s": 70.0}, {}, True),
        ({}, {"seconds": 240.0}, True),
        ({}, {"seconds": 239.0}, False),
        ({}, {"nash_conv_gp": 0.225}, True),  # good
        ({}, {"nash_conv_gp": 0.226}, False),
        ({}, {"nash_conv_gp": 0.0}, True),
        ({"target_gp": 0.1}, {"nash_conv_gp": 0.2, "seconds": 1e9}, False),
    ],
)
def test_when_a_stored_answer_has_had_its_due(
    effort: dict[str, Any], numbers: dict[str, Any], met: bool
) -> None:
    stored_answer = msgspec.structs.replace(trusted(0.5), iterations=20, **({"seconds": 60.0} | numbers))
    assert Effort(**effort).is_met_by(stored_answer) == met


def test_defaults_of_an_effort() -> None:
    plain = Effort()
    assert (plain.threads, plain.seed, plain.granted_s) == (0, 0, 300.0)
    assert plain.unlimited
    for limit in ({"target_gp": 0.1}, {"iterations": 3}, {"time_limit_s": 5.0}):
        assert not Effort(**limit).unlimited
        assert Effort(**limit).granted_s == limit.get("time_limit_s")
    assert solving.Keeping().interval_s == 600.0


# ---- how far to trust --------------------------------------------------------------------------------------


def test_limits_are_round_and_long_enough() -> None:
    minutes = (1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 40, 50)
    for before, limit in zip((0.5, *minutes), minutes, strict=False):
        assert trust.time_limit(60 * limit) == f"{limit}m"
        assert trust.time_limit(60 * before + 0.01) == f"{limit}m"
    assert [trust.time_limit(60 * each) for each in (50.01, 60, 60.01, 120, 121)] == [
        "1h",
        "1h",
        "2h",
        "2h",
        "3h",
    ]


def test_nothing_to_gain_is_exact_whatever_a_day_pays() -> None:
    assert trust.grade_of(0.0, None) == ("exact", 0.0)
    assert trust.grade_of(0.01, 0.5) == ("exact", 0.02)
    assert trust.grade_of(1.0, None) == ("no answer yet", None)
    assert trust.grade_of(1.0, 5.0) == ("rough", 0.2)
    found = trust.trust_in(msgspec.structs.replace(trusted(0.45), mean_gp=(4.5, 4.5)))
    assert (found.grade, found.fair_after_s, found.answers) == ("fair", None, True)
    assert not trust.trust_in(trusted(4.5)).answers


@pytest.mark.parametrize(
    ("history", "rate"),
    [
        ([(1.0, 4.0), (2.0, 3.0), (4.0, 1.0)], 1.0),  # a quarter of the time is counted
        ([(0.9, 50.0), (1.0, 4.0), (2.0, 3.0), (4.0, 1.0)], 1.0),
        ([(1.01, 4.0), (2.0, 3.0), (3.0, 0.0), (4.0, 1.0)], 1.0086),  # nothing left to gain is no point
        ([(1.0, 3.0), (1.2, 2.0), (1.5, 2.0)], 0.9632),
        ([(1.0, 3.0), (1.2, 2.0), (1.49, 2.0)], None),
        ([(0.0, 1.0)], None),
        ([(0.0, 1.0), (0.0, 0.5), (0.0, 0.25)], None),
        ([(1.0, 4.0), (4.0, 1.0)], None),
    ],
)
def test_how_fast_nash_conv_fell(history: list[tuple[float, float]], rate: float | None) -> None:
    found = trust.fall_rate(history)
    assert found == (None if rate is None else pytest.approx(rate, abs=0.001))


@pytest.mark.parametrize(("iterations", "factor"), [(0, 10.0), (1, 10.0), (5, 2.0), (10, 1.0), (11, 1.0)])
def test_it_falls_only_after_ten_iterations(iterations: int, factor: float) -> None:
    stored_answer = msgspec.structs.replace(trusted(0.5), method="other", iterations=iterations)
    seconds, by = trust.seconds_to(0.25, stored_answer)
    assert seconds == pytest.approx(1.25 * 60 * 2 * factor)
    assert by == "usual"


# ---- what stands out ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("opening", "placed", "verdict"),
    [
        (0.60, [0.6], ""),
        (0.601, [0.6], "must"),
        (0.01, [0.0], ""),
        (0.0099, [0.0, 0.04], "dead"),
        (0.0099, [], "dead"),
        (0.0, [0.0, 0.05], "never opens"),
        (0.0, [0.3, 0.05], "never opens"),  # the first step is the opening
        (0.0, [0.3], "never opens"),
        (0.0, [0.0, 0.1], "late card"),
        (0.0, [0.0, 0.05, 0.0999], "never opens"),
        (0.02, [0.0, 0.0], ""),
    ],
)
def test_a_card_in_a_word(opening: float, placed: list[float], verdict: str) -> None:
    assert findings.card_verdict(opening, placed, forbidden=False) == verdict
    assert findings.card_verdict(opening, placed, forbidden=True) == "forbidden"


def test_how_often_a_cheers_card_is_met() -> None:
    made = Made("BSPP", "BBSV", "none")
    for nobody, told in ((0.75, 0), (0.7501, 1), (0.0, 0), (1.0, 1)):
        made.change(profile=sampled(cheers=(1 - nobody, 0.0, 0.0, nobody)))
        found = [each for each in findings.findings([(made.scenario, made.answer)], 0) if "met" in each.kind]
        assert [each.kind for each in found] == ["hardly met"] * told
        assert [each.share for each in found] == pytest.approx([1 - nobody] * told)
    made.change(profile=None)
    assert not [each for each in findings.findings([(made.scenario, made.answer)], 0) if "met" in each.kind]


def test_what_is_told_of_cards_is_a_mean_over_the_days_that_share_it() -> None:
    """Prodders come late for the Accusers of both days; the Defenders of these days have none."""
    days = []
    for later in ((0.2, 0.4, 0.1), (0.4, 0.4)):
        made = Made("BSPP", "BBSV", "none")
        mix = [0.7, 0.3] + [0.0] * 7
        steps = [mix, *([0.0, 0.0, each] + [0.0] * 6 for each in later)]
        made.change(opening_mix=[mix, mix], usage=[steps, steps])
        days.append((made.scenario, made.answer))
    late, must = sorted(findings.findings(days, 0), key=lambda each: each.kind)
    assert (late.kind, late.card, late.steps, late.everywhere) == ("late card", "prodder", [2, 3], True)
    assert late.share == pytest.approx((0.3 + 0.4) / 2)
    assert (must.kind, must.card, must.steps) == ("must", "basher", [])
    assert must.share == pytest.approx(0.7)
    assert [each.kind for each in findings.findings(days, 1)] == ["must"]


# ---- tables that what-ifs begin from -----------------------------------------------------------------------


def test_how_much_two_days_differ() -> None:
    day = {"patron": "a", "cheers": "b", "changes": {"x": [3, 5]}}

    def away(**other: Any) -> float:
        return starts._distance(day, day | other)

    assert away() == 0.0
    assert away(changes={"x": [3, 9]}) == 4.0
    assert away(changes={}) == 2.0
    assert away(changes={"x": [3, 4], "y": [1, 3]}) == 3.0
    assert away(patron="c", changes={}) == 102.0
    assert away(patron="c", cheers="c") == 200.0
    assert starts._distance(day, {"changes": {"x": [3, 5]}}) == 200.0
    assert away(changes=None) == math.inf
    assert starts._distance(day, {}) == math.inf


class Kept:
    """A file of tables that takes room only in name."""

    def __init__(self, folder: str, used_s: float, size: int) -> None:
        self.parent, self._status = Path(folder), SimpleNamespace(st_mtime=used_s, st_size=size)
        self.removed = False

    def stat(self) -> Any:
        return self._status

    def unlink(self) -> None:
        self.removed = True


@pytest.mark.parametrize(
    ("sizes", "removed"),
    [
        ((1.0, 1.0, 1.0), ()),  # one more GiB makes four
        ((1.0, 1.0, 1.001), (1,)),
        ((2.0, 1.0, 0.5), (1,)),
        ((2.0, 0.4, 1.0), (1,)),
        ((2.0, 0.4, 1.1), (1, 2)),
        ((4.0, 0.4, 1.1), (0, 1, 2)),
    ],
)
def test_what_was_not_used_for_the_longest_makes_room(
    sizes: tuple[float, ...], removed: tuple[int, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first file is the oldest, but of the same day as what is asked for now."""
    kept = [
        Kept(folder, number, int(size * GIB))
        for number, (folder, size) in enumerate(zip(("used", "b", "a"), sizes, strict=True))
    ]
    monkeypatch.setattr(starts, "files", lambda: iter(kept))
    starts._make_room(Path("used"))
    assert tuple(number for number, each in enumerate(kept) if each.removed) == removed


@pytest.mark.parametrize(("free", "most"), [(3 * GIB, 0), (3 * GIB + 1, GIB), (0, 0)])
def test_two_gib_of_the_disk_are_left_to_others(
    free: int, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(starts, "_free_bytes", lambda: free)
    start = starts.warm_start(Made("BSPP", "BBSV", "none").scenario, print)
    assert start.most_bytes == most
    assert start.keep_in is not None
    assert len(start.keep_in.parent.name) == 24
    name = start.keep_in.name.removesuffix(starts.ENDING)
    assert name.startswith("none-")
    assert len(name) == len("none-") + 24


def test_room_on_the_disk_of_a_folder_that_is_not_there_yet(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    asked = []

    def disk_usage(folder: Path) -> Any:
        asked.append(folder)
        return SimpleNamespace(free=7)

    monkeypatch.setattr(starts, "shutil", SimpleNamespace(disk_usage=disk_usage))
    monkeypatch.setattr(starts, "cache_root", lambda: tmp_path / "not" / "there")
    assert starts._free_bytes() == 7
    assert asked == [tmp_path]

    def fails(folder: Path) -> Any:
        raise OSError

    monkeypatch.setattr(starts, "shutil", SimpleNamespace(disk_usage=fails))
    assert starts._free_bytes() == 0


# ---- files of the user's library ---------------------------------------------------------------------------


def keep(made: Made) -> Path:
    """Store an answer in the user's library; return its folder."""
    made.change(day_sha256=made.day.sha256)
    folder = library.own().store(made.scenario, made.answer, made.strategy).folder
    for file in folder.iterdir():
        os.utime(file, (NOW - HOUR, NOW - HOUR))
    return folder


def put(path: Path, age_s: float = HOUR, text: str = "?") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    os.utime(path, (NOW - age_s, NOW - age_s))
    return path


def told() -> dict[str, str]:
    """Return what is kept, and its faults."""
    return {
        item.title: item.fault
        for item in own_files.items(library.own(), load_rules(), lambda file: file.stem == "sound")
    }


def test_faults_of_what_is_kept() -> None:
    folder = keep(Made("BSPP", "BBSV", "none"))
    changes = [key for key, _, _ in diff_rules(load_rules(), Made("BSPP", "BBSV", "none").scenario.rules)]
    (title,) = told()
    assert title.startswith("solennos / two-bashers, none (match.hand_size=2, cards.")
    assert all(key in title for key in changes if key != "name")
    assert told() == {title: ""}
    day = folder.parent
    put(day / "none" / "notes")
    put(day / "none" / ".left", 3600.5)
    put(day / "none" / ".lately", 3600.0)
    put(day / "seen" / "strategy-1.npz")
    put(day / "redraw" / library.REPORT)
    put(day / "positions" / "sound.npz")
    put(day / "positions" / "other.npz")
    put(day / "health" / "figures.json")
    put(day / "elsewhere" / "file")
    (day / "none" / "folder").mkdir()
    name = day.name
    assert told() == {
        title: "",
        f"{name}/none/notes": "belongs to no entry",
        ".left": "was left by a killed process",
        f"{name}/seen": "has no report: its writer was killed",
        f"{name}/redraw": "cannot be read",
        "a position in mid-day, sound": "",
        "a position in mid-day, other": "is damaged",
        "what ragers balance computed of a day, figures": "",
    }
    checked = listing.check_all(own=True, is_sound=lambda file: file.stem == "sound")
    # Sound, but of other rules: the entry, the position, what balance computed is neither.
    assert (checked.num_bad, checked.num_other, checked.good) == (5, 2, [])
    assert sorted(checked.problems) == sorted(
        [
            f"{name}/none/notes: belongs to no entry",
            ".left: was left by a killed process",
            f"{name}/seen: has no report: its writer was killed",
            "a position in mid-day, other: is damaged",
            f"{name}/redraw: its report cannot be read",
        ]
    )
    found = listing.listed(own=True)
    assert (found.own, found.positions, found.tables, found.tables_bytes) == (True, 2, 0, 0)
    assert [(each.patron, each.rules) for each in found.entries] == [
        ("solennos", "other"),
        (f"{name}/redraw", None),
    ]
    assert found.entries[0].saved == "2023-11-14 21:13"
    (folder / next(folder.glob("strategy-*")).name).write_bytes(b"?")
    assert told()[title] == "its strategy is missing or damaged"


def test_what_the_program_knows_as_well_is_useless() -> None:
    (day,) = scenarios(load_rules(), ["solennos"], ["two-bashers"], "redraw")
    found = library.carried().find(day)
    assert found is not None
    strategy = found.strategy()
    assert strategy is not None
    for better, fault in ((0.0, "is known as well to the library that comes with the program"), (1e-6, "")):
        mine = msgspec.structs.replace(
            found.entry.answer,
            nash_conv_gp=found.entry.answer.nash_conv_gp - better,
            best_response_gp=(0.0, 0.0),
        )
        library.own().store(day, mine, strategy)
        assert told() == {"solennos / two-bashers, redraw (current)": fault}


@pytest.mark.parametrize(
    ("older_than_s", "useless", "removed"),
    [
        (None, True, {"b": "is bad", "c": "is worse"}),
        (99.0, False, {"a": "is from 2023-11-14 22:11", "b": "is from 2023-11-14 22:11"}),
        (99.0, True, {"a": "is from 2023-11-14 22:11", "b": "is bad", "c": "is worse"}),
        (100.0, False, {}),
        (100.0, True, {"b": "is bad", "c": "is worse"}),
    ],
)
@pytest.mark.parametrize("dry_run", [True, False])
def test_what_is_old_or_useless_goes(
    older_than_s: float | None,
    useless: bool,
    removed: dict[str, str],
    dry_run: bool,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    files = [tmp_path / "shelf" / name / "none" / name for name in "abcd"]
    for file in files:
        put(file, text="12345")
    ages, faults = (100.0, 100.0, 10.0, 10.0), ("", "is bad", "is worse", "")
    kept = [
        Item((file,), file.name, NOW - age, fault)
        for file, age, fault in zip(files, ages, faults, strict=True)
    ]
    monkeypatch.setattr(own_files, "items", lambda *_: iter(kept))
    found = own_files.pruned(
        is_sound=lambda file: True, older_than_s=older_than_s, useless=useless, dry_run=dry_run
    )
    assert {each.title: each.reason for each in found.removed} == removed
    assert {each.num_bytes for each in found.removed} <= {5}
    assert (found.num_all, found.dry_run, found.left, found.exit_code) == (4, dry_run, [], 0)
    for file in files:
        gone = file.name in removed and not dry_run
        assert file.exists() != gone
        # Folders go with the last file in them, as far as that of the day.
        assert file.parents[1].exists() != gone
    assert (tmp_path / "shelf").exists()


def test_what_cannot_be_removed_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "shelf" / "day" / "none"
    folder.mkdir(parents=True)
    (folder / "file").mkdir()
    kept = [
        Item((folder / "file",), "a file", NOW, "is bad"),
        Item((folder / "gone",), "another", NOW, "is bad"),
    ]
    monkeypatch.setattr(own_files, "items", lambda *_: iter(kept))
    found = own_files.pruned(is_sound=lambda file: True, older_than_s=None, useless=True, dry_run=False)
    assert [each.title for each in found.removed] == ["another"]
    assert len(found.left) == 1
    assert found.left[0].startswith("cannot remove a file: ")
    assert found.exit_code == EXIT_FAILURE


# ---- entries that are solved again -------------------------------------------------------------------------


def test_entries_that_are_solved_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of three sound entries two are solved again, the first with as many iterations as it had."""
    box = scenarios(load_rules(), ["solennos"], [], "redraw")[:3]
    good = [found for day in box if (found := library.carried().find(day)) is not None]
    root = library.carried().root
    asked: list[Effort] = []
    certified = True

    def solve(scenario: Any, effort: Effort, *_: object) -> tuple[Answer, None]:
        asked.append(effort)
        entry = next(each.entry for each in good if each.entry.cheers == scenario.cheers.id)
        return msgspec.structs.replace(entry.answer, certified=certified), None

    monkeypatch.setattr(solving, "solve", solve)

    def compared(again: Again, *, stop: bool = False) -> Checked:
        asked.clear()
        checked = Checked(root, list(good))
        interrupt = Interrupt(STOPPING)
        interrupt.requested = stop
        again.compare(checked, Silent(), interrupt)
        return checked

    checked = compared(Again(resolve=2, recertify=1, time_limit=9.0, seed=4))
    assert (checked.num_bad, len(checked.compared)) == (0, 1)
    assert [each.time_limit_s for each in asked] == [9.0, 9.0]
    first, second = asked
    chosen = Again(resolve=2, recertify=1, seed=4).sample(checked)
    stored_one = chosen[0].entry.answer
    assert (first.iterations, first.method, first.seed) == (
        stored_one.iterations,
        stored_one.method,
        stored_one.seed,
    )
    assert (second.iterations, second.method) == (None, "auto")
    assert f"after {stored_one.iterations} of {stored_one.iterations} iterations." in checked.compared[0]
    assert len(Again(resolve=9).sample(checked)) == 3
    assert Again().sample(checked) == []
    orders = [[each.folder for each in Again(resolve=3, seed=seed).sample(checked)] for seed in range(6)]
    assert any(order != orders[0] for order in orders)
    assert [each.folder for each in Again(resolve=3).sample(checked)] == orders[0]
    compared(Again(resolve=3), stop=True)
    assert len(asked) == 1, "stopped after the first"
    certified = False
    checked = compared(Again(recertify=2))
    assert (checked.num_bad, checked.compared) == (2, [])
    assert all(each.endswith("the fresh solve gave no certificate") for each in checked.problems)


def test_days_sampled_from_a_better_plan_are_better() -> None:
    plain = trusted(0.5)
    some, better = (msgspec.structs.replace(plain, profile=sampled(nash_conv_gp=x)) for x in (0.3, 0.2))
    assert _adds_a_profile(plain, some)
    assert not _adds_a_profile(plain, plain)
    assert not _adds_a_profile(some, plain)
    assert _adds_a_profile(some, better)
    assert not _adds_a_profile(better, some)
    assert not _adds_a_profile(some, some)


# ---- words and thresholds of pages -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("1h", 3600), ("12h", 43_200), ("1d", 86_400), ("30D", 2_592_000), (" 2 w ", 1_209_600)],
)
def test_ages(text: str, seconds: float) -> None:
    assert stored._age(text) == seconds


@pytest.mark.parametrize("text", ["", "h", "1", "1m", "1.5h", "-1h"])
def test_what_is_no_age(text: str) -> None:
    with pytest.raises(RequestError, match="is no age; write 12h, 30d or 8w"):
        stored._age(text)


def test_what_a_sweep_shows_if_nothing_is_said() -> None:
    def shown(*keys: str, names: tuple[str, ...] = ()) -> list[str]:
        return sweep._metrics(names, [SimpleNamespace(key=key) for key in keys])  # type: ignore[misc]

    assert shown("match.hand_size") == shown("cards.basher.gp") == ["value", "draw", "mean_gp"]
    assert shown("match.hand_size", "match.days") == ["mean_gp"]
    both = ["opening.basher", "opening.stopper"]
    assert shown("cards.basher.gp", "cards.stopper.copies.accusers") == both
    assert shown("cards.basher.gp", "cards.basher.copies") == both[:1]
    assert shown("cards.basher.gp", "match.days") == both[:1]
    assert shown("match.days", names=("draw", "win", "draw")) == ["draw", "win"]
    with pytest.raises(RequestError):
        shown("match.days", names=("fun",))


@pytest.mark.parametrize(
    ("mix", "words"),
    [
        ({"basher": 0.9, "slasher": 0.1}, "Basher 90"),
        ({"basher": 0.89, "slasher": 0.11}, "Basher 89, Slasher 11"),
        (
            {"slasher": 0.4, "basher": 0.3, "prodder": 0.2, "stopper": 0.1},
            "Slasher 40, Basher 30, Prodder 20",
        ),
        ({"basher": 0.5, "slasher": 0.02, "prodder": 0.019}, "Basher 50, Slasher 2"),
        ({"basher": 0.01}, ""),
    ],
)
def test_the_cards_that_open_most(mix: dict[str, float], words: str) -> None:
    assert solved._likely(mix) == words


@pytest.mark.parametrize(
    ("mix", "words"),
    [
        ({"keep": 0.996, "basher": 0.004}, "nothing, keep all"),
        ({"keep": 0.005, "basher": 0.995}, "Basher >99 %, nothing, keep all <1 %"),
        ({"nothing": 1.0}, "nothing"),
    ],
)
def test_a_choice_in_words(mix: dict[str, float], words: str) -> None:
    assert solved._choice(mix) == words
    if "%" in words:
        assert solved._choice(mix, 0.006) == "Basher"


def test_actions_of_a_mix_by_name() -> None:
    mix = {"keep": 0.3, "basher": 0.6991, "slasher": 0.0005, "prodder": 0.0004}
    assert solved.parts(mix) == [("Basher", 0.6991), ("keep all", 0.3), ("Slasher", 0.0005)]
