"""Become another program that can read but neither write nor talk: ``readonly.py PROGRAM ARGUMENTS``.

A project may bring its own "interpreter": asking it what it is already runs code nobody has looked at.
Where the kernel has no Landlock the program is started as it is.
"""

from __future__ import annotations

import contextlib
import os
import sys
import types
from pathlib import Path

if __package__ in (None, ""):
    HERE = Path(__file__).resolve().parent
    for _name, _folder in (("lossdoctor", HERE.parent.parent), ("lossdoctor.sandbox", HERE.parent)):
        _package = types.ModuleType(_name)
        _package.__path__ = [str(_folder)]
        sys.modules[_name] = _package

from lossdoctor.sandbox.child import landlock, seccomp, syscalls

HARMLESS = ("/dev/null", "/dev/zero", "/dev/urandom", "/dev/random")


def main(command: list[str]) -> None:
    """Give up writing and the network as far as this machine allows, then start the program."""
    if syscalls.supported():
        with contextlib.suppress(OSError):
            landlock.restrict(read=["/"], write=[], devices=HARMLESS, tcp=False)
            seccomp.install([seccomp.AF_UNIX], shared_ipc=True, ask=False)
    os.execv(command[0], command)


if __name__ == "__main__":
    main(sys.argv[1:])
