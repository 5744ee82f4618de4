"""A table of which only what has changed is shown again; `table` shows all of it."""

from __future__ import annotations

from cli.numbered import NumberedTable
from cli.play import say, wrapped


class ChangingTable(NumberedTable):
    """A numbered table whose lines each begin with something of their own, up to the first colon.

    It is shown in full at first, where it is asked for, and at the end; otherwise the first line, which says
    where the game stands, and what has changed.
    """

    def __init__(self) -> None:
        super().__init__()
        self._seen: list[str] = []
        self._in_full = True

    def advance(self) -> bool:
        going_on = super().advance()
        self._in_full = not (self._seen and going_on)
        return going_on

    def show_table(self) -> None:
        lines = list(self.table_lines())
        shown = lines
        if not self._in_full:
            heads = {_head(line) for line in lines}
            gone = [_head(line) for line in self._seen[1:] if _head(line) not in heads]
            shown = [lines[0], *(line for line in lines[1:] if line not in self._seen)]
            shown += [f"{head}: nothing any more" for head in gone]
        # Whoever asks twice at one decision wants to see all of it.
        self._seen, self._in_full = lines, True
        say("")
        for line in shown:
            text = line.lstrip()
            say(wrapped(text, len(line) - len(text), 4))


def _head(line: str) -> str:
    return line.partition(":")[0]
