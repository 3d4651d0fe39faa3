"""Give up rights, say what is left, become the script: the last program before the user's code.

``python -I -S confine.py SPEC.json REPORT_FD PORT``. The report is one JSON object on REPORT_FD:
what the self-test found, or ``error`` when a layer could not be applied (then nothing is started).
"""

# ruff: noqa: PTH208
# Bare system calls: pathlib would add cost and lazy iterators here.
from __future__ import annotations

import contextlib
import json
import os
import resource
import socket
import sys
import types
from pathlib import Path
from typing import Any

if __package__ in (None, ""):  # started by path: make our own package importable without importing the server
    HERE = Path(__file__).resolve().parent
    for _name, _folder in (("lossdoctor", HERE.parent.parent), ("lossdoctor.sandbox", HERE.parent)):
        _package = types.ModuleType(_name)
        _package.__path__ = [str(_folder)]
        sys.modules[_name] = _package

from lossdoctor.sandbox.child import landlock, namespaces, seccomp, selftest, syscalls


def confine(spec: dict[str, Any], channel: socket.socket) -> dict[str, Any]:
    """Apply every layer that the spec asks for, in the one order that works; returns what was applied."""
    applied: dict[str, Any] = {}
    if spec["namespaces"] is not None:
        namespaces.enter(**spec["namespaces"])
    if syscalls.supported():
        syscalls.control(syscalls.PR_SET_PDEATHSIG, 9)
    limit(spec["limits"])
    first_to_go()
    if spec["drop_capabilities"] and os.geteuid() == 0:
        syscalls.drop_capabilities()
    if spec["landlock"] is not None:
        applied["landlock_abi"] = landlock.restrict(**spec["landlock"])
    if spec["seccomp"] is not None:
        listener = seccomp.install(**spec["seccomp"])
        if listener is not None:
            socket.send_fds(channel, [b" "], [listener])
            os.close(listener)
    return applied


def first_to_go() -> None:
    """When memory runs out the kernel takes the script, not its supervisor or another program."""
    with contextlib.suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text("1000", encoding="ascii")


def limit(limits: dict[str, int]) -> None:
    """Lower resource limits; NPROC counts the user's other threads, so it is set on top of them."""
    for name, value in limits.items():
        which = getattr(resource, name)
        hard = resource.getrlimit(which)[1]
        wanted = value + _own_threads() if name == "RLIMIT_NPROC" else value
        lowered = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(which, (lowered, lowered))


def _own_threads() -> int:
    total = 0
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if process.stat().st_uid == os.getuid():
                total += len(os.listdir(process / "task"))
        except OSError:
            continue
    return total


def confine_and_report(spec: dict[str, Any], channel: socket.socket, port: int) -> None:
    """Confine this process and say what is left; ends it (126) when a layer cannot be applied."""
    with channel:
        try:
            applied = confine(spec, channel)
            found = {**applied, **selftest.report({**spec["test"], "port": port})}
        except Exception as error:
            channel.sendall(json.dumps({"error": f"{type(error).__name__}: {error}"}).encode())
            sys.exit(126)
        channel.sendall(json.dumps(found).encode())


def main(spec_path: str, report_fd: str, port: str) -> None:
    """Confine, report, and replace this process by the target."""
    spec = json.loads(Path(spec_path).read_text(encoding="utf-8"))
    confine_and_report(spec, socket.socket(fileno=int(report_fd)), int(port))
    os.chdir(spec["cwd"])
    os.execv(spec["target"][0], spec["target"])


if __name__ == "__main__":
    main(*sys.argv[1:4])
