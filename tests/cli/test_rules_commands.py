"""`ragers rules show|check|diff`, and every example in the page about rules files."""

import json
import re
import shlex
from pathlib import Path

import pytest

from engine.clash import rules as clash_rules
from engine.clash import rules_schema as clash_schema
from engine.ragers.rules import RulesError, diff_rules, load_rules
from engine.ragers.rules_schema import ENTRY_FIELDS, MATCH_FIELDS
from tests.cli.running import runner

DOCS = Path(__file__).parents[2] / "docs" / "rules-files.md"
STRONG = 'name = "Strong"\n[cards.basher]\ngp = 4\n'


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("strong.toml").write_text(STRONG, encoding="utf-8")
    Path("wrong.toml").write_text("[cards.basher]\ngp = 40\n", encoding="utf-8")


run, nested = runner("ragers", "rules"), runner("clash", "rules")


# ---- show -------------------------------------------------------------------------------------------------


def test_show_prints_every_section_within_80_columns() -> None:
    output = run("show").stdout
    assert max(map(len, output.splitlines())) <= 80
    assert output.startswith("Ragers.\n\nmatch\n")
    rows = [line.split() for line in output.splitlines()]
    assert ["winning_lead", "10", "rulebook"] in rows
    assert ["basher", "attack", "slasher", "4", "3", "assumed:", "gp"] in rows
    assert f"sha256 {load_rules().sha256}" in " ".join(output.split())
    assert "changed" not in output


def test_show_says_what_is_changed() -> None:
    change = ("--rules", "strong.toml", "--set", "cards.slasher.copies.defenders=9")
    output = run("show", "cards", *change).stdout
    assert output.startswith("Strong with cards.slasher.copies.defenders=9.\n\ncards ")
    text = " ".join(output.split())
    assert "changed: gp" in text
    assert "changed: copies.defenders" in text
    assert "patrons" not in output


def test_show_fits_80_columns_whatever_the_names() -> None:
    overrides = ["name=" + "long " * 20, "patrons.arianna.name=" + "x" * 40]
    overrides.append(
        "patrons.arianna.forbidden=basher,slasher,prodder,chancer,cheater,deadeye,stopper,veteran"
    )
    card = "cheers." + "y" * 40
    overrides += [f"{card}.name=N", f"{card}.gp=1", f"{card}.required=basher"]
    arguments = [argument for override in overrides for argument in ("--set", override)]
    output = run("show", "patrons", "cheers", *arguments).stdout
    assert max(map(len, output.splitlines())) <= 80
    assert "y" * 40 in output


def test_show_as_json() -> None:
    value = json.loads(run("show", "cards", "match", "--rules", "strong.toml", "--format", "json").stdout)
    rules = load_rules([Path("strong.toml")])
    assert list(value["values"]) == ["match", "cards"]
    assert value["rules"]["sha256"] == rules.sha256
    assert value["values"]["cards"]["basher"] == {
        "kind": "attack",
        "beats": ["slasher"],
        "copies": 4,
        "gp": 4,
    }
    assert value["values"]["match"]["hand_size"] == 5
    assert value["provenance"] == {
        k: v for k, v in rules.provenance.items() if k.split(".")[0] in ("cards", "match")
    }


def test_show_as_toml_is_a_rules_file() -> None:
    overrides = ["cards.basher.copies.accusers=3", "patrons.x.name=X", "patrons.x.forbidden="]
    arguments = [argument for override in overrides for argument in ("--set", override)]
    Path("full.toml").write_text(run("show", *arguments, "--format", "toml").stdout, encoding="utf-8")
    assert load_rules([Path("full.toml")]) == load_rules(overrides=overrides)


# ---- check ------------------------------------------------------------------------------------------------


def verdicts(*arguments: str, exit_code: int = 0) -> list[list[str]]:
    """Return the lines of `check` that say something of a file: its name, the verdict, what is wrong."""
    text = re.sub(r"\n {4,}", " ", run("check", *arguments, exit_code=exit_code).stdout)
    heads = ("rules", "verdict", "problem")
    return [line.split(None, 1) for line in text.splitlines() if line.split(" ")[0] in heads]


def test_check_says_what_a_sound_file_changes() -> None:
    assert verdicts("strong.toml") == [["rules", "strong.toml"], ["verdict", "sound; 1 value changed"]]
    Path("empty.toml").write_text("", encoding="utf-8")
    assert verdicts("empty.toml")[1] == ["verdict", "sound; no values changed"]


def test_check_takes_each_file_on_its_own() -> None:
    assert verdicts("wrong.toml", "strong.toml", exit_code=2) == [
        ["rules", "wrong.toml"],
        ["verdict", "cannot be used"],
        [
            "problem",
            "wrong.toml: [cards.basher] gp = 40: out of range; allowed: a whole number from 0 to 20",
        ],
        ["rules", "strong.toml"],
        ["verdict", "sound; 1 value changed"],
    ]


def test_check_lays_rules_beneath_and_overrides_above() -> None:
    Path("other.toml").write_text("[match]\ndays = 2\n", encoding="utf-8")
    found = verdicts("other.toml", "--rules", "strong.toml", "--set", "match.days=1")
    assert found == [
        ["rules", "strong.toml + other.toml + --set match.days=1"],
        ["verdict", "sound; 2 values changed"],
    ]


def test_check_as_json() -> None:
    message = "wrong.toml: [cards.basher] gp = 40: out of range; allowed: a whole number from 0 to 20"
    shown = run("check", "strong.toml", "wrong.toml", "--format", "json", exit_code=2).stdout
    good, bad = json.loads(shown)["files"]
    assert good == {
        "rules": "strong.toml",
        "ok": True,
        "changed": ["cards.basher.gp"],
        "problems": [],
        "notes": [],
    }
    assert bad["problems"] == [
        {
            "file": "wrong.toml",
            "table": "cards.basher",
            "key": "gp",
            "value": "40",
            "reason": "out of range",
            "allowed": "a whole number from 0 to 20",
            "message": message,
        }
    ]


def test_check_of_nothing_is_wrong_usage() -> None:
    assert "name a file to check" in run("check", exit_code=2).stderr


# ---- diff -------------------------------------------------------------------------------------------------


def test_diff_of_a_file_with_the_box() -> None:
    output = run("diff", "strong.toml").stdout
    assert output.startswith("Strong, on the right, differs in 1 value from Ragers, on the left.\n")
    assert output.splitlines()[-1].split() == ["cards.basher.gp", "3", "4"]


def test_diff_of_two_files_and_overrides_on_the_right() -> None:
    Path("other.toml").write_text("[cards.basher]\ngp = 5\n", encoding="utf-8")
    output = run("diff", "strong.toml", "other.toml", "--set", "match.days=2", "--format", "json").stdout
    found = json.loads(output)
    assert {key: found[key] for key in ("left", "right", "differences")} == {
        "left": "Strong",
        "right": "other with match.days=2",
        "differences": [
            {"key": "match.days", "left": 3, "right": 2},
            {"key": "cards.basher.gp", "left": 4, "right": 5},
        ],
    }


def test_diff_of_equal_rules() -> None:
    assert run("diff", "strong.toml", "strong.toml").stdout == "Strong and Strong: no difference.\n"
    assert run("diff").stdout == "Ragers and Ragers: no difference.\n"


def test_diff_as_toml_is_a_file_that_makes_the_difference() -> None:
    overrides = [
        "cards.basher.copies.accusers=3",
        "cards.slasher.copies=2",
        "match.days=2",
        "patrons.arianna.row_length=match",
        "cheers.x.name=X",
        "cheers.x.required=basher",
        "cheers.x.gp=4",
    ]
    arguments = [argument for override in overrides for argument in ("--set", override)]
    Path("delta.toml").write_text(run("diff", *arguments, "--format", "toml").stdout, encoding="utf-8")
    assert diff_rules(load_rules([Path("delta.toml")]), load_rules(overrides=overrides)) == []
    back = run("diff", "delta.toml", "strong.toml", "--format", "toml").stdout
    assert '# only in "Ragers with' in back
    assert "[cheers.x], which a file cannot take away" in back


def test_diff_of_three_files_is_wrong_usage() -> None:
    assert "at most two files" in run("diff", "strong.toml", "strong.toml", "wrong.toml", exit_code=2).stderr


# ---- Errors and help --------------------------------------------------------------------------------------


@pytest.mark.parametrize("command", ["show", "diff"])
def test_bad_rules_end_with_exit_code_2_and_say_why(command: str) -> None:
    result = run(command, "--rules", "wrong.toml", "--rules", "absent.toml", exit_code=2)
    assert result.stdout == ""
    assert "absent.toml: cannot be read" in result.stderr
    result = run(command, "--rules", "wrong.toml", exit_code=2)
    said = "wrong.toml: [cards.basher] gp = 40: out of range; allowed: a whole number from 0 to 20"
    assert said in result.stderr


# ---- The page about rules files ---------------------------------------------------------------------------


def doc_blocks() -> list[tuple[str, str]]:
    """The fenced blocks of the page: what stands after the fence, and the text."""
    return re.findall(r"^```(\w.*?)\n(.*?)^```$", DOCS.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


def test_the_examples_of_the_page_do_what_it_says() -> None:
    transcripts = files = 0
    for kind, text in doc_blocks():
        language, *words = kind.split()
        if language == "toml":
            Path(words[0]).write_text(text, encoding="utf-8")
            files += 1
            if words[1:] == ["invalid"]:
                with pytest.raises(RulesError):
                    load_rules([Path(words[0])])
            else:
                rules = load_rules([Path(words[0])])
                assert diff_rules(load_rules(), rules) or len(rules.assumed) < len(load_rules().assumed)
        else:
            assert language == "console"
            for transcript in re.split(r"^\$ ragers rules ", text, flags=re.MULTILINE)[1:]:
                command, _, expected = transcript.partition("\n")
                output = run(*shlex.split(command), exit_code=2 if "wrong.toml" in command else 0).stdout
                shown = output.split("\n\nValues, sha256")[0] if command.startswith("show") else output
                assert shown.strip() == expected.strip()
                transcripts += 1
    assert (files, transcripts) == (7, 5)


def test_the_page_names_every_key_with_its_range() -> None:
    text = DOCS.read_text(encoding="utf-8")
    for table, fields in [("match", MATCH_FIELDS), *ENTRY_FIELDS.items()]:
        section = re.split(r"\*\*`\[|^## ", text.split(f"**`[{table}")[1], flags=re.MULTILINE)[0]
        for key, field in fields.items():
            row = next(line for line in section.splitlines() if line.startswith(f"| `{key}` |"))
            numbers = re.search(r"(\d+) to (\d+)", field.allowed)
            if numbers:
                assert re.search(rf"\b{numbers[1]} (to|or) {numbers[2]}\b", row), row


def test_the_page_names_every_patron_and_cheers_card_of_the_box() -> None:
    text = DOCS.read_text(encoding="utf-8")
    box = load_rules()
    ids = (
        [patron.id for patron in box.patrons]
        + [card.id for card in box.cheers]
        + [card.id for card in box.cards]
    )
    assert [entry for entry in ids if f"`{entry}`" not in text] == []
    for key in MATCH_FIELDS:
        assert re.search(rf"\| `{key}` \|.*\| {getattr(box.match, key)} \|", text)


# ---- entries inside entries -------------------------------------------------------------------------------


def test_entries_inside_entries_are_shown_where_they_belong() -> None:
    clans = json.loads(nested("show", "clans", "--format", "json").stdout)["values"]["clans"]
    assert clans["bohorg"]["name"] == "Bohorg Tribe"
    assert clans["bohorg"]["units"]["executioner"]["power"] == 6


def test_a_difference_inside_an_entry_is_a_file_again() -> None:
    key = "clans.bohorg.units.executioner.icons.slow"
    text = nested("diff", "--set", f"{key}=2", "--set", "clans.bohorg.name=Orcs", "--format", "toml").stdout
    Path("again.toml").write_text(text, encoding="utf-8")
    assert "[clans.bohorg.units.executioner]\nicons.slow = 2\n" in text
    assert "[clans.bohorg]\nname = " in text
    assert clash_rules.load_rules([Path("again.toml")]).changed == [key]


def test_a_key_stands_in_the_innermost_entry() -> None:
    assert clash_schema.SCHEMA.table_of("clans.bohorg.units.giant.icons.slow") == "clans.bohorg.units.giant"
    assert clash_schema.SCHEMA.table_of("clans.bohorg.name") == "clans.bohorg"
    assert clash_schema.SCHEMA.table_of("match.points") == "match"
