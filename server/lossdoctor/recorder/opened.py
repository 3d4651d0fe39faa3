"""Which files the script reads, and where: of two runs with the same code, the file is often what differs."""

from __future__ import annotations

import os
import sys
from typing import Any

from .session import Session

MOST = 40
MOST_CODE = 400
CODE = (".py", ".pyc")
SYSTEM = ("/proc/", "/sys/", "/dev/", "/etc/", "/usr/lib", "/usr/share/", "/lib")


def _hide_from_compiler(hook: Any) -> None:
    """Keep ``torch.compile`` from compiling the hook, which Python also calls in the middle of a compiled model: a
    script may count what was compiled. In torch 2.13 a strategy of the code object; older ones have ``skip_code``.
    """
    from torch._C._dynamo import eval_frame

    if hasattr(eval_frame, "skip_code"):
        eval_frame.skip_code(hook.__code__)
        return
    skip = eval_frame._FrameAction.SKIP
    eval_frame.set_code_exec_strategy(hook.__code__, eval_frame._FrameExecStrategy(skip, skip))


class Opened:
    """Writes an ``opened`` row (path, bytes, line, and the line that called the function of that line) for every
    regular file that the script opens to read it, other than code and what belongs to the interpreter or the system;
    and at the end one ``code`` row with the files of the project whose code ran. Python tells of each (PEP 578),
    whichever library asks it.
    """

    def __init__(self, session: Session) -> None:
        self.s = session
        self._seen: set[str] = set()
        self._code: dict[str, bool] = {}
        self._busy = False

    def install(self) -> None:
        self.s.counters["opened"] = 0  # that none was opened is known, too
        self.s.safely(_hide_from_compiler, Opened._heard)
        self.s.on_stop.append(self._close)
        sys.addaudithook(self._heard)

    def _heard(self, event: str, args: tuple[Any, ...]) -> None:
        if event == "exec" and self.s.active:
            self._code.setdefault(getattr(args[0], "co_filename", ""), True)
        if event != "open" or self._busy or len(self._seen) >= MOST or not self.s.here():
            return
        self._busy = True  # the line of code is itself read from a file
        try:
            self.s.safely(self._note, *args)
        finally:
            self._busy = False

    def _note(self, path: Any, mode: str | None, flags: int) -> None:
        name = os.fsdecode(path) if isinstance(path, (str, bytes)) else ""
        if not name or name.endswith(CODE) or flags & os.O_ACCMODE != os.O_RDONLY:
            return
        real = os.path.realpath(name)
        own = not real.startswith(SYSTEM) and self.s.sites.is_user_file(real)
        site = self.s.site("opened") if own and real not in self._seen and os.path.isfile(real) else None
        if site is not None:
            self._seen.add(real)
            self.s.count("opened")
            self.s.write({"k": "opened", "file": self.s.real(real), "bytes": os.path.getsize(real), "site": site,
                          "by": self._caller()})  # fmt: skip

    def _close(self) -> None:
        files = {os.path.realpath(f) for f in list(self._code) if self.s.sites.in_project(f)}
        if files and len(files) <= MOST_CODE:
            self.s.write({"k": "code", "files": sorted(self.s.real(f) for f in files)})

    def _caller(self) -> int | None:
        """The line that called the function which opens the file; None at module level."""
        frames = list(self.s.sites.frames())
        names = [f.f_code.co_name for f in frames]
        # a comprehension is no function of its own
        inner = next((k for k, name in enumerate(names) if not name.startswith("<")), len(frames))
        outer = frames[inner + 1 :]
        return self.s.place("opened_by", (outer[0].f_code.co_filename, outer[0].f_lineno)) if outer else None
