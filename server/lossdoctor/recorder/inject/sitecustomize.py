"""Python imports this by itself at start-up when its folder is on PYTHONPATH: the way into ``torchrun`` and shell
scripts, where the training process is not ours to start.

It acts only in a process that runs a script or module of the project, and only once that imports torch; launchers,
loader workers and helper programs stay untouched. ``LOSSDOCTOR_CONFIG`` names the settings.
"""

from __future__ import annotations

import importlib.machinery
import importlib.util
import json
import os
import random
import sys
from collections.abc import Sequence
from types import ModuleType
from typing import Any

NAME = "_lossdoctor_recorder"
HERE = os.path.dirname(os.path.abspath(__file__))
VALUED = ("-W", "-X", "--check-hash-based-pycs")  # interpreter options with a value of their own


def main() -> None:
    """Hand over to the next sitecustomize, then wait for torch if this process is the one to record."""
    _next_sitecustomize()
    path = os.environ.get("LOSSDOCTOR_CONFIG")
    if not path:
        return
    try:
        with open(path, encoding="utf-8") as file:
            config: dict[str, Any] = json.load(file)
    except (OSError, ValueError):
        return
    target = user_target(list(sys.orig_argv), str(config.get("project", "")))
    if target is not None:
        random.seed(int(config.get("seed", 0)))
        config |= {"script": target, "module": None, "argv": sys.orig_argv[-20:]}
        sys.meta_path.insert(0, AfterTorch(config))


def _next_sitecustomize() -> None:
    """Ours hides a sitecustomize of the system or the user: run that too."""
    rest = [p for p in sys.path if os.path.abspath(p or ".") != HERE]
    spec = importlib.machinery.PathFinder.find_spec("sitecustomize", rest)
    if spec is not None and spec.loader is not None:
        spec.loader.exec_module(importlib.util.module_from_spec(spec))


def user_target(command: list[str], project: str) -> str | None:
    """The file of the project that this interpreter was started with; None for anything else."""
    arguments = command[1:]
    while arguments and arguments[0].startswith("-") and arguments[0] not in ("-m", "-c", "-"):
        del arguments[: 2 if arguments[0] in VALUED else 1]
    if len(arguments) > 1 and arguments[0] == "-m":
        stem = arguments[1].replace(".", os.sep)
        found = [p for p in (f"{stem}.py", os.path.join(stem, "__main__.py")) if os.path.isfile(p)]
        arguments = found[:1]
    if not arguments or not os.path.isfile(arguments[0]):
        return None
    path = os.path.realpath(arguments[0])
    inside = path.startswith(os.path.realpath(project) + os.sep)
    installed = path.startswith(os.path.realpath(sys.prefix) + os.sep) or "site-packages" in path
    return path if inside and not installed else None


class AfterTorch:
    """Lets the import of torch happen, then attaches the recorder."""

    def __init__(self, config: dict[str, Any]) -> None:
        self._config = config

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if name != "torch" or self not in sys.meta_path:
            return None
        sys.meta_path.remove(self)  # type: ignore[arg-type]
        spec = importlib.util.find_spec("torch")
        if spec is not None and spec.loader is not None:
            spec.loader = Loader(spec.loader, self._config)  # type: ignore[assignment]
        return spec


class Loader:
    """torch's own loader, and then the recorder's."""

    def __init__(self, loader: Any, config: dict[str, Any]) -> None:
        self._loader, self._config = loader, config

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> ModuleType | None:
        module: ModuleType | None = self._loader.create_module(spec)
        return module

    def exec_module(self, module: ModuleType) -> None:
        module.__loader__ = self._loader
        if module.__spec__ is not None:
            module.__spec__.loader = self._loader
        self._loader.exec_module(module)
        _attach(self._config)


def _attach(config: dict[str, Any]) -> None:
    folder = os.path.dirname(HERE)
    path = os.path.join(folder, "__init__.py")
    spec = importlib.util.spec_from_file_location(NAME, path, submodule_search_locations=[folder])
    assert spec is not None
    assert spec.loader is not None
    sys.modules[NAME] = package = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(package)
    importlib.import_module(f"{NAME}.attached").attach(config)


main()
