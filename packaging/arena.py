"""What starts the download: the command `arena`, and, with no words at all, the app in a browser.

Processes that work for this one are started as Python would be, by `-c CODE` or `-m MODULE`: here too.
"""

from __future__ import annotations

import multiprocessing
import runpy
import sys


def main() -> None:
    """Do what the words say."""
    multiprocessing.freeze_support()
    words = sys.argv[1:]
    while words and words[0] in ("-B", "-E", "-I", "-P", "-S", "-s", "-u"):  # there is no such choice here
        del words[0]
    if words[:1] == ["-c"]:
        sys.argv = words[:1] + words[2:]
        exec(compile(words[1], "<string>", "exec"), {"__name__": "__main__"})
    elif words[:1] == ["-m"]:
        sys.argv = words[1:]
        runpy.run_module(words[1], run_name="__main__", alter_sys=True)
    else:
        from arena_solver.commands import arena

        sys.argv[1:] = words or ["app"]
        arena()


if __name__ == "__main__":
    main()
