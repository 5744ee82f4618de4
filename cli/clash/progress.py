"""Progress of long work on stderr, for whoever counts it himself."""

from __future__ import annotations

from cli.progress import Reporter


class Progress(Reporter):
    """A `Reporter` that is told what is done of how much."""

    def __init__(self, quiet: bool) -> None:
        super().__init__(quiet=quiet, total=1)

    __call__ = Reporter.counted  # type: ignore[assignment]
