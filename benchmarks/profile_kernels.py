"""Iterate over a day with kernels that `perf` can name: which of them takes the time, and where in it.

    perf record -F 400 -o perf.data python -m benchmarks.profile_kernels --patron arianna --method merged
    perf report -i perf.data --sort symbol

A first run compiles; profile a second one. At its end the process writes ``/tmp/perf-PID.map``, where perf
looks for names of machine code that no file holds. They read ``kernel/callee``, because LLVM copies callees
into their callers. ``--objects DIRECTORY`` keeps the object files for ``objdump -d``, each named after its
kernel and the address that it was loaded at: what samples (``perf script -F ip``) lie above that is the place
in the file.

Takes object code where numba reads it from its on-disk cache, by a private part of numba. Linux and ELF only.
"""

from __future__ import annotations

import argparse
import os
import re
import struct
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

_FUNCTION, _SYMBOLS = 2, 2
_PACKAGE = "solver.hidden_hands"


class Symbol(NamedTuple):
    """A function in an object file: its name, section, place in it and size in bytes."""

    name: str
    section: int
    place: int
    size: int


def symbols(code: bytes) -> Iterator[Symbol]:
    """Yield the functions of a 64-bit little-endian ELF object file."""
    if code[:6] != b"\x7fELF\x02\x01":
        raise ValueError("not a 64-bit little-endian ELF object")
    (first,) = struct.unpack_from("<Q", code, 0x28)
    size, count = struct.unpack_from("<HH", code, 0x3A)
    sections = [struct.unpack_from("<IIQQQQIIQQ", code, first + i * size) for i in range(count)]
    for _, kind, _, _, start, length, link, _, _, step in sections:
        if kind != _SYMBOLS:
            continue
        names = sections[link][4]
        for at in range(start, start + length, step):
            name, info, _, section, place, extent = struct.unpack_from("<IBBHQQ", code, at)
            if info & 15 == _FUNCTION and section:
                end = code.index(b"\0", names + name)
                yield Symbol(code[names + name : end].decode(), section, place, extent)


def readable(mangled: str) -> str:
    """Return the last part of numba's name for a function: what its source calls it."""
    rest, last = mangled.removeprefix("_ZN"), mangled
    while found := re.match(r"(\d+)", rest):
        begin, length = found.end(), int(found[1])
        last, rest = rest[begin : begin + length], rest[begin + length :]
    return last


def keep_object_code() -> dict[int, bytes]:
    """From now on, note the object code of every library that numba loads; by the library's `id`."""
    from numba.core import codegen

    kept: dict[int, bytes] = {}
    load: Any = codegen.JITCPUCodegen.unserialize_library

    def load_and_keep(self: Any, stored: Any) -> Any:
        library = load(self, stored)
        _, kind, data = stored
        if kind == "object":
            kept[id(library)] = data[0]
        return library

    codegen.JITCPUCodegen.unserialize_library = load_and_keep  # type: ignore[method-assign]
    return kept


def write_map(kept: dict[int, bytes], path: Path, objects: Path | None = None) -> int:
    """Write what perf wants to know of all kernels that were loaded; return how many functions that are."""
    lines = []
    for module, kernel, compiled in _loaded():
        code = kept.get(id(compiled.library))
        if code is None:
            continue
        found = list(symbols(code))
        own = next((each for each in found if each.name == compiled.fndesc.llvm_func_name), None)
        address = compiled.library.get_pointer_to_function(compiled.fndesc.llvm_func_name) if own else 0
        if own is None or not address:
            continue
        for each in found:
            if each.section == own.section:
                begin = address - own.place + each.place
                lines.append(f"{begin:x} {each.size:x} {kernel}/{readable(each.name)}\n")
        if objects is not None:
            objects.mkdir(parents=True, exist_ok=True)
            (objects / f"{module}.{kernel}.{address - own.place:x}.o").write_bytes(code)
    path.write_text("".join(lines))
    return len(lines)


def _loaded() -> Iterator[tuple[str, str, Any]]:
    """Yield module, name and compilation of every kernel of the day solver in this process."""
    for name, module in sorted(sys.modules.items()):
        if name.startswith(_PACKAGE):
            for value in vars(module).values():
                function = getattr(value, "py_func", None)
                if function is not None and function.__module__ == name:
                    for compiled in value.overloads.values():
                        yield name.removeprefix(f"{_PACKAGE}."), function.__name__, compiled


def iterate(patron: str, overrides: Sequence[str], method: str, iterations: int) -> float:
    """Iterate on one thread, certify, and return NashConv."""
    from engine.ragers.day import day_tables
    from engine.ragers.rules import load_rules
    from solver.hidden_hands import Settings, solve

    game = day_tables(load_rules(overrides=overrides), patron, ("two-bashers",))
    settings = Settings(preparation="none", method=method, iterations=iterations, threads=1)
    return solve(game, settings).nash_conv


def main(arguments: Sequence[str] | None = None) -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--patron", default="the-nameless")
    parser.add_argument("--set", action="append", default=[], metavar="PATH=VALUE", dest="overrides")
    parser.add_argument("--method", choices=("exact", "merged"), default="exact")
    parser.add_argument("--iterations", type=int, default=20)
    parser.add_argument("--map", type=Path, default=Path(f"/tmp/perf-{os.getpid()}.map"))
    parser.add_argument("--objects", type=Path)
    chosen = parser.parse_args(arguments)
    kept = keep_object_code()
    found = iterate(chosen.patron, chosen.overrides, chosen.method, chosen.iterations)
    count = write_map(kept, chosen.map, chosen.objects)
    print(f"NashConv {found:.3f} GP after {chosen.iterations} iterations; {count} functions in {chosen.map}")
    if not count:
        sys.exit("No machine code came from the cache: run once more.")


if __name__ == "__main__":
    main()
