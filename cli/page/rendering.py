"""Templates: a game's own, which extend ``base.html.j2`` and use ``macros.html.j2`` of this package."""

from __future__ import annotations

from typing import Any


def environment(package: str) -> Any:
    """Return a Jinja environment for the templates of a game's page.

    Parameters
    ----------
    package
        Has a folder `templates`; its names come before those shared.
    """
    import jinja2

    return jinja2.Environment(
        loader=jinja2.ChoiceLoader([jinja2.PackageLoader(package), jinja2.PackageLoader("cli.page")]),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
