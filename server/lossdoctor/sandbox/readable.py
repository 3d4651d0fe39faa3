"""What a script may read besides its project: the system, its interpreter, data roots, named files."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path

from lossdoctor.sandbox.hidden import TOKEN_FILES, reveals

SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/opt", "/nix/store", "/gnu/store")
# /etc holds password hashes and keys: only what loaders, locales, names and certificates need
ETC = (
    "ld.so.cache", "ld.so.conf", "ld.so.conf.d", "ld.so.preload", "passwd", "group", "nsswitch.conf",
    "hosts", "host.conf", "gai.conf", "services", "protocols", "localtime", "timezone", "locale.alias",
    "ssl/certs", "ssl/openssl.cnf", "pki/tls/certs", "pki/ca-trust/extracted", "ca-certificates",
    "alternatives", "fonts", "mime.types", "os-release", "debian_version", "python3", "OpenCL", "vulkan",
    "nvidia", "machine-id", "bash.bashrc", "profile",
)  # fmt: skip
RESOLVER = ("resolv.conf",)  # only with network
SYSFS = "/sys"
DATA_ROOTS = (
    "/data", "/datasets", "/dataset", "/mnt", "/media", "/srv", "/scratch", "/storage", "/shared", "/nfs",
    "/lustre", "/gpfs", "/efs", "/fsx", "/vol", "/volumes", "/workspace", "/workspaces", "/kaggle",
    "/content",
)  # fmt: skip
TOO_MANY = 4_000


def system_paths(network: bool) -> list[Path]:
    """Existing system folders and the harmless part of /etc."""
    names = [*SYSTEM, *(f"/etc/{name}" for name in ETC + (RESOLVER if network else ()))]
    return [path for path in map(Path, names) if path.exists()]


def data_paths(home: Path) -> list[Path]:
    """Shared data roots, without the home folder where it lies inside one of them."""
    roots = [path for path in map(Path, DATA_ROOTS) if path.is_dir() and not path.is_symlink()]
    return [shown for root in roots for shown in without(root, home) if not _is_windows_drive(shown)]


def without(root: Path, hidden: Path) -> list[Path]:
    """``root``, or its entries down to ``hidden`` and without it, where ``hidden`` lies inside."""
    if root == hidden or not hidden.is_relative_to(root):
        return [] if root == hidden else [root]
    try:
        entries = sorted(root.iterdir())
    except OSError:
        return []
    return [shown for entry in entries[:TOO_MANY] for shown in without(entry, hidden)]


def _is_windows_drive(path: Path) -> bool:
    """WSL mounts whole Windows disks, with every user's files, at /mnt/c."""
    return path.parent == Path("/mnt") and len(path.name) == 1


def without_tokens(folder: Path) -> list[Path]:
    """The folder, or its entries except access tokens where it holds any."""
    if not any((folder / name).exists() for name in TOKEN_FILES):
        return [folder]
    return [entry for entry in sorted(folder.iterdir())[:TOO_MANY] if entry.name not in TOKEN_FILES]


def interpreter_paths(executable: str, folders: Sequence[str], project: Path, home: Path) -> list[Path]:
    """Prefixes and import folders of an interpreter; the project's own sources come from its copy."""
    real = Path(os.path.realpath(executable))
    wanted = [*map(Path, folders), Path(executable).parent, real.parent.parent]
    prefixes = [path for path in wanted if (path / "pyvenv.cfg").exists() or (path / "conda-meta").exists()]

    def needed(path: Path) -> bool:
        in_project = path.is_relative_to(project) and not any(path.is_relative_to(p) for p in prefixes)
        return path.is_absolute() and path.exists() and not in_project and not reveals(path, home)

    return list(dict.fromkeys(path for path in wanted if needed(path)))


def named_paths(args: Iterable[str], cwd: Path, project: Path, home: Path) -> list[Path]:
    """Existing files and folders outside the project that the script's arguments name."""
    found: list[Path] = []
    for word in (part for arg in args for part in (arg, arg.partition("=")[2]) if part):
        path = Path(os.path.normpath(cwd / _expanded(word)))
        if not path.is_relative_to(project) and _exists(path) and not reveals(path, home):
            found.append(path)
    return list(dict.fromkeys(found))


def _expanded(word: str) -> Path:
    try:
        return Path(word).expanduser()
    except RuntimeError:  # ~nobody
        return Path(word)


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except (OSError, ValueError):
        return False
