"""`ragers rules show|check`, and every example in the page about rules files."""

import json
import re
import shlex
from pathlib import Path

import pytest

from engine.clash import rules as clash_rules
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


# ---- what differs ------------------------------------------------------------------------------------------


def test_what_differs_between_the_box_and_two_files_with_a_change_of_both() -> None:
    Path("other.toml").write_text("[cards.basher]\ngp = 5\n", encoding="utf-8")
    output = run("check", "strong.toml", "other.toml", "--set", "match.days=2", "--format", "json").stdout
    found = json.loads(output)
    assert found["names"] == ["strong", "other"]
    assert found["differences"] == [
        {"key": "match.days", "box": 3, "here": [2, 2]},
        {"key": "cards.basher.gp", "box": 3, "here": [4, 5]},
    ]
    text = run("check", "strong.toml", "other.toml", "--set", "match.days=2").stdout
    assert "1 value differs between them" in text


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
    Path("delta.toml").write_text(run("check", *arguments, "--format", "toml").stdout, encoding="utf-8")
    assert diff_rules(load_rules([Path("delta.toml")]), load_rules(overrides=overrides)) == []
    back = run("check", "delta.toml", "strong.toml", "--format", "toml").stdout
    assert '# only in "Ragers with' in back
    assert "[cheers.x], which a file cannot take away" in back


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
    assert (files, transcripts) == (6, 4)


def test_the_page_names_every_key_with_its_range() -> None:
    text = DOCS.read_text(encoding="utf-8")
    for table, fields in [("match", MATCH_FIELDS), *ENTRY_FIELDS.items()]:
        section = re.split(r"\*\*`\[|^## ", text.split(f"**`[{table}")[1], flags=re.MULTILINE)[0]
        for key, field in fields.items():
            row = next(line for line in section.splitlines() if line.startswith(f"| `{key}` |"))
            numbers = re.search(r"(\d+) to (\d+)", field.allowed)
            if numbers:
                assert re.search(rf"\b{numbers[1]} (to|or) {numbers[2]}\b", row), row


# ---- entries inside entries -------------------------------------------------------------------------------


def test_a_difference_inside_an_entry_is_a_file_again() -> None:
    key = "clans.bohorg.units.executioner.icons.slow"
    text = nested("check", "--set", f"{key}=2", "--set", "clans.bohorg.name=Orcs", "--format", "toml").stdout
    Path("again.toml").write_text(text, encoding="utf-8")
    assert "[clans.bohorg.units.executioner]\nicons.slow = 2\n" in text
    assert "[clans.bohorg]\nname = " in text
    assert clash_rules.load_rules([Path("again.toml")]).changed == [key]
