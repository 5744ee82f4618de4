"""Shells complete commands, options and choices, as docs/how-to.md says."""

from __future__ import annotations

from click.testing import CliRunner

from cli.programs import program_of


def test_words_are_completed() -> None:
    for line, found in (
        ("ragers pl", "play"),
        ("ragers play --opponent gr", "greedy"),
        ("ragers solve --pat", "--patron"),
    ):
        words = {"COMP_WORDS": line, "COMP_CWORD": str(len(line.split()) - 1)}
        environment = {"_RAGERS_COMPLETE": "bash_complete"} | words
        result = CliRunner().invoke(program_of("ragers"), [], env=environment, prog_name="ragers")
        assert result.stdout == f"plain,{found}\n"
