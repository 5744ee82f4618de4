"""Rules as data: the box, files and overrides laid over it, and every way they can be wrong."""

import unicodedata
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.ragers.rules import (
    ATTACKS,
    CHANCER,
    CHEATER,
    DEADEYE,
    NUM_TYPES,
    STOPPER,
    TYPES,
    VETERAN,
    Rules,
    RulesError,
    UnknownNameError,
    diff_rules,
    load_rules,
    to_toml,
)
from engine.rulefiles import close_matches, toml_value

BOX = load_rules()
BOX_SHA256 = "2b06e816666a8c0528b07762fda2d939222ebf6acd87b98ca4e46d439f4f4d6a"


def load_text(folder: Path, *texts: str, overrides: tuple[str, ...] = ()) -> Rules:
    """Load files of these contents, laid over one another."""
    files = []
    for number, text in enumerate(texts):
        files.append(folder / f"variant{number}.toml")
        files[-1].write_text(text, encoding="utf-8")
    return load_rules(files, overrides)


# ---- The box ----------------------------------------------------------------------------------------------


def test_type_ids_name_the_types() -> None:
    assert NUM_TYPES == len(TYPES) == 8
    assert [TYPES[attack] for attack in ATTACKS] == ["basher", "slasher", "prodder"]
    specials = [TYPES[special] for special in (CHANCER, CHEATER, DEADEYE, STOPPER, VETERAN)]
    assert specials == ["chancer", "cheater", "deadeye", "stopper", "veteran"]
    assert tuple(card.id for card in BOX.cards) == TYPES


def test_C1_two_equal_decks_of_22() -> None:
    assert [card.copies for card in BOX.cards] == [(4, 4)] * 3 + [(2, 2)] * 5
    assert sum(card.copies[0] for card in BOX.cards) == 22


def test_C2_each_attack_beats_one_other() -> None:
    beats = {card.id: card.beats for card in BOX.cards if card.beats}
    assert beats == {"basher": ("slasher",), "slasher": ("prodder",), "prodder": ("basher",)}
    assert [card.kind for card in BOX.cards] == ["attack"] * 3 + ["special"] * 5


def test_C3_glory_points_and_which_are_assumed() -> None:
    assert [card.gp for card in BOX.cards] == [3, 3, 3, 0, 1, 1, 1, 1]
    stated = [card.id for card in BOX.cards if BOX.provenance[f"cards.{card.id}.gp"] == "rulebook"]
    assert stated == ["prodder", "chancer"]


def test_C4_patrons() -> None:
    assert [(patron.id, patron.row_length, patron.forbidden) for patron in BOX.patrons] == [
        ("gharan-zul", None, ("deadeye",)),
        ("greybeard", None, ("cheater",)),
        ("solennos", None, ("veteran",)),
        ("arianna", 4, ()),
        ("the-nameless", None, ()),
    ]
    assert [BOX.row_length(patron) for patron in BOX.patrons] == [5, 5, 5, 4, 5]


def test_C5_cheers_cards_and_which_are_assumed() -> None:
    assert [(card.id, card.required, card.forbidden, card.gp) for card in BOX.cheers] == [
        ("two-bashers", ("basher", "basher"), (), 2),
        ("two-slashers", ("slasher", "slasher"), (), 2),
        ("two-prodders", ("prodder", "prodder"), (), 2),
        ("basher-deadeye", ("basher", "deadeye"), ("veteran",), 3),
        ("slasher-veteran", ("slasher", "veteran"), ("cheater",), 3),
        ("prodder-stopper", ("prodder", "stopper"), ("deadeye",), 3),
    ]
    assumed = {key.split(".")[1] for key in BOX.assumed if key.startswith("cheers.")}
    assert assumed == {"two-bashers", "two-slashers", "slasher-veteran", "prodder-stopper"}
    assert BOX.provenance["cheers.two-bashers.required"] == "rulebook"
    assert BOX.provenance["cheers.two-bashers.gp"] == "assumed"


def test_M1_M2_M3_match_numbers_are_the_rulebooks() -> None:
    match = BOX.match
    assert (match.days, match.hand_size, match.discards, match.row_length, match.winning_lead) == (
        3,
        5,
        1,
        5,
        10,
    )
    assert not [key for key in BOX.assumed if key.startswith("match.")]


def test_every_value_in_the_box_states_its_provenance() -> None:
    # A table of the box that says nothing would fail to load; nothing in it may be called changed.
    assert set(BOX.provenance.values()) == {"rulebook", "assumed"}
    assert len(BOX.provenance) == 6 + 8 * 5 + 5 * 2 + 6 * 3
    assert BOX.changed == []


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


def test_copies_may_differ_between_the_decks(tmp_path: Path) -> None:
    rules = load_text(tmp_path, "[cards.basher]\ncopies = { defenders = 7 }\n[cards.slasher]\ncopies = 9\n")
    assert (rules.cards[0].copies, rules.cards[1].copies) == ((4, 7), (9, 9))
    expected = [
        "cards.basher.copies.defenders",
        "cards.slasher.copies.accusers",
        "cards.slasher.copies.defenders",
    ]
    assert rules.changed == expected
    assert [row[0] for row in diff_rules(BOX, rules)] == [
        "cards.basher.copies.defenders",
        "cards.slasher.copies",
    ]


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


def test_a_new_cheers_card_by_overrides_alone() -> None:
    rules = load_rules(overrides=["cheers.x.name=X", "cheers.x.required=basher,basher", "cheers.x.gp=4"])
    assert rules.cheers_card("x").required == ("basher", "basher")


def test_K4_a_patron_may_forbid_everything_and_M4_a_deck_may_be_smaller_than_a_hand() -> None:
    rules = load_rules(overrides=[f"patrons.arianna.forbidden={','.join(TYPES)}"])
    assert rules.patron("Arianna").forbidden == TYPES
    small = load_rules(overrides=[f"cards.{card}.copies=0" for card in TYPES[1:]] + ["cards.basher.copies=1"])
    assert sum(card.copies[0] for card in small.cards) < small.match.hand_size


def test_the_name_falls_back_to_the_files_name(tmp_path: Path) -> None:
    file = tmp_path / "my\tvariant.toml"
    file.write_text("[match]\ndays = 2\n", encoding="utf-8")
    assert load_rules([file]).name == "my?variant"


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


def test_one_word_is_about_the_keys_in_its_table_only(tmp_path: Path) -> None:
    rules = load_text(tmp_path, '[cheers.two-slashers]\ngp = 2\nprovenance = "rulebook"\n')
    assert set(BOX.assumed) - set(rules.assumed) == {"cheers.two-slashers.gp"}


def test_a_changed_value_is_changed_whatever_its_file_says(tmp_path: Path) -> None:
    rules = load_text(tmp_path, '[cards.prodder]\ngp = 4\nprovenance = "rulebook"\n')
    assert rules.changed == ["cards.prodder.gp"]


# ---- Hash, comparison, look-up ----------------------------------------------------------------------------


def test_the_hash_of_the_box_is_frozen() -> None:
    # Reports name rules by it: if this fails, a value in the box or the canonical form has changed.
    assert BOX.sha256 == BOX_SHA256


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


@pytest.mark.parametrize(
    "override",
    [
        *(f"cards.{card}.gp=7" for card in TYPES),
        *(f"cards.{card}.copies.{player}=7" for card in TYPES for player in ("accusers", "defenders")),
        "cards.basher.beats=",
        *(
            f"match.{key}"
            for key in ("days=2", "hand_size=4", "discards=0", "row_length=6", "winning_lead=9")
        ),
        "patrons.arianna.row_length=5",
        "patrons.arianna.forbidden=stopper",
        "cheers.two-bashers.gp=3",
        "cheers.two-bashers.required=basher",
        "cheers.two-bashers.forbidden=stopper",
    ],
)
def test_the_hash_depends_on_every_value(override: str) -> None:
    assert load_rules(overrides=[override]).sha256 != BOX_SHA256


def test_rules_are_hashable_and_comparable() -> None:
    again = load_rules()
    assert again is not BOX
    assert again == BOX
    assert {again: "found"}[BOX] == "found"
    assert diff_rules(BOX, again) == []


@pytest.mark.parametrize("query", ["the-nameless", "The Nameless", "THE NAMELESS", " the_nameless "])
def test_names_are_found_whatever_the_case(query: str) -> None:
    assert BOX.patron(query).id == "the-nameless"


def test_cheers_cards_are_found_by_id_and_name() -> None:
    assert BOX.cheers_card("Two-Bashers") == BOX.cheers_card("two bashers") == BOX.cheers[0]
    assert BOX.cheers_card("Basher and Deadeye").id == "basher-deadeye"


def test_unknown_names_suggest_close_ones() -> None:
    with pytest.raises(UnknownNameError, match=r"did you mean arianna.*the-nameless") as caught:
        BOX.patron("Ariana")
    assert caught.value.matches == ("arianna",)
    with pytest.raises(UnknownNameError, match="no cheers card is called 'zzz'; there are: two-bashers"):
        BOX.cheers_card("zzz")


# ---- Round trips ------------------------------------------------------------------------------------------

icon_lists = st.lists(st.sampled_from(TYPES), unique=True)


@st.composite
def sound_overrides(draw: st.DrawFn) -> list[str]:
    """Overrides that are sound together, over any part of the rules."""
    sets = []
    for card in draw(icon_lists):
        sets.append(f"cards.{card}.gp={draw(st.integers(0, 20))}")
        if card != "basher":  # so that no deck is empty, or holds more than 60
            accusers, defenders = draw(st.integers(0, 7)), draw(st.integers(0, 7))
            sets.append(f"cards.{card}.copies={{accusers={accusers}, defenders={defenders}}}")
    if draw(st.booleans()):
        sets += ["cards.basher.beats=slasher,prodder", "cards.prodder.beats="]
    for key, low, high in (("days", 1, 5), ("hand_size", 2, 7), ("discards", 0, 1), ("row_length", 2, 7)):
        if draw(st.booleans()):
            sets.append(f"match.{key}={draw(st.integers(low, high))}")
    for patron in draw(st.lists(st.sampled_from(["arianna", "solennos", "new-1"]), unique=True)):
        name = toml_value(patron + ' "é\\')
        sets.append(f"patrons.{patron}.name={name}")
        sets.append(f"patrons.{patron}.forbidden={toml_value(draw(icon_lists))}")
        sets.append(f"patrons.{patron}.row_length={draw(st.sampled_from(['match', '2', '7']))}")
    forbidden = draw(icon_lists)
    required = [icon for icon in TYPES if icon not in forbidden][:4]
    if draw(st.booleans()) and required:
        sets += ["cheers.c.gp=1", "cheers.c.name=C", f"cheers.c.required={toml_value(required)}"]
        sets.append(f"cheers.c.forbidden={toml_value(forbidden)}")
    if draw(st.booleans()):
        sets.append("cards.stopper.provenance.gp=rulebook")
    return sets


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(sound_overrides())
def test_writing_and_reading_gives_the_same_rules(tmp_path: Path, sets: list[str]) -> None:
    rules = load_rules(overrides=sets)
    again = load_text(tmp_path, to_toml(rules))
    assert again == rules
    assert again.sha256 == rules.sha256
    differing = [key for key, before, after in diff_rules(BOX, rules) if before != after]
    assert len(differing) == len(diff_rules(BOX, rules))
    values = [key for key in differing if not key.endswith(".name")]
    assert all(any(changed.startswith(key) for key in values) for changed in rules.changed)
    assert all(any(changed.startswith(key) for changed in rules.changed) for key in values)
    assert (rules.sha256 == BOX.sha256) == (not values)


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(st.characters(codec="utf-8"), min_size=1, max_size=12))
def test_any_text_on_one_line_survives_toml(tmp_path: Path, text: str) -> None:
    override = f"name={toml_value(text)}"
    if text != text.strip() or any(
        unicodedata.category(character) in ("Cc", "Zl", "Zp") for character in text
    ):
        with pytest.raises(RulesError, match="on one line"):
            load_rules(overrides=[override])
    else:
        rules = load_rules(overrides=[override])
        assert rules.name == load_text(tmp_path, to_toml(rules)).name == text


@settings(max_examples=100, deadline=None)
@given(st.lists(st.text(max_size=15), min_size=2, max_size=3).map(".".join), st.text(max_size=15))
def test_nonsense_overrides_are_refused_not_crashed_on(key: str, value: str) -> None:
    with pytest.raises(RulesError, match=r"^--set:"):
        load_rules(overrides=[f"{key}={value}"])


def test_close_matches_ignore_case() -> None:
    assert close_matches("BASHR", TYPES)[0] == "basher"


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("Ari", "arianna"),
        ("nameless", "the-nameless"),
        ("The Nameless", "the-nameless"),
        ("name", "the-nameless"),
        ("SOL", "solennos"),
        ("gharan", "gharan-zul"),
    ],
)
def test_names_may_be_shortened(query: str, found: str) -> None:
    assert load_rules().patron(query).id == found


def test_a_name_in_full_is_no_beginning_of_another() -> None:
    new = ["patrons.ari.name=Ari", "patrons.ari.forbidden=[]"]
    assert load_rules(overrides=new).patron("ari").id == "ari"


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("two-", "may be two-bashers or two-slashers or two-prodders"),
        ("t", "may be two-bashers or "),
        ("", "no cheers card is called ''"),
        ("-", "no cheers card"),
        ("xyz", "no cheers card is called 'xyz'"),
    ],
)
def test_a_beginning_of_several_names_lists_them(query: str, message: str) -> None:
    with pytest.raises(UnknownNameError, match=message):
        load_rules().cheers_card(query)
