"""Shared fixtures: the event loop, and two real environments that must not know of each other.

The server environment has lossdoctor and no torch; the user environment has torch and no mcp.
``LOSSDOCTOR_TEST_SERVER_PYTHON`` and ``LOSSDOCTOR_TEST_USER_PYTHON`` name ready ones instead.
"""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError
from pathlib import Path

import pytest
from tests.environments import ROOT, environment
from tests.toml import read_toml

from lossdoctor.sandbox.layout import compile_recorder


def pytest_configure() -> None:
    """Hear the interrupt that a shell has its background jobs ignore: tests send it to what they start."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what needs the machine for itself when tests run side by side (``pytest -m alone`` runs it)."""
    if hasattr(config, "workerinput"):
        alone = [item for item in items if item.get_closest_marker("alone")]
        config.hook.pytest_deselected(items=alone)
        items[:] = [item for item in items if item not in alone]


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="session")
def root() -> Path:
    """The checkout."""
    return ROOT


@pytest.fixture(scope="session")
def server_python() -> str:
    """An interpreter with lossdoctor and what it requires, and without torch."""
    if given := os.environ.get("LOSSDOCTOR_TEST_SERVER_PYTHON"):
        return given
    required = read_toml(ROOT / "pyproject.toml")["project"]["dependencies"]
    return environment("server", required, [ROOT / "server"])


@pytest.fixture(scope="session")
def user_python() -> str:
    """An interpreter with torch and what the example scripts need, and without mcp or lossdoctor."""
    if given := os.environ.get("LOSSDOCTOR_TEST_USER_PYTHON"):
        return given
    try:
        return environment("user", ["torch", "numpy", "scikit-learn"])
    except PackageNotFoundError as missing:
        pytest.skip(f"{missing.name} is not installed here: use the README's command, or name an interpreter")


@pytest.fixture(scope="session")
def warm(user_python: str) -> Iterator[subprocess.Popen[str]]:
    """A user interpreter that has torch imported and forks per script: two seconds less for each."""
    program, launch = (
        ROOT / "tests" / "recorder" / "warm.py",
        ROOT / "server" / "lossdoctor" / "recorder" / "launch.py",
    )
    compile_recorder()
    alone = {"OMP_NUM_THREADS": "1", "PATH": "/usr/bin:/bin", "PYTHONDONTWRITEBYTECODE": "1"}
    command = [user_python, str(program), str(launch)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=alone
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        yield process
        process.stdin.close()
