"""Every way in which rules files and overrides can be wrong, each named with its place."""

from pathlib import Path

import pytest

from engine.ragers import rules as rules_module
from engine.ragers.rules import TYPES, RulesError, load_rules
from tests.engine.ragers.test_rules import load_text

MISTAKES = [
    # file text, then what the message must name: table, key and value, reason, what is allowed
    ("[cards.basher]\ngp = -1", "[cards.basher] gp = -1: out of range; allowed: a whole number from 0 to 20"),
    ("[cards.basher]\ngp = 21", "[cards.basher] gp = 21: out of range"),
    (
        "[cards.basher]\ngp = 3.0",
        "[cards.basher] gp = 3.0: not allowed here; allowed: a whole number from 0 to 20",
    ),
    ("[cards.basher]\ngp = inf", "[cards.basher] gp = inf: not allowed here"),
    ("[cards.basher]\ngp = true", "[cards.basher] gp = true: not allowed here"),
    ('[cards.basher]\ngp = "3"', '[cards.basher] gp = "3": not allowed here'),
    ("[cards.basher]\ngp = 1979-05-27", "[cards.basher] gp = 1979-05-27: not allowed here"),
    ("[cards.basher]\ngp = 99999999999999999999999", "gp = 99999999999999999999999: out of range"),
    (
        "[cards.basher]\ncopies = -1",
        "[cards.basher] copies = -1: out of range; allowed: a whole number from 0 to 9",
    ),
    ("[cards.basher]\ncopies = 10", "[cards.basher] copies = 10: out of range"),
    ("[cards.basher]\ncopies = {}", "[cards.basher] copies = {  }: must not be empty"),
    ("[cards.basher]\ncopies = { accusers = 10 }", "[cards.basher] copies.accusers = 10: out of range"),
    (
        "[cards.basher]\ncopies = { acusers = 3 }",
        "[cards.basher] copies.acusers = 3: there is no such player; did you mean accusers?; "
        "allowed: accusers, defenders",
    ),
    (
        "[cards.basher]\ngpp = 3",
        "[cards.basher] gpp = 3: there is no such key; did you mean gp?; allowed: kind, beats",
    ),
    ("[cards.bashr]\ngp = 3", "[cards.bashr]: there is no such card type; did you mean basher"),
    ("[cards]\nbasher = 3", "[cards] basher = 3: must be a table; allowed: [cards.basher] with any of kind"),
    (
        '[cards.basher]\nkind = "weapon"',
        '[cards.basher] kind = "weapon": not allowed here; allowed: "attack" or',
    ),
    (
        '[cards.basher]\nkind = "special"',
        '[cards.basher] kind = "special": what a card does is part of the program',
    ),
    (
        '[cards.basher]\nbeats = ["bsher"]',
        '[cards.basher] beats = ["bsher"]: "bsher": there is no such card type; did',
    ),
    (
        '[cards.basher]\nbeats = ["veteran"]',
        '[cards.basher] beats = ["veteran"]: not allowed here; allowed: a list of',
    ),
    ('[cards.basher]\nbeats = "slasher"', '[cards.basher] beats = "slasher": must be a list'),
    ("[cards.basher]\nbeats = [1]", "[cards.basher] beats = [1]: 1 is no card type"),
    ('[cards.basher]\nbeats = ["basher"]', '[cards.basher] beats = ["basher"]: a card does not beat itself'),
    (
        '[cards.basher]\nbeats = ["slasher", "slasher"]',
        "slasher stands here 2 times; allowed: each type once",
    ),
    (
        '[cards.basher]\nbeats = ["prodder"]',
        '[cards.basher] beats = ["prodder"]: but [cards.prodder] beats basher too',
    ),
    (
        '[cards.cheater]\nbeats = ["basher"]',
        '[cards.cheater] beats = ["basher"]: only an attack beats others',
    ),
    ("[match]\ndays = 0", "[match] days = 0: out of range; allowed: a whole number from 1 to 5"),
    ("[match]\nhand_size = 8", "[match] hand_size = 8: out of range; allowed: a whole number from 2 to 7"),
    ("[match]\ndiscards = 2", "[match] discards = 2: out of range; allowed: a whole number from 0 to 1"),
    ("[match]\nrow_length = 1", "[match] row_length = 1: out of range; allowed: a whole number from 2 to 7"),
    (
        "[match]\nwinning_lead = 0",
        "[match] winning_lead = 0: out of range; allowed: a whole number from 1 to 999",
    ),
    ("match = 3", "match = 3: must be a table; allowed: [match] with keys beneath it"),
    (
        "[patrons.arianna]\nrow_length = 8",
        "[patrons.arianna] row_length = 8: out of range; allowed: a whole number from",
    ),
    ('[patrons.arianna]\nrow_length = "long"', '[patrons.arianna] row_length = "long": not allowed here'),
    (
        '[patrons.arianna]\nforbidden = ["vetran"]',
        '"vetran": there is no such card type; did you mean veteran?',
    ),
    (
        '[patrons.arianna]\nforbidden = ["basher", "basher"]',
        "basher stands here 2 times; allowed: each type once",
    ),
    (
        '[patrons.arianna]\nname = ""',
        '[patrons.arianna] name = "": not allowed here; allowed: a text of 1 to 40',
    ),
    ('[patrons.arianna]\nname = "a\\nb"', '[patrons.arianna] name = "a\\nb": not allowed here'),
    (
        "[patrons.ariana]\nrow_length = 3",
        "[patrons.ariana] name: is missing, and a new patron needs it, as well as forbidden; or did",
    ),
    ('[patrons.x]\nname = "Arianna"\nforbidden = []', "[patrons.arianna] answers to this name already"),
    (
        '[patrons.x]\nname = "the-nameless"\nforbidden = []',
        "[patrons.the-nameless] answers to this name already",
    ),
    (
        "[patrons.Odd_One]\nforbidden = []",
        "[patrons.Odd_One]: not the id of a patron; allowed: small letters, digits and",
    ),
    ('[cheers.""]\ngp = 3', '[cheers.""]: not the id of a cheers card'),
    ('[cheers.x]\nname = "X"\ngp = 3', "[cheers.x] required: is missing, and a new cheers card needs it"),
    (
        "[cheers.two-bashers]\nrequired = []",
        "[cheers.two-bashers] required = []: must not be empty; allowed: 1 to 4 of",
    ),
    (
        '[cheers.two-bashers]\nrequired = ["basher", "basher", "basher", "basher"]',
        "basher stands here 4 times; allowed: each type at most 3 times",
    ),
    (
        '[cheers.two-bashers]\nforbidden = ["basher"]',
        '[cheers.two-bashers] forbidden = ["basher"]: basher required as well, so nobody could',
    ),
    (
        "cheer = 3",
        "cheer: there is no such key; did you mean cheers?; allowed: name, match, cards, patrons, cheers",
    ),
    ("[card.basher]\ngp = 3", "card: there is no such table; did you mean cards?"),
    ('"a b" = 3', '"a b": there is no such key'),
    ("name = 3", "name = 3: not allowed here; allowed: a text of 1 to 200 characters"),
    (
        '[cards.basher]\nprovenance = "guessed"',
        'provenance = "guessed": not a provenance; allowed: "rulebook", "public", "assumed"',
    ),
    (
        '[cards.basher]\nprovenance = { gpp = "rulebook" }',
        'provenance.gpp = "rulebook": there is no such key; did you',
    ),
    (
        "\n".join(f"[cards.{card}]\ncopies = 9" for card in TYPES),
        "the deck of the Accusers has 72 cards; allowed: 1 to 60",
    ),
    (
        "\n".join(f"[cards.{card}]\ncopies = {{ defenders = 0 }}" for card in TYPES),
        "the deck of the Defenders has 0 cards",
    ),
    (
        "\n".join(f'[patrons.p{n}]\nname = "P{n}"\nforbidden = []' for n in range(12)),
        "[patrons]: too many: 17; allowed: at most 16 patrons",
    ),
]


@pytest.mark.parametrize(("text", "message"), MISTAKES)
def test_mistakes_are_named(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(RulesError) as caught:
        load_text(tmp_path, text)
    lines = [line for line in str(caught.value).splitlines() if message in line]
    assert lines, str(caught.value)
    assert lines[0].startswith(f"{tmp_path / 'variant0.toml'}:")
    assert "; allowed: " in lines[0]


def test_all_mistakes_are_named_at_once(tmp_path: Path) -> None:
    with pytest.raises(RulesError) as caught:
        load_text(
            tmp_path, "[cards.basher]\ngp = 40\ncopies = -1\n[match]\ndays = 9\n", overrides=("match.days=0",)
        )
    named = [(Path(problem.file).name, problem.table, problem.key) for problem in caught.value.problems]
    assert named == [
        ("variant0.toml", "cards.basher", "gp"),
        ("variant0.toml", "cards.basher", "copies"),
        ("variant0.toml", "match", "days"),
        ("--set", "match", "days"),
    ]


def test_days_need_a_patron_and_a_cheers_card_each(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    box = tmp_path / "box.toml"
    text = rules_module._BOX_FILE.read_text(encoding="utf-8")
    box.write_text(text[: text.index("[cheers.basher-deadeye]")], encoding="utf-8")
    monkeypatch.setattr(rules_module, "_BOX_FILE", box)
    assert len(load_rules().cheers) == 3
    with pytest.raises(RulesError, match=r"--set: \[match\] days = 4: each day takes .*; allowed: at most 3"):
        load_rules(overrides=["match.days=4"])


def test_a_contradiction_names_the_files_that_make_it(tmp_path: Path) -> None:
    text = '[cards.slasher]\nbeats = ["basher"]\n'
    with pytest.raises(RulesError, match=r"variant0.toml and --set: \[cards.slasher\] beats = "):
        load_text(tmp_path, text, overrides=("cards.basher.beats=slasher",))
    assert load_text(tmp_path, text, overrides=("cards.basher.beats=",)).cards[1].beats == ("basher",)


def test_broken_toml_names_the_line(tmp_path: Path) -> None:
    with pytest.raises(RulesError, match=r"variant0.toml: not valid TOML: .*line 2"):
        load_text(tmp_path, "[cards.basher]\ngp = = 3\n")


def test_keys_given_twice_are_refused(tmp_path: Path) -> None:
    with pytest.raises(RulesError, match=r"not valid TOML: .*overwrite.*line 3"):
        load_text(tmp_path, "[cards.basher]\ngp = 3\ngp = 4\n")


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(RulesError, match=r"absent.toml: cannot be read: No such file"):
        load_rules([tmp_path / "absent.toml"])
    with pytest.raises(RulesError, match="cannot be read"):
        load_rules([tmp_path])
    (tmp_path / "latin.toml").write_bytes(b'name = "Z\xfcrich"\n')
    with pytest.raises(RulesError, match=r"latin.toml: not a UTF-8 text: .* at byte 9"):
        load_rules([tmp_path / "latin.toml"])


def test_files_of_windows_editors_are_read(tmp_path: Path) -> None:
    file = tmp_path / "notepad.toml"
    file.write_bytes(b"\xef\xbb\xbf[cards.basher]\r\ngp = 4\r\n")
    assert load_rules([file]).cards[0].gp == 4


def test_absurd_files_are_refused_not_crashed_on(tmp_path: Path) -> None:
    for text in ("a = " + "[" * 100_000, "a = " + "9" * 10_000):
        with pytest.raises(RulesError):
            load_text(tmp_path, text)


@pytest.mark.parametrize("override", ["", "cards.basher.gp", "=3", "cards..gp=3", ".=1"])
def test_overrides_that_are_no_key_and_value(override: str) -> None:
    with pytest.raises(
        RulesError, match=r"--set: .* is not KEY=VALUE; allowed: for example cards.basher.gp=4"
    ):
        load_rules(overrides=[override])


@pytest.mark.parametrize(
    ("override", "message"),
    [
        ("cards.basher.gp=four", '--set: [cards.basher] gp = "four": not allowed here'),
        ("cards.basher.gp=3\ndays=4", '--set: [cards.basher] gp = "3\\ndays=4": not allowed here'),
        ("cards.basher=3", "--set: [cards] basher = 3: must be a table"),
        ("cards.basher.gp.x=3", "--set: [cards.basher] gp = { x = 3 }: not allowed here"),
        ("cards.basher.copies.acusers=3", "did you mean accusers?"),
        ("patrons.solennos.forbidden=vetran", 'forbidden = ["vetran"]: "vetran": there is no such card type'),
        ("match.x=\udcff", '--set: [match] x = "\\\\udcff": there is no such key'),
    ],
)
def test_overrides_that_are_wrong(override: str, message: str) -> None:
    with pytest.raises(RulesError) as caught:
        load_rules(overrides=[override])
    assert message in str(caught.value)
