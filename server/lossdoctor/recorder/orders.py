"""In which order samplers draw samples: whether every epoch draws the same ones in the same order."""

from __future__ import annotations

import weakref
import zlib
from collections.abc import Callable
from typing import Any

from .session import Session

EPOCHS = 6  # of each loader
MOST = 200_000  # samples of an epoch; more are not looked at


class Orders:
    """Writes an ``order`` row for each of the first whole epochs of a loader over a data set with indexes: how many
    samples were drawn, how many different ones, checksums of their sequence and set, and whether it is a sorted
    one.
    """

    def __init__(
        self, session: Session, iterators: weakref.WeakKeyDictionary[Any, int], epochs: dict[int, int]
    ) -> None:
        self.s, self._iterators, self._epochs = session, iterators, epochs
        # of each iterator, the indexes that were drawn last
        self.last: weakref.WeakKeyDictionary[Any, list[int]] = weakref.WeakKeyDictionary()
        self._drawn: weakref.WeakKeyDictionary[Any, list[int] | None] = weakref.WeakKeyDictionary()

    def wrap(self, original: Callable[..., Any]) -> Callable[..., Any]:
        def _next_index(this: Any) -> Any:
            try:
                index = original(this)
            except StopIteration:
                self.s.safely(self._close, this)
                raise
            self.s.safely(self._add, this, index)
            return index

        return _next_index

    def _add(self, iterator: Any, index: Any) -> None:
        drawn = self._drawn.setdefault(iterator, [])
        if drawn is None or not self.s.active:
            return
        found = list(index) if isinstance(index, (list, tuple)) else [index]
        whole = all(isinstance(i, int) for i in found)  # streams are asked for None, again and again
        if whole:
            self.last[iterator] = found
        if len(drawn) > MOST or not whole:
            self._drawn[iterator] = None
        else:
            drawn.extend(found)

    def _close(self, iterator: Any) -> None:
        drawn = self._drawn.pop(iterator, None)
        number = self._iterators.get(iterator)
        epoch = self._epochs.get(number, 0) if number is not None else 0
        if not drawn or number is None or epoch > EPOCHS or not self.s.here():
            return
        self.s.add({"k": "order", "i": self.s.now, "loader": number, "epoch": epoch, "n": len(drawn),
                    "distinct": len(set(drawn)), "print": zlib.crc32(repr(drawn).encode()),
                    "set": zlib.crc32(repr(sorted(set(drawn))).encode()),
                    "sorted": drawn == sorted(drawn)})  # fmt: skip
