"""Eight float64 side by side as one value in compiled kernels.

numba makes vector code of a loop only where LLVM can prove that the arrays of the loop do not overlap and
that the loop is long; loops over eight columns of a small matrix are neither. These functions say outright
what is meant: each is one vector instruction, or a few, on machines that have such wide registers, and LLVM
splits them where registers are narrower. They work only inside `@njit` functions. Arithmetic is IEEE and in a
fixed order: the same numbers on every machine.

They read and write through pointers (`pointer`); nothing checks what lies there.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic, models, register_model

#: Number of lanes.
LANES = 8

_DOUBLE = ir.DoubleType()
_VECTOR = ir.VectorType(_DOUBLE, LANES)
_INTEGER = ir.IntType(64)
_MASK = ir.IntType(32)


def _intrinsic(typer: Callable[..., Any]) -> Any:
    """Return an intrinsic as something to call with its own arguments, without the typing context."""
    return intrinsic(typer)


class _LanesType(types.Type):
    """numba's name for eight float64."""

    def __init__(self) -> None:
        super().__init__(name="Lanes")


_lanes = _LanesType()


@register_model(_LanesType)
class _LanesModel(models.PrimitiveModel):
    """Eight float64 are an LLVM vector, everywhere."""

    def __init__(self, manager: Any, fe_type: Any) -> None:
        super().__init__(manager, fe_type, _VECTOR)  # type: ignore[no-untyped-call]


@_intrinsic
def pointer(_typing: Any, array: Any, offset: Any) -> Any:
    """Return where the entry at `offset` of a C-contiguous array lies, as something to index.

    Unlike arrays, pointers are not counted: numba's counting costs a call and a locked instruction for each
    array handed to a function. The array must outlive its pointers.
    """

    def generate(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        data = context.make_array(array)(context, builder, arguments[0]).data
        return builder.gep(data, [arguments[1]])

    pointer_type: Any = types.CPointer
    return pointer_type(array.dtype)(array, types.int64), generate


def _address(builder: Any, begin: Any, offset: Any) -> Any:
    return builder.bitcast(builder.gep(begin, [offset]), _VECTOR.as_pointer())


@_intrinsic
def load(_typing: Any, begin: Any, offset: Any) -> Any:
    """Return the eight float64 that begin `offset` entries after a pointer."""

    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.load(_address(builder, arguments[0], arguments[1]), align=8)

    return _lanes(begin, types.int64), generate


@_intrinsic
def store(_typing: Any, begin: Any, offset: Any, lanes: Any) -> Any:
    """Set the eight float64 that begin `offset` entries after a pointer."""

    def generate(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        builder.store(arguments[2], _address(builder, arguments[0], arguments[1]), align=8)
        return context.get_dummy_value()

    return types.void(begin, types.int64, _lanes), generate


def _splat(builder: Any, number: Any) -> Any:
    nothing = ir.Constant(ir.VectorType(number.type, LANES), ir.Undefined)
    zeros = ir.Constant(ir.VectorType(_MASK, LANES), [0] * LANES)
    return builder.shuffle_vector(builder.insert_element(nothing, number, _MASK(0)), nothing, zeros)


@_intrinsic
def splat(_typing: Any, number: Any) -> Any:
    """Return eight copies of a float64."""

    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return _splat(builder, arguments[0])

    return _lanes(types.float64), generate


@_intrinsic
def load_column(_typing: Any, begin: Any, offset: Any) -> Any:
    """Return every eighth of the 64 float64 that begin `offset` entries after a pointer."""

    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        lanes = ir.Constant(_VECTOR, ir.Undefined)
        for c in range(LANES):
            place = builder.add(arguments[1], ir.Constant(_INTEGER, c * LANES))
            lanes = builder.insert_element(lanes, builder.load(builder.gep(arguments[0], [place])), _MASK(c))
        return lanes

    return _lanes(begin, types.int64), generate


@_intrinsic
def replace(_typing: Any, lanes: Any, place: Any, number: Any) -> Any:
    """Return the lanes with a float64 at one place; unchanged if the place is none of 0 .. 7."""

    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        places = ir.Constant(ir.VectorType(_INTEGER, LANES), list(range(LANES)))
        here = builder.icmp_signed("==", places, _splat(builder, arguments[1]))
        return builder.select(here, _splat(builder, arguments[2]), arguments[0])

    return _lanes(_lanes, types.int64, types.float64), generate


def _elementwise(instruct: Callable[[Any, Any, Any], Any], name: str, result: str) -> Any:
    def typer(_typing: Any, a: Any, b: Any) -> Any:
        def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
            return instruct(builder, *arguments)

        return _lanes(_lanes, _lanes), generate

    typer.__name__ = typer.__qualname__ = name
    typer.__doc__ = f"Return {result}, lane by lane."
    return _intrinsic(typer)


def _least(builder: Any, a: Any, b: Any) -> Any:
    return builder.select(builder.fcmp_ordered("<", a, b), a, b)


def _most(builder: Any, a: Any, b: Any) -> Any:
    return builder.select(builder.fcmp_ordered(">", a, b), a, b)


add = _elementwise(lambda builder, a, b: builder.fadd(a, b), "add", "a + b")
subtract = _elementwise(lambda builder, a, b: builder.fsub(a, b), "subtract", "a - b")
multiply = _elementwise(lambda builder, a, b: builder.fmul(a, b), "multiply", "a b")
divide = _elementwise(lambda builder, a, b: builder.fdiv(a, b), "divide", "a / b (0 / 0 is nan, no error)")
least = _elementwise(_least, "least", "the smaller of a and b; b if either is nan")
most = _elementwise(_most, "most", "the larger of a and b; b if either is nan")


@_intrinsic
def where_more(_typing: Any, a: Any, b: Any, chosen: Any, other: Any) -> Any:
    """Return `chosen` where a > b, else `other`, lane by lane."""

    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        more = builder.fcmp_ordered(">", arguments[0], arguments[1])
        return builder.select(more, arguments[2], arguments[3])

    return _lanes(_lanes, _lanes, _lanes, _lanes), generate


def _fold(combine: Callable[[Any, Any, Any], Any], name: str, result: str) -> Any:
    def typer(_typing: Any, lanes: Any) -> Any:
        def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
            folded = arguments[0]
            for distance in (4, 2, 1):
                # Lane c meets lane c + distance; those without a partner no longer matter.
                order = [c + distance if c < distance else c for c in range(LANES)]
                mask = ir.Constant(ir.VectorType(_MASK, LANES), order)
                folded = combine(builder, folded, builder.shuffle_vector(folded, folded, mask))
            return builder.extract_element(folded, _MASK(0))

        return types.float64(_lanes), generate

    typer.__name__ = typer.__qualname__ = name
    typer.__doc__ = f"Return {result} of the eight, folded in halves, as a float64."
    return _intrinsic(typer)


total = _fold(lambda builder, a, b: builder.fadd(a, b), "total", "the sum")
smallest = _fold(_least, "smallest", "the smallest")
largest = _fold(_most, "largest", "the largest")


@_intrinsic
def equal_places(_typing: Any, lanes: Any, number: Any) -> Any:
    """Return an int64 in which bit c tells whether lane c equals a float64."""

    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        equal = builder.fcmp_ordered("==", arguments[0], _splat(builder, arguments[1]))
        return builder.zext(builder.bitcast(equal, ir.IntType(LANES)), _INTEGER)

    return types.int64(_lanes, types.float64), generate


@_intrinsic
def first_place(_typing: Any, places: Any) -> Any:
    """Return the number of the lowest bit set in an int64, or 8 if none of the lowest eight is."""

    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        bits = builder.or_(arguments[0], ir.Constant(_INTEGER, 1 << LANES))
        return builder.cttz(bits, ir.Constant(ir.IntType(1), 1))

    return types.int64(types.int64), generate
