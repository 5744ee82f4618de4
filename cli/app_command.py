"""``arena app``: the questions of all games in a browser."""

from __future__ import annotations

from pathlib import Path

import click

from analysis.errors import WorkError
from cli.entry import command


@command("app", epilog="Exit codes: 0 answered; 1 failure; 2 wrong usage; 130 interrupted.")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=0,
    metavar="NUMBER",
    help="Port; 0 is any free one.  [default: 0]",
)
@click.option("--no-browser", is_flag=True, help="Do not open a browser.")
@click.option(
    "--folder",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Where rules, answers and games are kept.  [default: a folder of the user's data]",
)
@click.option(
    "--host",
    default="",
    metavar="ADDRESS",
    help="Listen there, too, for other machines; not encrypted.  [default: this machine only]",
)
def app(port: int, no_browser: bool, folder: Path | None, host: str) -> None:
    """Ask in a browser: forms, answers as pages, play, rules; all on this machine.

    \b
    Examples:
      arena app                          opens the browser
      arena app --port 8000 --no-browser
      arena app --folder my-game
    """
    try:
        from app.serving import serve
    except ImportError:
        raise WorkError("the app needs more: pip install 'arena-solver[app]'") from None
    from platformdirs import user_data_path

    kept = folder or user_data_path("arena-solver", appauthor=False) / "app"
    serve(kept, host=host, port=port, browser=not no_browser, say=click.echo)
