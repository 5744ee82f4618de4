"""Rules as data: the box, files and overrides laid over it, and every way they can be wrong."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.ragers.rules import (
    TYPES,
    Rules,
    RulesError,
    UnknownNameError,
    diff_rules,
    load_rules,
)

BOX = load_rules()
BOX_SHA256 = "2b06e816666a8c0528b07762fda2d939222ebf6acd87b98ca4e46d439f4f4d6a"


def load_text(folder: Path, *texts: str, overrides: tuple[str, ...] = ()) -> Rules:
    """Load files of these contents, laid over one another."""
    files = []
    for number, text in enumerate(texts):
        files.append(folder / f"variant{number}.toml")
        files[-1].write_text(text, encoding="utf-8")
    return load_rules(files, overrides)


# ---- Layers -----------------------------------------------------------------------------------------------


def test_a_file_needs_to_hold_only_what_differs(tmp_path: Path) -> None:
    rules = load_text(tmp_path, 'name = "Strong"\n[cards.basher]\ngp = 4\n')
    assert rules.name == "Strong"
    assert diff_rules(BOX, rules) == [("cards.basher.gp", 3, 4)]
    assert rules.changed == ["cards.basher.gp"]
    assert rules.assumed == [key for key in BOX.assumed if key != "cards.basher.gp"]


def test_later_files_win_and_overrides_win_over_files(tmp_path: Path) -> None:
    texts = ("[cards.basher]\ngp = 4\ncopies = 1\n", "[cards.basher]\ngp = 5\n[match]\ndays = 2\n")
    rules = load_text(tmp_path, *texts, overrides=("match.days=1",))
    assert (rules.cards[0].gp, rules.cards[0].copies, rules.match.days) == (5, (1, 1), 1)


@pytest.mark.parametrize(
    ("override", "key", "value"),
    [
        ("cards.basher.gp=4", "cards.basher.gp", 4),
        ("cards.basher.copies.accusers=3", "cards.basher.copies.accusers", 3),
        ("cards.basher.copies = 0", "cards.basher.copies", 0),
        ("cards.basher.copies={accusers = 4, defenders=7}", "cards.basher.copies.defenders", 7),
        ("patrons.arianna.row_length=3", "patrons.arianna.row_length", 3),
        ("patrons.arianna.row_length=match", "patrons.arianna.row_length", "match"),
        ("cheers.two-bashers.gp=5", "cheers.two-bashers.gp", 5),
        (
            'patrons.solennos.forbidden=["veteran","cheater"]',
            "patrons.solennos.forbidden",
            ("cheater", "veteran"),
        ),
        ("patrons.solennos.forbidden=veteran, cheater", "patrons.solennos.forbidden", ("cheater", "veteran")),
        ("patrons.solennos.forbidden=[cheater]", "patrons.solennos.forbidden", ("cheater",)),
        ("patrons.solennos.forbidden=", "patrons.solennos.forbidden", ()),
        ("cards.basher.beats=", "cards.basher.beats", ()),
        ("patrons.arianna.name=Queen Arianna", "patrons.arianna.name", "Queen Arianna"),
        ("match.winning_lead=12", "match.winning_lead", 12),
    ],
)
def test_overrides(override: str, key: str, value: object) -> None:
    rules = load_rules(overrides=[override])
    assert [(row[0], row[2]) for row in diff_rules(BOX, rules)] == [(key, value)]
    assert rules.name == f"Ragers with {override}"


def test_new_patrons_and_cheers_cards_from_a_file(tmp_path: Path) -> None:
    rules = load_text(
        tmp_path,
        '[patrons.odd-one]\nname = "Odd One"\nforbidden = ["stopper", "basher"]\n'
        '[cheers.veterans]\nname = "Three Veterans"\nrequired = ["veteran", "basher", "veteran"]\ngp = 9\n',
    )
    odd, veterans = rules.patron("odd one"), rules.cheers_card("veterans")
    assert (odd.row_length, odd.forbidden) == (None, ("basher", "stopper"))
    assert (veterans.required, veterans.forbidden, veterans.gp) == (("basher", "veteran", "veteran"), (), 9)
    assert rules.provenance["cheers.veterans.forbidden"] == "changed"
    assert rules.patrons[:5] == BOX.patrons
    assert rules.cheers[:6] == BOX.cheers
    assert diff_rules(rules, BOX)[0] == ("patrons.odd-one.name", "Odd One", None)


def test_K4_a_patron_may_forbid_everything_and_M4_a_deck_may_be_smaller_than_a_hand() -> None:
    rules = load_rules(overrides=[f"patrons.arianna.forbidden={','.join(TYPES)}"])
    assert rules.patron("Arianna").forbidden == TYPES
    small = load_rules(overrides=[f"cards.{card}.copies=0" for card in TYPES[1:]] + ["cards.basher.copies=1"])
    assert sum(card.copies[0] for card in small.cards) < small.match.hand_size


# ---- Provenance -------------------------------------------------------------------------------------------


def test_a_value_stated_again_keeps_its_provenance(tmp_path: Path) -> None:
    assert load_text(tmp_path, "[cards.basher]\ngp = 3\n").provenance == BOX.provenance
    assert load_rules(overrides=["cards.basher.gp=4", "cards.basher.gp=3"]).provenance == BOX.provenance


def test_a_designer_may_confirm_an_assumed_value(tmp_path: Path) -> None:
    by_key = load_text(tmp_path, '[cards.basher]\nprovenance = { gp = "rulebook" }\n')
    assert set(BOX.assumed) - set(by_key.assumed) == {"cards.basher.gp"}
    by_table = load_text(tmp_path, '[cards.basher]\ngp = 3\nprovenance = "rulebook"\n')
    assert by_table.provenance == by_key.provenance
    assert by_table.sha256 == BOX_SHA256


# ---- Hash, comparison, look-up ----------------------------------------------------------------------------


def test_the_hash_depends_on_values_only(tmp_path: Path) -> None:
    renamed = load_rules(overrides=["name=Other", "patrons.arianna.name=Ann", "cheers.two-bashers.name=BB"])
    assert renamed.sha256 == BOX_SHA256
    explicit = load_rules(overrides=["patrons.solennos.row_length=5"])
    assert explicit != BOX
    assert explicit.sha256 == BOX_SHA256
    first = 'name = "A"\nforbidden = []\n'
    one = load_text(tmp_path, f"[patrons.aa]\n{first}[patrons.bb]\n{first.replace('A', 'B')}")
    other = load_text(tmp_path, f"[patrons.bb]\n{first.replace('A', 'B')}[patrons.aa]\n{first}")
    assert [patron.id for patron in one.patrons] != [patron.id for patron in other.patrons]
    assert one.sha256 == other.sha256 != BOX_SHA256


@pytest.mark.parametrize("query", ["the-nameless", "The Nameless", "THE NAMELESS", " the_nameless "])
def test_names_are_found_whatever_the_case(query: str) -> None:
    assert BOX.patron(query).id == "the-nameless"


def test_unknown_names_suggest_close_ones() -> None:
    with pytest.raises(UnknownNameError, match=r"did you mean arianna.*the-nameless") as caught:
        BOX.patron("Ariana")
    assert caught.value.matches == ("arianna",)
    with pytest.raises(UnknownNameError, match="no cheers card is called 'zzz'; there are: two-bashers"):
        BOX.cheers_card("zzz")


# ---- Round trips ------------------------------------------------------------------------------------------


@settings(max_examples=40, deadline=None)
@given(st.lists(st.text(max_size=15), min_size=2, max_size=3).map(".".join), st.text(max_size=15))
def test_nonsense_overrides_are_refused_not_crashed_on(key: str, value: str) -> None:
    with pytest.raises(RulesError, match=r"^--set:"):
        load_rules(overrides=[f"{key}={value}"])


# ---- Files that are wrong ----------------------------------------------------------------------------------


def test_a_contradiction_names_the_files_that_make_it(tmp_path: Path) -> None:
    text = '[cards.slasher]\nbeats = ["basher"]\n'
    with pytest.raises(RulesError, match=r"variant0.toml and --set: \[cards.slasher\] beats = "):
        load_text(tmp_path, text, overrides=("cards.basher.beats=slasher",))
    assert load_text(tmp_path, text, overrides=("cards.basher.beats=",)).cards[1].beats == ("basher",)


def test_broken_toml_names_the_line(tmp_path: Path) -> None:
    with pytest.raises(RulesError, match=r"variant0.toml: not valid TOML: .*line 2"):
        load_text(tmp_path, "[cards.basher]\ngp = = 3\n")


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(RulesError, match=r"absent.toml: cannot be read: No such file"):
        load_rules([tmp_path / "absent.toml"])
    with pytest.raises(RulesError, match="cannot be read"):
        load_rules([tmp_path])
    (tmp_path / "latin.toml").write_bytes(b'name = "Z\xfcrich"\n')
    with pytest.raises(RulesError, match=r"latin.toml: not a UTF-8 text: .* at byte 9"):
        load_rules([tmp_path / "latin.toml"])


def test_absurd_files_are_refused_not_crashed_on(tmp_path: Path) -> None:
    for text in ("a = " + "[" * 100_000, "a = " + "9" * 10_000):
        with pytest.raises(RulesError):
            load_text(tmp_path, text)
