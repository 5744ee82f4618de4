"""The published schemas of the workbench's reports, made from the structs that are printed.

After a change of a report: `python -m tests.cli.schemas` writes them again; a test says when that is due.
"""

from __future__ import annotations

import inspect
import json
from pathlib import Path
from typing import Any

import msgspec

from analysis.ragers.answers import library, listing
from analysis.ragers.answers.report import RulesReport, ScenarioReport
from analysis.ragers.workbench.comparing import Comparison, Side
from analysis.ragers.workbench.health import ScenarioHealth
from analysis.ragers.workbench.locking import LockedScenario, Play

FOLDER = Path(library.__file__).parents[1] / "schema"
REPORTS: dict[str, type[msgspec.Struct]] = {
    "library-list": listing.ListReport,
}
#: Left out where there is nothing to say.
_OPTIONAL = {
    ScenarioReport.__name__: {"hand", "trust", "day"},
    RulesReport.__name__: {"deadeye_card"},
    ScenarioHealth.__name__: {"day", "trust"},
    Side.__name__: {"trust"},
    Play.__name__: {"trust"},
    Comparison.__name__: {"day", "left_day"},
    LockedScenario.__name__: {"day"},
}


def path_of(name: str) -> Path:
    """Return where a schema is kept."""
    number = REPORTS[name].__struct_defaults__[0] if name in REPORTS else 1
    return FOLDER / f"{name}-{number}.schema.json"


def schema_of(name: str) -> dict[str, Any]:
    """Return the JSON Schema of a report: nothing missing, nothing that it does not name."""
    return struct_schema(REPORTS[name], path_of(name).name, f"Report of ragers {name.replace('-', ' ')}")


def struct_schema(struct: type[msgspec.Struct], file: str, title_of_report: str) -> dict[str, Any]:
    """Return the JSON Schema of a struct, strictly."""
    made = msgspec.json.schema(struct)
    for title, part in made["$defs"].items():
        if "description" in part:
            part["description"] = inspect.cleandoc(part["description"])
        properties = part.get("properties", {})
        for key, value in properties.items():
            default = value.pop("default", None)
            if key in ("schema", "game"):
                properties[key] = {"const": default}
        optional = {"compile_s"} | _OPTIONAL.get(title, set())
        part["required"] = [key for key in properties if key not in optional]
        part["additionalProperties"] = False
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": file,
        "title": title_of_report,
        **made,
    }


if __name__ == "__main__":
    for each in REPORTS:
        text = json.dumps(schema_of(each), indent=2, ensure_ascii=False)
        path_of(each).write_text(f"{text}\n", encoding="utf-8")
