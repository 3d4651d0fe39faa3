"""Shared fixtures: the event loop, and two real environments that must not know of each other.

The server environment has lossdoctor and no torch; the user environment has torch and no mcp. They are
made once and kept in ``.cache/test-envs``; ``LOSSDOCTOR_TEST_SERVER_PYTHON`` and
``LOSSDOCTOR_TEST_USER_PYTHON`` name ready ones instead.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
LAUNCH = ROOT / "server" / "lossdoctor" / "recorder" / "launch.py"
ONE_THREAD = {"OMP_NUM_THREADS": "1", "PATH": "/usr/bin:/bin", "PYTHONDONTWRITEBYTECODE": "1"}


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="session")
def root() -> Path:
    """The checkout."""
    return ROOT


@pytest.fixture(scope="session")
def server_python() -> str:
    """An interpreter with lossdoctor installed and without torch."""
    return _environment("LOSSDOCTOR_TEST_SERVER_PYTHON", "server", ["-e", str(ROOT)])


@pytest.fixture(scope="session")
def user_python() -> str:
    """An interpreter with torch and what the example scripts need, and without mcp or lossdoctor."""
    return _environment("LOSSDOCTOR_TEST_USER_PYTHON", "user", ["torch", "numpy", "scikit-learn"])


@pytest.fixture(scope="session")
def warm(user_python: str) -> Iterator[subprocess.Popen[str]]:
    """A user interpreter that has torch imported and forks per script: two seconds less for each."""
    command = [user_python, str(ROOT / "tests" / "recorder" / "warm.py"), str(LAUNCH)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=ONE_THREAD
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        yield process
        process.stdin.close()


def _environment(variable: str, name: str, packages: list[str]) -> str:
    if given := os.environ.get(variable):
        return given
    folder = ROOT / ".cache" / "test-envs" / f"{name}-{sys.version_info.major}.{sys.version_info.minor}"
    python, ready = folder / "bin" / "python", folder / "ready"
    if not ready.is_file():
        subprocess.run([sys.executable, "-m", "venv", "--clear", str(folder)], check=True)
        install = [str(python), "-m", "pip", "install", "-q", "-c", str(ROOT / "constraints.txt"), *packages]
        subprocess.run(install, check=True)
        ready.touch()
    return str(python)
