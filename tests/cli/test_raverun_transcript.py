"""Transcripts of Raverun: `play --transcript`, and `review`."""

from __future__ import annotations

import json
import random
import re
from dataclasses import replace
from pathlib import Path

import pytest

from analysis.raverun.narration import transcript_text, wrong_words
from analysis.raverun.transcript import Header, read, ways_at
from analysis.transcripts import TranscriptError
from engine.raverun.reference import Phase, decider, is_over, legal_moves, payoffs, start, step
from engine.raverun.rules import Rules, load_rules
from tests.cli.test_raverun_full import SMALL, run

SMALL_RULES = load_rules(overrides=SMALL[1::2])
GAMES = [(load_rules(), 2), (load_rules(), 3), (SMALL_RULES, 2)]


def random_ways(rules: Rules, num_players: int, seed: int, most: int = 10**6) -> list[int]:
    state, rng, ways = start(rules, num_players), random.Random(seed), list[int]()
    while not is_over(state) and len(ways) < most:
        possible = ways_at(state)
        ways.append(rng.randrange(len(possible)))
        state = step(state, possible[ways[-1]])
    return ways


def same(one: Header, other: Header) -> bool:
    """Whether they are alike but for what changed rules are called."""
    return one.rules.sha256 == other.rules.sha256 and replace(one, rules=other.rules) == other


@pytest.mark.parametrize(("rules", "num_players"), GAMES)
def test_what_is_written_is_read_again(rules: Rules, num_players: int) -> None:
    for seed in range(2):
        header = Header(rules, num_players, seed % num_players, "greedy")
        for ways in (random_ways(rules, num_players, seed), random_ways(rules, num_players, seed, 20), []):
            text = transcript_text(header, ways)
            found = read(text)
            assert same(found.header, header)
            assert [each.way for each in found.steps] == ways
            assert wrong_words(found) is None
            end = text.splitlines()[-1]
            if is_over(found.end):
                assert end.split()[1:] == ["finished", *(f"{each:+g}" for each in payoffs(found.end))]
            else:
                assert end == "# unfinished"


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("transcript 1", "transcript 9", "does not begin with"),
        (r"# rules \w+", "# rules 0", "was played by other rules"),
        ("# players 2", "# players 7", "its line '# players' holds '7'"),
        ("# players 2", "# players 0", "players"),
        ("# you 1", "# you 2", "its line '# you' holds 2"),
        ("# you 1\n", "", "has no line '# you"),
        (r"\n\d+ ", "\n99 ", "does not begin with a number from 0 to"),
        (r"\n\d+ ", "\nx ", "does not begin with a number from 0 to"),
        (r"# finished .*", "# unfinished", "but its moves leave it 'finished"),
        (r"# finished .*", "# finished +0 +0", "ends with 'finished"),
        (r"\n\d+ [^\n]*(?=\n# finished)", "", "but its moves leave it 'unfinished'"),
        (r"(?=\n# finished)", "\n0 more", "nothing more: the game is over"),
        ("", "# set match.characters=99\n", "does not begin"),
        (r"(?<=\n)# rules", "# set match.characters=99\n# rules", "its rules cannot be used"),
    ],
)
def test_a_damaged_transcript_says_where(old: str, new: str, told: str) -> None:
    text = transcript_text(Header(load_rules(), 2, 1, "greedy"), random_ways(load_rules(), 2, 5))
    damaged = re.sub(old, new, text, count=1)
    assert damaged != text
    with pytest.raises(TranscriptError, match=re.escape(told)):
        read(damaged)


@pytest.mark.kernels
def test_a_game_is_kept_and_reviewed(tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    words = ("play", *SMALL, "--opponent", "greedy", "--seed", "3", "--transcript", str(file))
    run(*words, typed="1\nu\n1\nq\n")
    assert file.read_text(encoding="utf-8").endswith("# unfinished\n")
    assert "Not finished." in run("review", str(file)).stdout
    # The game goes on, and its transcript with it.
    played = run("play", "--resume", str(file), typed="1\n" * 50).stdout
    assert f"raverun review {file}" in " ".join(played.split())
    text = file.read_text(encoding="utf-8")
    found = read(text)
    assert same(found.header, Header(SMALL_RULES, 2, 0, "greedy"))
    review = run("review", str(file)).stdout
    dealt = next(each.state for each in found.steps if each.state.phase == Phase.BID)
    hands = [" ".join(map(SMALL_RULES.card_name, each.hand)) for each in dealt.players]
    assert [" ".join(line.split()[2:]) for line in review.splitlines() if " dealt " in line] == hands
    assert re.findall("^You (?:win|lose).$|^A draw.$", played, flags=re.MULTILINE)[-1] in review
    report = json.loads(run("review", str(file), "--format", "json").stdout)
    # These rules have no learned values: what only they could judge is counted, and how to is said.
    own = [each for each in found.steps if decider(each.state) == 0]
    choices = sum(len(list(legal_moves(each.state))) > 1 for each in own)
    assert len(report["costs"]) + report["unjudged"] == choices
    counted = f"{report['unjudged']} of your {choices} decisions are not judged"
    assert f"{counted}: no learned values" in " ".join(review.split())
    assert "raverun train" in review
    assert " ".join(f"{each:+g}" for each in report["payoffs"]) == played.split("Payoffs: ")[1].split("\n")[0]
    told = [line for line in played.splitlines() if "; better:" in line]
    assert len(told) == min(5, sum(each["cost"] >= 0.005 for each in report["costs"]))
