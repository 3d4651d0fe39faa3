"""Places that a training script never needs and that must not be shown to it."""

from __future__ import annotations

from pathlib import Path

# below the home folder; the list follows what ssh, git, cloud, package and model tools document
SECRETS = (
    ".ssh", ".gnupg", ".aws", ".azure", ".config", ".docker", ".kube", ".netrc", ".git-credentials",
    ".pypirc", ".npmrc", ".password-store", ".mozilla", ".local/share/keyrings", ".bash_history",
    ".zsh_history", ".python_history", ".pgpass", ".my.cnf", ".vault-token", ".kaggle", ".claude",
    ".claude.json", ".cursor", ".codex", ".gemini", ".cache/huggingface/token",
    ".cache/huggingface/stored_tokens", ".huggingface",
)  # fmt: skip
TOKEN_FILES = ("token", "stored_tokens")  # what huggingface_hub writes beside its cache


def home_folder() -> Path:
    """The user's home; a user without one (a container started with a bare number) has a path to nothing."""
    try:
        return Path.home()
    except RuntimeError:
        return Path("/nonexistent")


def is_secret(path: Path, home: Path) -> bool:
    """Whether a path is, or lies below, one of the places that stay hidden."""
    return any(path == home / name or (home / name) in path.parents for name in SECRETS)


def reveals(path: Path, home: Path) -> bool:
    """Whether showing ``path`` would show the home folder, the whole machine, or a secret."""
    return path == Path("/") or path == home or path in home.parents or is_secret(path, home)
