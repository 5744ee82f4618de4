"""Changed copies of frozen dataclasses, by the thousand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

__all__ = ["replace"]

if TYPE_CHECKING:
    # For type checkers it is the library's function: they know the names and types of fields.
    from dataclasses import replace
else:
    _Record = TypeVar("_Record")

    def replace(record: _Record, /, **changes: Any) -> _Record:
        """Return a record with some fields changed, as `dataclasses.replace` does, several times as fast.

        For frozen dataclasses without slots and without `__post_init__`. That the fields exist is checked
        by type checkers only.
        """
        copy = object.__new__(type(record))
        fields = copy.__dict__
        fields.update(record.__dict__)
        fields.update(changes)
        return copy
