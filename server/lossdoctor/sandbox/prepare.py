"""Everything on disk that an experiment needs before it starts: copies, settings, the order."""

from __future__ import annotations

import json
import os
import re
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lossdoctor.sandbox import bubblewrap, devices, seatbelt
from lossdoctor.sandbox.caches import shadow_caches
from lossdoctor.sandbox.child import seccomp, syscalls
from lossdoctor.sandbox.environment import FOLDERS, child_environment
from lossdoctor.sandbox.experiment import Experiment, Interpreter
from lossdoctor.sandbox.hidden import SECRETS, home_folder, reveals
from lossdoctor.sandbox.layout import LEVELS, Rung, Seen, Work, compile_recorder, seen_by
from lossdoctor.sandbox.limits import Limits
from lossdoctor.sandbox.project import Copy, Project, copy_project, edit_copy
from lossdoctor.sandbox.readable import (
    SYSFS,
    data_paths,
    interpreter_paths,
    named_paths,
    system_paths,
    without_tokens,
)  # fmt: skip


@dataclass(frozen=True)
class Prepared:
    """One experiment, ready to start: the supervisor's command and what the judgement needs later."""

    command: list[str]
    work: Work
    project: Project
    rung: Rung
    environment: dict[str, str]
    copy: Copy


@dataclass(frozen=True)
class Plan:
    """All that was decided about one experiment before anything is written."""

    experiment: Experiment
    interpreter: Interpreter
    folders: tuple[str, ...]
    project: Project
    cwd: Path
    rung: Rung
    limits: Limits
    work: Work
    ask: bool = True  # let the supervisor decide on Unix sockets where they are not separated
    command: tuple[str, ...] | None = None  # instead of the recorder: a trial, a test

    @property
    def seen(self) -> Seen:
        return seen_by(self.rung, self.work, self.project)

    @property
    def separate(self) -> bool:
        """Whether the script gets namespaces of its own."""
        return LEVELS[self.rung] == "namespaces"

    @property
    def shared_memory(self) -> int:
        """Bytes of a private /dev/shm."""
        return min(bubblewrap.SHARED_MEMORY, max(self.limits.memory // 2, 64 << 20))


def prepare(plan: Plan) -> Prepared:
    """Copy the project, write settings and order; blocking (call it in a thread)."""
    compile_recorder()
    seen, work = plan.seen, plan.work
    copied = copy_project(plan.project, work.project, seen.original)
    for edit in plan.experiment.edits:
        edit_copy(work.project, edit.file.relative_to(plan.project.root), edit.line, edit.text)
    caches = shadow_caches(home_folder(), work.home, seen.caches)
    target, environment = _target(plan)
    _write(work.control / "config.json", _config(plan))
    shown = _shown(plan, copied, caches)
    spec = {"target": target, "cwd": str(_inside(plan, plan.cwd)), **_layers(plan, shown)}
    spec["test"] = {
        "home": str(home_folder()), "project": str(plan.project.root), "secrets": SECRETS,
        "sentinel": f".{work.root.name}-selftest", "decoy": str(work.decoy),
    }  # fmt: skip
    _write(work.control / "confine.json", spec)
    _write(work.control / "order.json", _order(plan, shown, environment, copied.bytes))
    supervisor = plan.work.control / "order.json"
    program = str(seen_by("none", work, plan.project).programs / "supervise.py")
    command = [sys.executable, "-I", "-S", program, str(supervisor)]
    return Prepared(command, work, plan.project, plan.rung, environment, copied)


def _write(path: Path, content: dict[str, Any]) -> None:
    path.write_text(json.dumps(content), encoding="utf-8")


def _target(plan: Plan) -> tuple[list[str], dict[str, str]]:
    """The command that records, and its environment."""
    seen, run = plan.seen, plan.experiment
    environment = child_environment(
        os.environ, plan.interpreter.path, seen.home, seen.tmp, run.env, run.allow_network
    )
    config = str(seen.control / "config.json")
    if plan.command is not None:
        return list(plan.command), environment
    if run.script.suffix != ".sh":
        return [plan.interpreter.path, "-u", str(seen.recorder / "launch.py"), config], environment
    inject = [str(seen.recorder / "inject"), *filter(None, [environment.get("PYTHONPATH")])]
    environment |= {"PYTHONPATH": os.pathsep.join(inject), "LOSSDOCTOR_CONFIG": config}
    return ["/bin/bash", str(_inside(plan, run.script)), *_args(plan)], environment


def _config(plan: Plan) -> dict[str, Any]:
    """The recorder's settings (its contract: recorder/launch.py)."""
    run, seen = plan.experiment, plan.seen
    return {
        **run.recorder,
        "script": str(_inside(plan, run.script)),
        "module": run.module,
        "argv": _args(plan),
        "trace": str(seen.trace),
        "seed": run.seed,
        "max_steps": run.max_steps,
        "max_seconds": run.max_seconds,
        "interventions": list(run.interventions),
        "project": str(seen.project),
        "real_project": str(plan.project.root),
    }


def _inside(plan: Plan, path: Path) -> Path:
    """A path of the project as the script sees it; anything else becomes the project's root."""
    if not path.is_relative_to(plan.project.root):
        return plan.seen.project
    return plan.seen.project / path.relative_to(plan.project.root)


def _args(plan: Plan) -> list[str]:
    """The script's arguments, with absolute paths into the project pointing into the copy."""
    real, seen = str(plan.project.root), str(plan.seen.project)
    pattern = re.compile(rf"(^|[=:,]){re.escape(real)}(?=/|$)")
    return [pattern.sub(lambda found: found.group(1) + seen, arg) for arg in plan.experiment.args]


def _shown(plan: Plan, copied: Copy, caches: list[Path]) -> list[bubblewrap.Mount]:
    """Everything that may be read, as (source, place): only mount namespaces can move a place."""
    home, root, seen = home_folder(), plan.project.root, plan.seen
    named = named_paths(plan.experiment.args, plan.cwd, root, home)
    variables = [Path(os.environ[name]) for name in FOLDERS if os.environ.get(name)]
    listed = [Path(part) for part in os.environ.get("LD_LIBRARY_PATH", "").split(os.pathsep) if part]
    extra = [path for path in (*variables, *listed, *copied.outside) if path.is_absolute() and path.exists()]
    given = [entry for path in extra if not reveals(path, home) for entry in without_tokens(path)]
    same = [
        *system_paths(plan.experiment.allow_network), Path(SYSFS), *data_paths(home), *named, *given,
        *_interpreter(plan, copied),
    ]  # fmt: skip
    moved = [bubblewrap.Mount(home / name, seen.caches / name) for name in caches]
    own = [bubblewrap.Mount(_programs(plan).programs, seen.programs)]
    own += [bubblewrap.Mount(_programs(plan).recorder, seen.recorder)]
    own += [bubblewrap.Mount(plan.work.control, seen.control)]
    original = [] if plan.project.loose and not plan.separate else [bubblewrap.Mount(root, seen.original)]
    if plan.project.loose:
        original = [bubblewrap.Mount(root / name, seen.original / name) for name in copied.linked]
    return [*own, *moved, *original, *(bubblewrap.Mount(path, path) for path in dict.fromkeys(same))]


def _interpreter(plan: Plan, copied: Copy) -> list[Path]:
    """What the interpreter needs; its environment inside the project is already there as a link, and
    nothing can be mounted on a link."""
    root = plan.project.root
    needed = interpreter_paths(plan.interpreter.path, plan.folders, root, home_folder())
    if not plan.separate:
        return needed
    linked = [root / name for name in copied.linked]
    return [path for path in needed if not any(path.is_relative_to(link) for link in linked)]


def _programs(plan: Plan) -> Seen:
    return seen_by("none", plan.work, plan.project)


def _writable(plan: Plan) -> list[bubblewrap.Mount]:
    work, seen = plan.work, plan.seen
    pairs = (
        (work.home, seen.home),
        (work.tmp, seen.tmp),
        (work.project, seen.project),
        (work.trace, seen.trace),
    )
    return [bubblewrap.Mount(source, target, writable=True) for source, target in pairs]


def _layers(plan: Plan, shown: list[bubblewrap.Mount]) -> dict[str, Any]:
    """What the process takes away from itself before it becomes the script (child/confine.py)."""
    network, alone = plan.experiment.allow_network, plan.separate
    internet = [seccomp.AF_INET, seccomp.AF_INET6, seccomp.AF_NETLINK]
    families = [seccomp.AF_UNIX, *(internet if network or alone else [])]
    ask = plan.ask and not alone and not network
    filters = plan.rung in ("bubblewrap", "unshare", "landlock") and syscalls.supported()
    read = [str(mount.source) for mount in shown]
    write = [str(mount.source) for mount in _writable(plan)]
    rules = {
        "read": [*read, "/proc", "/dev/shm"], "write": [*write, "/dev/shm"], "tcp": network,
        "devices": [*devices.BASIC, *devices.gpu_nodes()],
    }  # fmt: skip
    return {
        "limits": plan.limits.for_process(devices.has_gpu()),
        "drop_capabilities": plan.rung in ("landlock", "unshare"),
        "namespaces": _namespaces(plan, shown) if plan.rung == "unshare" else None,
        "landlock": rules if plan.rung == "landlock" else None,
        "seccomp": {"families": families, "shared_ipc": not alone, "ask": ask} if filters else None,
    }


def _order(
    plan: Plan, shown: list[bubblewrap.Mount], environment: dict[str, str], copied: int
) -> dict[str, Any]:
    """What the supervisor is told (child/supervise.py)."""
    work, seen = plan.work, plan.seen
    starts = seen if plan.rung == "bubblewrap" else _programs(plan)  # our own namespaces are entered later
    confine = [plan.interpreter.path, "-I", "-S", str(starts.programs / "confine.py")]
    spec = str(starts.control / "confine.json")
    command = [*_wrapper(plan, shown), *confine, spec, "@report@", "@port@"]
    scratch = [str(work.home), str(work.tmp), str(work.project)]
    return {
        "command": command, "env": environment, "cwd": "/", "outcome": str(work.outcome),
        "wall": plan.limits.wall(plan.experiment.max_seconds), "memory": plan.limits.memory,
        "processes": plan.limits.processes, "disk": plan.limits.disk + copied,
        "measured": [*scratch, str(work.trace)], "scratch": scratch,
        "spec": str(work.control / "confine.json"), "decoy": str(work.decoy),
        "shares_memory": plan.rung in ("landlock", "none"),
        "abandon": [str(folder) for folder in work.temporary],
    }  # fmt: skip


def _wrapper(plan: Plan, shown: list[bubblewrap.Mount]) -> list[str]:
    network = plan.experiment.allow_network
    if plan.rung == "seatbelt":
        read = [mount.source for mount in shown]
        return seatbelt.command(read, [mount.source for mount in _writable(plan)], network)
    if plan.rung != "bubblewrap":
        return []
    mounts = [*_writable(plan), *shown]
    return bubblewrap.command(mounts, devices.gpu_nodes(), network, plan.seen.project, plan.shared_memory)


def _namespaces(plan: Plan, shown: list[bubblewrap.Mount]) -> dict[str, Any]:
    """The same mounts for our own namespaces (child/namespaces.py)."""
    mounts = bubblewrap.parents_first([*_writable(plan), *shown])
    return {
        "root": str(plan.work.empty), "shm": plan.shared_memory, "network": plan.experiment.allow_network,
        "mounts": [(str(mount.source), str(mount.target), mount.writable) for mount in mounts],
        "devices": [*devices.BASIC, *devices.gpu_nodes()],
    }  # fmt: skip
