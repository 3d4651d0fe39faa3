"""Run by a candidate interpreter: says what it is and which folders it needs, without importing torch."""

# ruff: noqa: PTH120
# Bare system calls: pathlib would add cost and lazy iterators here.
from __future__ import annotations

import importlib.metadata
import importlib.util
import json
import os
import sys
import sysconfig
from pathlib import Path


def torch_version() -> str | None:
    """The installed torch's version from its metadata, or from its version file, else None."""
    try:
        return importlib.metadata.version("torch")
    except importlib.metadata.PackageNotFoundError:
        pass
    spec = importlib.util.find_spec("torch")
    if spec is None or spec.origin is None:
        return None
    file = Path(spec.origin).with_name("version.py")
    lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
    found = [line.split("=")[-1].strip(" '\"") for line in lines if line.startswith("__version__")]
    return found[-1] if found else "unknown"


def editable_folders() -> list[str]:
    """Where packages installed with ``pip install -e`` really lie, when a finder hides it from sys.path."""
    folders: list[str] = []
    for name, module in list(sys.modules.items()):
        mapping = getattr(module, "MAPPING", None) if name.startswith("__editable__") else None
        folders += [os.path.dirname(str(path)) for path in (mapping or {}).values()]
    return folders


def main() -> None:
    """One JSON line on stdout."""
    described = {
        "executable": sys.executable,
        "version": ".".join(str(part) for part in sys.version_info[:3]),
        "torch": torch_version(),
        "prefixes": [sys.prefix, sys.base_prefix, sys.exec_prefix, sys.base_exec_prefix],
        "path": [entry for entry in sys.path if entry] + editable_folders(),
        "library": sysconfig.get_config_var("LIBDIR") or "",
    }
    print("\n" + json.dumps(described))


if __name__ == "__main__":
    main()
