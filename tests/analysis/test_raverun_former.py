"""Command lines of Raverun as a version ago had them are still understood."""

from __future__ import annotations

import shlex

import pytest

from analysis.raverun.former import words_today


@pytest.mark.parametrize(
    ("old", "now"),
    [
        (
            "match --values v.npz --against search --search-time 1s --deals 50",
            "match --player guided:seconds=1,file=v.npz --player search:seconds=1 --deals 50",
        ),
        (
            "match --player search --players 3 --search-iterations=200 --deals 2",
            "match --player search:iterations=200 --player greedy --players 3 --deals 2",
        ),
        (
            "match --player values --values 'a,b.npz' --against random",
            "match --player 'values:file=\"a,b.npz\"' --player random",
        ),
        (
            "match --player greedy --against random --resume -o m.json --format json",
            "match --player greedy --player random -o m.json --format json --keep m.json.deals",
        ),
        ("match --player greedy --player random", "match --player greedy --player random"),
        ("match --player search", "match --player search"),
        (
            "play --values v.npz --search-time 2s",
            "play --opponent guided:seconds=2,file=v.npz --values v.npz",
        ),
        (
            "play --players 3 --search-iterations 2000 --seed 7",
            "play --opponent search:iterations=2000 --players 3 --seed 7",
        ),
        ("play --opponent greedy --transcript g.txt", "play --opponent greedy --transcript g.txt"),
        ("play --opponent values --search-time soon", "play --opponent values"),
        ("play --search-time soon", "play --opponent search:seconds=soon"),
        ("solve --method learned --games 3", "solve --games 3"),
        ("solve --method mccfr", "solve --method mccfr"),
        ("train v.npz --plays 3", "train v.npz --plays 3"),
        ("match --against", "match --player guided --player ''"),
    ],
)
def test_old_words_are_written_as_they_are_now(old: str, now: str) -> None:
    assert words_today(shlex.split(old)) == shlex.split(now)
    assert words_today(shlex.split(now)) == shlex.split(now) or "--values" in now
