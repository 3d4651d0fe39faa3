"""Where in the user's code a call came from."""

from __future__ import annotations

import linecache
import os
import sys
import sysconfig
from collections.abc import Iterator
from types import CodeType, FrameType

from .patching import is_wrapper

Site = tuple[str, int]
OWN = os.path.dirname(__file__)
DECORATORS = 8  # lines
COMPREHENSIONS = frozenset({"<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>"})


class Sites:
    """Finds the innermost frame of the user's own code; remembers its verdict per code object."""

    def __init__(self, project: str, own: str) -> None:
        import torch

        libraries = {sysconfig.get_path(n) for n in ("stdlib", "platstdlib", "purelib", "platlib")}
        self._libraries = tuple(
            os.path.realpath(p) + os.sep for p in (*libraries, own, os.path.dirname(torch.__file__)) if p
        )
        self._project = os.path.realpath(project) + os.sep
        self._verdicts: dict[CodeType, bool] = {}
        self._imported: tuple[int, list[str]] = (0, [])

    def is_user(self, code: CodeType) -> bool:
        known = self._verdicts.get(code)
        if known is None:
            known = self._verdicts[code] = self.is_user_file(code.co_filename)
        return known

    def is_user_file(self, filename: str) -> bool:
        if filename.startswith("<") or "site-packages" in filename or "dist-packages" in filename:
            return False
        if filename.startswith(self._libraries) and not filename.startswith(self._project):
            return False  # most of what is asked about, without a look at the disk
        path = os.path.realpath(filename)
        return path.startswith(self._project) or not path.startswith(self._libraries)

    def in_project(self, filename: str) -> bool:
        """Whether a file is the user's and lies in the project itself."""
        return self.is_user_file(filename) and os.path.realpath(filename).startswith(self._project)

    def imported(self) -> list[str]:
        """The project's own modules as files, in the order of their import."""
        if self._imported[0] != len(sys.modules):
            known = [getattr(m, "__file__", None) for m in list(sys.modules.values())]
            own = [f for f in known if f and f.endswith(".py") and self.in_project(f)]
            self._imported = len(sys.modules), own
        return self._imported[1]

    def caller(self, depth: int = 2) -> Site | None:
        """The innermost user frame, seen from ``depth`` frames above this call; None when there is none."""
        frame = self._frame(depth + 1)
        return None if frame is None else (frame.f_code.co_filename, frame.f_lineno)

    def function(self, depth: int = 2) -> Site | None:
        """The line on which the innermost user function begins; at module level, the running line."""
        frame = self._frame(depth + 1)
        while frame is not None and frame.f_code.co_name in COMPREHENSIONS:
            frame = frame.f_back  # part of the function that it stands in
        if frame is None:
            return None
        module = frame.f_code.co_name == "<module>"
        return frame.f_code.co_filename, frame.f_lineno if module else _begins(frame.f_code)

    def frames(self) -> Iterator[FrameType]:
        """The user's frames on the stack, innermost first."""
        frame: FrameType | None = sys._getframe(1)
        while frame is not None:
            if self.is_user(frame.f_code):
                yield frame
            frame = frame.f_back

    def calling(self) -> Site | None:
        """The frame that called the wrapped function which is running, if it is the user's own: libraries call the same
        functions, and so does the recorder for itself.
        """
        frame: FrameType | None = sys._getframe(1)
        while frame is not None and not is_wrapper(frame.f_code):
            frame = frame.f_back
        frame = frame.f_back if frame is not None else None
        user = frame is not None and self.is_user(frame.f_code)
        return (frame.f_code.co_filename, frame.f_lineno) if frame is not None and user else None

    def without_gradient(self) -> Site | None:
        """Where gradients were switched off for the running call: the first line of the user's function that torch's
        ``no_grad`` decorates, else the innermost user line.
        """
        frame: FrameType | None = sys._getframe(1)
        inner: FrameType | None = None
        while frame is not None and frame.f_code.co_name != "decorate_context":
            inner, frame = frame, frame.f_back
        if frame is None or inner is None or not self.is_user(inner.f_code):
            return self.caller()
        return inner.f_code.co_filename, inner.f_code.co_firstlineno

    def _frame(self, depth: int) -> FrameType | None:
        frame: FrameType | None = sys._getframe(depth)
        while frame is not None and not self.is_user(frame.f_code):
            frame = frame.f_back
        return frame


def _begins(code: CodeType) -> int:
    """The line of ``def``: a code object begins with its decorators. A lambda has none."""
    first = code.co_firstlineno
    if code.co_name.startswith("<"):
        return first
    lines = enumerate((linecache.getline(code.co_filename, first + k) for k in range(DECORATORS)), first)
    return next((n for n, line in lines if line.lstrip().startswith(("def ", "async def "))), first)


def source_line(site: Site) -> str:
    """The text of the line, bounded."""
    return linecache.getline(*site).strip()[:160]
