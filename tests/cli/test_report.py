"""`ragers report`, on carried answers and on a stand-in's; in a browser: test_report_browser.py."""

from __future__ import annotations

import importlib.util
import json
import math
import re
import shlex
from pathlib import Path
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner

pytest.importorskip("jinja2", reason="the page needs the extra `report`")
pytest.importorskip("vl_convert", reason="the page needs the extra `report`")
pytest.importorskip("threadpoolctl", reason="the page needs the extra `report`")

from analysis import estimates
from analysis.amounts import percent
from analysis.ragers.answers import library, trust
from analysis.ragers.match.report import (
    DayReport,
    DecidedBy,
    LeadReport,
    MatchFigures,
    MatchReport,
    MatchRules,
    PlayerReport,
    PriceReport,
)
from analysis.ragers.scenarios import scenarios
from cli.ragers.main import ragers
from engine.ragers.rules import TYPES, load_rules
from tests.cli.page_reader import PageReader

CHEERS = ("prodder-stopper", "two-bashers")  # not in the order of the rules
NAMES = {card.id: card.name for card in load_rules().cheers}
IDS = {name: id_ for id_, name in NAMES.items()}
ASKED = ("--patron=Solennos", "--patron=The Nameless", *(f"--cheers={card}" for card in CHEERS))
SMALL = ("--set=match.row_length=2", "--set=match.hand_size=2", "--patron=the-nameless")


def page_of(*words: str) -> str:
    """Return the page that ``ragers report`` writes to stdout."""
    result = CliRunner().invoke(ragers, ["report", "-o", "-", "-q", *words], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return str(result.stdout)


@pytest.fixture(scope="module")
def text(no_nameless: None) -> str:
    return page_of(*ASKED)


@pytest.fixture(scope="module")
def page(text: str) -> PageReader:
    return PageReader(text)


@pytest.fixture(scope="module")
def health(no_nameless: None) -> dict[str, Any]:
    words = ["balance", "-q", "--format", "json", *ASKED]
    found = json.loads(CliRunner().invoke(ragers, words, catch_exceptions=False).stdout)["scenarios"]
    return {each["cheers"]: each for each in found}


def test_it_needs_no_network_and_nothing_beside_it(text: str, page: PageReader) -> None:
    for tag, attributes in page.attributes:
        assert tag not in ("iframe", "object", "embed", "base")
        for name in ("src", "href", "xlink:href", "action", "srcset"):
            assert attributes.get(name, "#").startswith(("#", "data:")), (tag, attributes)
    assert "@import" not in text
    assert "default-src 'none'" in text
    assert not re.search(r"url\(|fetch\(|XMLHttpRequest|import\(", text)


def test_every_link_and_label_leads_somewhere(page: PageReader) -> None:
    assert len(page.ids) == len(set(page.ids))
    for link in page.links:
        assert link[1:] in page.ids, link
    for _, attributes in page.attributes:
        for name in ("aria-labelledby", "aria-describedby", "for"):
            for target in attributes.get(name, "").split():
                assert target in page.ids, target


def test_tables_have_captions_and_headings(page: PageReader) -> None:
    for table in page.tables:
        assert table.caption.strip()
        assert {len(row) for row in table.rows} == {len(table.head)}
    heads = [attributes for tag, attributes in page.attributes if tag == "th"]
    assert all(attributes.get("scope") in ("col", "row") for attributes in heads)


def test_overview_has_the_numbers_of_balance(page: PageReader, health: dict[str, Any]) -> None:
    maps = page.data("overview-data")
    assert [name for name in maps if name.startswith("opening.")] == [f"opening.{name}" for name in TYPES]
    numbers = {f"opening.{name}": (lambda each, name=name: each["cards"][name]["opening"]) for name in TYPES}
    numbers |= {
        "draw": lambda each: each["outcome"]["draw"],
        "decisive": lambda each: each["outcome"]["win"] + each["outcome"]["loss"],
        "two_losers": lambda each: each["outcome"]["two_losers"],
    }
    for name, number in numbers.items():
        cells = maps[name]["cells"]
        assert len(cells) == len(CHEERS)
        highest = max(map(number, health.values()))
        for cheers, each in health.items():
            shown, level = cells[f"day-solennos--{cheers}-cell-base"]
            assert shown.rstrip(" †!-›×") == percent(number(each))
            assert level == pytest.approx(number(each) / highest if highest else 0, abs=1e-3)
    for cheers, each in health.items():
        cell = f"day-solennos--{cheers}-cell-base"
        assert float(maps["mean_gp"]["cells"][cell][0]) == pytest.approx(each["mean_gp"][0], abs=0.005)
        assert (
            each["nash_conv_gp"] <= float(maps["nash_conv"]["cells"][cell][0]) < each["nash_conv_gp"] + 0.001
        )


def test_the_heat_map_stands_under_its_headings(page: PageReader) -> None:
    heat = page.table("Basher opens, %")
    assert heat.head == ["patron", *map(NAMES.get, CHEERS)]
    maps = page.data("overview-data")["opening.basher"]["cells"]
    solennos = next(row for row in heat.rows if row[0] == "Solennos")
    for cheers, shown in zip(CHEERS, solennos[1:], strict=True):
        assert shown == f"{maps[f'day-solennos--{cheers}-cell-base'][0]}, Solennos / {NAMES[cheers]}"
    nameless = next(row for row in heat.rows if row[0] == "The Nameless")
    assert all("missing: The Nameless" in cell for cell in nameless[1:])


def test_rough_answers_are_marked(no_nameless: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever number is shown, and to who has the page read out, too."""
    # So that what is exact to 0.06 GP of five, and no more, is rough: one of the days is.
    monkeypatch.setattr(trust, "GRADES", (("exact", 0.012), ("rough", 0.2)))
    text = page_of(*ASKED)
    assert len(re.findall(r"GP, rough: \d+ % of what a day pays", text)) == 1
    solennos = next(row for row in PageReader(text).table("Basher opens, %").rows if row[0] == "Solennos")
    shown = dict(zip(CHEERS, solennos[1:], strict=True))
    assert [card for card in CHEERS if shown[card].startswith("~rough:")] == ["prodder-stopper"]


def test_no_answer_is_dressed_as_one(no_nameless: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trust, "GRADES", (("exact", 0.012),))
    page = PageReader(page_of(*ASKED))
    solennos = next(row for row in page.table("Basher opens, %").rows if row[0] == "Solennos")
    shown = dict(zip(CHEERS, solennos[1:], strict=True))
    assert shown["prodder-stopper"] == "~no answer yet:–, Solennos / Prodder and Stopper"
    listed = set(page.table("every-card").column("cheers card"))
    assert listed == {NAMES[each] for each in CHEERS if each != "prodder-stopper"}


def test_hands_name_the_card_they_exchange(page: PageReader) -> None:
    """A card of the hand, wherever one is exchanged at all."""
    worst = [table for table in page.tables if table.caption == "Worst hands as dealt"]
    assert len(worst) == len(CHEERS)
    named = 0
    for table in worst:
        for row in table.rows[1:]:
            shown = dict(zip(table.head, row, strict=True))
            if "mostly" in shown["exchanges, %"]:
                card = shown["exchanges, %"].split(", mostly the ")[1].lower()
                assert card.capitalize() in shown["hand"] or card in shown["hand"]
                named += 1
    assert named


def test_it_opens_with_five_sentences(text: str, page: PageReader) -> None:
    main = text[text.index("<main>") :]
    assert main.index('id="findings"') < main.index('id="overview"') < main.index('id="scenarios"')
    sentences = re.findall(r"<li>(.*?)</li>", main[: main.index('id="overview"')])
    assert len(sentences) == 5
    for sentence in sentences:
        assert sentence.endswith(".")
        assert len(sentence.split()) <= 32
        assert not re.search(r"\b(two|slasher|basher|prodder)-", sentence)
    assert "Hard to do without as a first card: " in sentences[0]
    assert "2 exact, of 2 different days" in sentences[-1]


def test_days_are_folded_up_with_four_figures_each(page: PageReader, text: str) -> None:
    sections = text.count('class="scenario"')
    assert sections == len(CHEERS)
    folded = [attributes for tag, attributes in page.attributes if tag == "details"]
    assert not any("open" in attributes for attributes in folded)
    for label in ("open with", "GP a day", "drawn", "exact to"):
        assert text.count(f'<span class="label">{label}</span>') == sections


def test_renamed_days_are_one_section_that_all_their_cells_lead_to() -> None:
    cheers = ("--cheers=two-slashers", "--cheers=two-bashers", "--cheers=two-prodders")
    text = page_of("--patron=Solennos", *cheers)
    page = PageReader(text)
    assert text.count('class="scenario"') == 1
    assert "Two Bashers and Two Prodders: the same day with the attacks renamed" in text
    assert {f"day-solennos--{name}" for name in ("two-bashers", "two-prodders", "two-slashers")} <= set(
        page.ids
    )
    cells = [each for each in page.links if each.startswith("#day-solennos")]
    assert set(cells) == {"#day-solennos--two-slashers"}
    assert len([id_ for id_ in page.ids if id_.endswith("-hands")]) == 1
    assert "of 1 different day." in text


def test_every_card_is_listed(page: PageReader, health: dict[str, Any]) -> None:
    table = page.table("every-card")
    assert len(table.rows) - 1 == len(CHEERS) * len(TYPES)
    for row in table.rows[1:]:
        shown = dict(zip(table.head, row, strict=True))
        card = health[IDS[shown["cheers card"]]]["cards"][shown["card"].lower()]
        assert shown["opens"] == percent(card["opening"])
        assert float(shown["worth"]) == pytest.approx(card["worth_gp"], abs=0.005)
        assert float(shown["placed"]) == pytest.approx(sum(card["placed"]), abs=0.005)
        assert shown["verdict"].startswith(card["verdict"])
        assert ("certain" in shown["verdict"]) == card["certain"]


def test_all_hands_are_there(page: PageReader) -> None:
    (scenario,) = scenarios(load_rules(), ["solennos"], ["two-bashers"], "redraw")
    found = library.carried().find(scenario)
    assert found is not None
    strategy = found.strategy()
    assert strategy is not None
    letters = dict(page.data("constants")["names"])
    units = page.data("constants")["units"]
    rows = page.data("day-solennos--two-bashers-base-hands")
    assert len(rows) == len(strategy.hands) == 609
    for number, (hand, actions, dealt, reach, _, mix, ev, exchange) in enumerate(rows):
        counts = strategy.hands[number].tolist()
        assert [hand.count(letters[name]) for name in TYPES] == counts
        stored = dict(zip([*letters.values(), "-"], strategy.opening_ev[0, number].tolist(), strict=True))
        assert list(actions) == [action for action, value in stored.items() if not math.isnan(value)]
        for action, share, value in zip(actions, mix, ev, strict=True):
            at = [*letters.values(), "-"].index(action)
            assert share * units["share"] == pytest.approx(strategy.opening[0, number, at], abs=5.1e-4)
            assert value * units["worth"] == pytest.approx(stored[action], abs=5.1e-4)
        assert dealt * units["dealt"] == pytest.approx(strategy.deal_probability[0, number], abs=5.1e-7)
        assert reach * units["dealt"] == pytest.approx(strategy.reach[0, number], abs=5.1e-7)
        assert sum(exchange) * units["share"] == pytest.approx(1, abs=5e-3)


def test_best_and_worst_hands_are_those_of_the_table(page: PageReader) -> None:
    units = page.data("constants")["units"]
    every = {
        scenario: sorted(row[4] for row in page.data(f"day-solennos--{scenario}-base-hands"))
        for scenario in CHEERS
    }
    for title, pick in (("Best hands as dealt", slice(None, -6, -1)), ("Worst hands as dealt", slice(5))):
        tables = [table for table in page.tables if table.caption == title]
        assert len(tables) == len(CHEERS)
        for cheers, table in zip(("two-bashers", "prodder-stopper"), reversed(tables), strict=True):
            shown = [float(worth) for worth in table.column("worth GP")]
            assert shown == pytest.approx(
                [worth * units["worth"] for worth in every[cheers][pick]], abs=0.0056
            )


def test_charts_are_as_long_as_the_numbers(text: str, health: dict[str, Any]) -> None:
    section = text[text.index('id="day-solennos--two-bashers"') :]
    chart = section[section.index("<svg") : section.index("</svg>")]
    bars = re.findall(r'd="M0,[\d.]+h([\d.]+)v[\d.]+h-?[\d.]+Z" fill="#', chart)
    shares = [health["two-bashers"]["cards"][name]["opening"] for name in TYPES]
    assert [float(length) / 260 for length in bars] == pytest.approx(shares, abs=1e-6)
    figures = text.count("<figure>")
    assert figures == 3 * len(CHEERS) == text.count('<svg aria-hidden="true"')
    words = section[section.index("<figcaption>") : section.index("</figcaption>")]
    assert f"Basher {percent(shares[0])} %" in words


def test_certificate_and_assumptions_are_told(text: str, page: PageReader) -> None:
    (scenario,) = scenarios(load_rules(), ["solennos"], ["two-bashers"], "redraw")
    found = library.carried().find(scenario)
    assert found is not None
    answer = found.entry.answer
    for fact in (
        answer.certificate,
        answer.day_sha256,
        load_rules().sha256,
        f"{answer.iterations} iterations",
    ):
        assert fact in text
    (assumed,) = [table for table in page.tables if table.caption.startswith("Assumptions in force")]
    assert assumed.column("key") == load_rules().assumed
    values = dict(assumed.rows[1:])
    basher = next(card for card in load_rules().cards if card.id == "basher")
    assert values["cards.basher.gp"] == str(basher.gp)


def test_missing_scenarios_come_with_a_command_that_works(fake_solver: Any, run: Any) -> None:
    run("solve", *SMALL, "--cheers=two-bashers", "--iterations=2", "-q")
    asked = ("--cheers=two-bashers", "--cheers=basher-deadeye", "--preparation=redraw")
    page = PageReader(run("report", "-o", "-", "-q", *SMALL, *asked).stdout)
    (row,) = page.table("Not answered: 1").rows[1:]
    assert row[:2] == ["The Nameless", "Basher and Deadeye"]
    words = shlex.split(row[2])
    assert words[0] == "ragers"
    assert run(*words[1:], "-q").exit_code == 0
    again = PageReader(run("report", "-o", "-", "-q", *SMALL, *asked).stdout)
    assert not [table for table in again.tables if table.caption.startswith("Not answered")]


def test_one_missing_game_is_to_be_solved_once(fake_solver: Any, run: Any) -> None:
    run("solve", *SMALL, "--cheers=basher-deadeye", "--iterations=2", "-q")
    page = PageReader(run("report", "-o", "-", "-q", *SMALL).stdout)
    commands = page.table("Not answered: 5").column("command")
    assert [command.startswith("ragers solve") for command in commands] == [True, False, False, True, True]
    assert commands[1] == "the same game as Two Bashers, solved with it"


def test_same_answers_same_page(text: str) -> None:
    assert page_of(*ASKED) == text


def test_solve_solves_what_is_missing_only(fake_solver: Any, run: Any, tmp_path: Path) -> None:
    run("solve", *SMALL, "--cheers=basher-deadeye", "--iterations=2", "-q")
    assert len(fake_solver.solved) == 1
    out = tmp_path / "page.html"
    asked = ("--cheers=basher-deadeye", "--cheers=two-bashers", "--cheers=two-slashers")
    result = run("report", "-o", str(out), *SMALL, *asked, "--solve", "--iterations=3")
    assert result.exit_code == 0
    assert len(fake_solver.solved) == 2  # two Slashers are two Bashers by another name
    assert "3 of 3 answered" in result.stderr
    assert run("report", "-o", str(out), *SMALL, *asked, "--solve", "--fresh", "--target=0.3").exit_code == 0
    assert len(fake_solver.solved) == 4
    assert run("report", "-o", str(out), *SMALL, "--solve", "--target=0.1", "--iterations=2").exit_code == 3
    assert run("report", "-o", str(out), *SMALL, "--solve", "--fresh", "--memory=1kB").exit_code == 4


def test_a_variant_beside(fake_solver: Any, run: Any, tmp_path: Path) -> None:
    other = tmp_path / "other.toml"
    other.write_text('name = "Other"\n[cards.basher]\ngp = 5\n', encoding="utf-8")
    asked = (*SMALL, "--cheers=two-bashers", "--cheers=basher-deadeye")
    run("solve", *asked, "--iterations=4", "-q")
    variant = run("report", "-o", "-", "-q", *asked, "--compare", str(other))
    page = PageReader(variant.stdout)  # nothing of the variant is stored
    assert page.table("Not answered: 2").column("rules") == ["variant", "variant"]
    assert f"--rules {other}" in page.table("Not answered: 2").column("command")[0]
    assert "nothing can be compared yet" in variant.stdout

    solved = run("report", "-o", "-", "-q", *asked, "--compare", str(other), "--solve", "--iterations=4")
    page = PageReader(solved.stdout)
    assert page.table("Values of the rules").rows[1:] == [["cards.basher.gp", "3", "5"]]
    effects = page.table("effects")
    assert effects.column("cheers card") == ["Two Bashers", "Basher and Deadeye"]
    assert effects.column("openings that must change") == ["none shown"] * 2
    assert len(page.data("overview-data")["draw"]["cells"]) == 4
    assert {
        attributes["data-rules"] for tag, attributes in page.attributes if "data-rules" in attributes
    } == {
        "base",
        "variant",
    }
    assert "Other" in page.title


def test_a_variant_of_carried_answers() -> None:
    """Two Slashers asked for on the card of two Bashers: the carried game with the attacks renamed."""
    change = "cheers.two-bashers.required=slasher,slasher"
    asked = ("--patron=Solennos", "--cheers=two-bashers", "--cheers=two-prodders", f"--compare-set={change}")
    page = PageReader(page_of(*asked))
    assert page.table("effects").column("value, GP") == ["0.00", "untouched"]
    (changes,) = [table for table in page.tables if table.caption.startswith("What changes")]
    rows = {row[0]: row[1:] for row in changes.rows[1:]}
    renamed = {"Basher": "Slasher", "Slasher": "Prodder", "Prodder": "Basher"}
    for name in map(str.capitalize, TYPES):
        base, variant = rows[name][0::2], rows[renamed.get(name, name)][1::2]
        assert base[:3] == [*variant[:3]], name
    assert rows["Basher"][0] != rows["Basher"][1]
    assert len([id_ for id_ in page.ids if id_.endswith("-hands")]) == 3


def test_a_day_the_variant_does_not_touch_is_shown_once(fake_solver: Any, run: Any) -> None:
    asked = (*SMALL, "--cheers=basher-deadeye")
    run("solve", *asked, "--iterations=4", "-q")
    text = run("report", "-o", "-", "-q", *asked, "--compare-set=cheers.two-bashers.gp=9").stdout
    assert PageReader(text).table("effects").column("value, GP") == ["untouched"]
    assert text.count('class="facts"') == 1
    assert "one game under both rules" in text


def test_a_seen_discard_leaves_worths_open(fake_solver: Any, run: Any) -> None:
    asked = (*SMALL, "--cheers=basher-deadeye", "--preparation=seen")
    run("solve", *asked, "--iterations=2", "-q")
    text = run("report", "-o", "-", "-q", *asked).stdout
    page = PageReader(text)
    assert set(page.table("every-card").column("worth")) == {"–"}
    assert not [table for table in page.tables if table.caption == "Best hands as dealt"]
    assert "Best and worst hands are unknown" in text
    assert text.count("<figure>") == 2


def test_names_are_escaped(fake_solver: Any, run: Any, tmp_path: Path) -> None:
    rules = tmp_path / "odd.toml"
    rules.write_text('name = "<b>&"\n[patrons.the-nameless]\nname = "</script><i>"\n', encoding="utf-8")
    asked = ("--rules", str(rules), *SMALL, "--cheers=basher-deadeye")
    run("solve", *asked, "--iterations=2", "-q")
    text = run("report", "-o", "-", "-q", *asked).stdout
    assert "<b>" not in text
    assert "<i>" not in text
    assert PageReader(text).title.startswith("<b>&")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--time-limit=5m",), "add --solve"),
        (("--fresh",), "add --solve"),
        (("--compare-set=cards.basher.gp=3",), "same rules"),
        (("--compare-set=cards.basher.gp=x",), "[cards.basher] gp"),
        (("--patron=Nobody",), "Nobody"),
        (("-o", "missing/page.html"), "no folder"),
    ],
)
def test_wrong_usage(run: Any, words: tuple[str, ...], told: str) -> None:
    result = run("report", "-o", "-", *words)
    assert result.exit_code == 2
    assert told in result.stderr


def a_match() -> MatchReport:
    """Of 400 matches; nothing is known of most figures."""
    none, half = estimates.NOTHING_KNOWN, estimates.share(200, 400)
    given = [estimates.around(0.01 * number, 0.02, 400) for number in range(len(TYPES))]
    cards = [PriceReport(name, none, none, worth) for name, worth in zip(TYPES, given, strict=True)]
    leads = [LeadReport(lead, estimates.share(200 + 10 * lead, 400)) for lead in range(6)]
    days = [DayReport(1, 400, none, none, [], cards), DayReport(2, 380, half, half, leads, cards)]
    figures = MatchFigures(
        MatchRules("Ragers", "0" * 64, []),
        PlayerReport("values", "by learned <values>", 1, 0),
        400,
        half,
        none,
        [half, half],
        DecidedBy(half, none, none, none, none),
        none,
        days,
    )
    return MatchReport([figures])


def test_whole_matches_are_on_the_page(tmp_path: Path, run: Any) -> None:
    file = tmp_path / "match.json"
    file.write_bytes(msgspec.json.encode(a_match()))
    text = page_of("--patron=Solennos", "--cheers=two-bashers", "--match", str(file))
    page = PageReader(text)
    assert "Chance of winning the match by lead" in text
    assert "A card given before day 2" in text
    assert "after day 1, 5 ahead 62 %" in text
    assert "by learned &lt;values&gt;" in text
    assert "match" in page.ids
    file.write_text("{}", encoding="utf-8")
    refused = run("report", "-o", "-", "--match", str(file))
    assert refused.exit_code == 2
    assert "no answer of ragers study" in refused.stderr


def test_an_output_is_needed(run: Any) -> None:
    assert run("report").exit_code == 2


def test_nothing_stored(run: Any) -> None:
    result = run("report", "-o", "-", "--set=cards.basher.gp=7")
    assert result.exit_code == 1
    assert "ragers solve --patron" in result.stderr
    assert "--set cards.basher.gp=7" in result.stderr


def test_the_extra_is_missing(run: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    real = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name, *rest: None if name == "jinja2" else real(name, *rest)
    )
    result = run("report", "-o", str(tmp_path / "page.html"))
    assert result.exit_code == 1
    assert "pip install 'arena-solver[report]'" in result.stderr
    assert "jinja2" in result.stderr
    assert not (tmp_path / "page.html").exists()


def test_thirty_scenarios_of_full_hands_stay_small(fake_solver: Any, run: Any, tmp_path: Path) -> None:
    out = tmp_path / "page.html"
    asked = ("--patron=arianna", "--cheers=two-bashers", "--cheers=two-slashers", "--cheers=two-prodders")
    assert run("report", "-o", str(out), "--solve", "--iterations=2", "-q", *asked).exit_code == 0
    page = PageReader(out.read_text(encoding="utf-8"))
    assert len(page.data("day-arianna--two-bashers-base-hands")) == 609
    # Three days are one section here; of thirty days, twenty are. What is there once is counted as often.
    assert 20 * out.stat().st_size < 5_000_000
