"""Short names for the array types that kernels take."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

__all__ = ["F32", "F64", "I8", "I16", "I32", "I64", "U32", "Flags"]

F32: TypeAlias = NDArray[np.float32]
F64: TypeAlias = NDArray[np.float64]
I8: TypeAlias = NDArray[np.int8]
I16: TypeAlias = NDArray[np.int16]
I32: TypeAlias = NDArray[np.int32]
I64: TypeAlias = NDArray[np.int64]
U32: TypeAlias = NDArray[np.uint32]
Flags: TypeAlias = NDArray[np.bool_]
