"""Options that commands of Raverun share."""

from __future__ import annotations

from cli.options import rules_file_option, set_option, together
from engine.raverun.rules_schema import SCHEMA

rules_options = together(rules_file_option(), set_option(SCHEMA.example))
