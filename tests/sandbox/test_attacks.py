"""The attack battery, at every rung that this machine offers. None may succeed."""

from __future__ import annotations

import ast
import json
import select
import shutil
import socket
import subprocess
import sys
import uuid
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import anyio
import pytest
from tests.sandbox.conftest import LAUNCH

from lossdoctor.sandbox import Experiment, Interpreter, Recording, isolation, layout, run_experiment, runner
from lossdoctor.sandbox.layout import Rung

HOSTILE = Path(__file__).with_name("hostile.py")
VICTIM = "victim.py"
# what a rung's ``details`` owns up to
KNOWN_HOLES: dict[Rung, set[str]] = {"bubblewrap": set(), "unshare": set(), "landlock": set()}


def attack_names() -> list[str]:
    """The keys of ATTACKS, read without running the hostile script."""
    for node in ast.parse(HOSTILE.read_text()).body:
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "ATTACKS":
            assert isinstance(node.value, ast.Dict)
            return [ast.literal_eval(key) for key in node.value.keys if key is not None]
    raise AssertionError("no ATTACKS")


class Outside:
    """The decoys: services, files and a process that the script must not reach."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        self.folder, self.home, self.project = folder, folder / "home", folder / "project"
        for path in (
            self.home / ".ssh",
            self.home / ".cache/huggingface",
            self.project,
            folder / "elsewhere",
        ):
            path.mkdir(parents=True)
        (self.home / ".ssh/id_ed25519").write_text("PRIVATE")
        (self.home / ".cache/huggingface/token").write_text("hf_secret")
        (self.project / VICTIM).write_text("untouched")
        (self.project / "requirements.txt").touch()
        shutil.copy(HOSTILE, self.project / "hostile.py")
        self.secret = uuid.uuid4().hex
        self.services = [stack.enter_context(service) for service in self._services()]
        self.decoy = stack.enter_context(
            subprocess.Popen(["sleep", "600"], env={"SECRET_KEY": self.secret}, stdin=subprocess.DEVNULL)
        )
        stack.callback(self.decoy.kill)

    def _services(self) -> Iterator[socket.socket]:
        yield socket.create_server(("127.0.0.1", 0))
        yield socket.create_server(("::1", 0), family=socket.AF_INET6)
        yield self._bound(socket.AF_INET, socket.SOCK_DGRAM, ("127.0.0.1", 0))
        yield self._bound(socket.AF_UNIX, socket.SOCK_STREAM, str(self.folder / "s"))
        yield self._bound(socket.AF_UNIX, socket.SOCK_STREAM, "\0" + self.secret)
        yield self._bound(socket.AF_UNIX, socket.SOCK_DGRAM, str(self.folder / "d"))

    @staticmethod
    def _bound(family: int, kind: int, address: Any) -> socket.socket:
        service = socket.socket(family, kind)
        service.bind(address)
        if kind == socket.SOCK_STREAM:
            service.listen()
        return service

    def described(self) -> str:
        """What the hostile script is told."""
        ports = [service.getsockname()[1] for service in self.services[:3]]
        return json.dumps(
            {
                "home": str(self.home), "project": str(self.project), "victim": str(self.project / VICTIM),
                "elsewhere": str(self.folder / "elsewhere"), "port": ports[0], "port6": ports[1],
                "udp": ports[2], "socket": str(self.folder / "s"), "datagram": str(self.folder / "d"),
                "abstract": self.secret, "secret": self.secret, "decoy": self.decoy.pid,
            }
        )  # fmt: skip


Battery = tuple[Rung, dict[str, str], Outside, Recording]


@pytest.fixture(scope="module", params=["bubblewrap", "unshare", "landlock"])
def battery(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Battery]:
    """All attacks in one run of the rung: (rung, results, decoys, recording)."""
    level: Rung = request.param
    probe = isolation.probe(level)
    if probe.found is None:
        pytest.skip(f"{level}: {probe.why}")
    folder = tmp_path_factory.mktemp("b")
    (folder / "recorder").mkdir()
    (folder / "recorder" / "launch.py").write_text(LAUNCH)
    with ExitStack() as stack, pytest.MonkeyPatch.context() as patch:
        outside = Outside(folder, stack)
        patch.setenv("HOME", str(outside.home))
        patch.setenv("SECRET_KEY", outside.secret)
        patch.setenv(isolation.FORCE, level)
        patch.setattr(layout, "RECORDER", folder / "recorder")
        patch.setattr(runner, "find_interpreter", lambda *_: Interpreter(sys.executable, "3", "0", "own"))
        run = Experiment(outside.project / "hostile.py", args=(outside.described(),))
        recording = anyio.run(run_experiment, run)
        shutil.rmtree(recording.folder)
        assert recording.returncode == 0, recording.stderr_tail
        yield level, json.loads(recording.stdout_tail.splitlines()[-1]), outside, recording


# with mount, network and IPC namespaces these work, but only on the script's own copies and loopback
HARMLESS = {
    "write_home", "write_project", "overwrite_script", "truncate", "rename_over", "hard_link",
    "write_through_a_link", "chmod", "delete", "udp_to_a_local_service", "message_queue",
}  # fmt: skip


@pytest.mark.parametrize("attack", attack_names())
def test_an_attack_is_blocked(battery: Battery, attack: str) -> None:
    level, results, _, _ = battery
    if attack in KNOWN_HOLES[level]:
        pytest.xfail("owned up to in the details")
    if level == "landlock" or attack not in HARMLESS:
        assert results[attack].startswith("blocked"), results[attack]


def test_no_service_outside_heard_anything(battery: Battery) -> None:
    level, _, outside, _ = battery
    heard = [service.getsockname() for service in outside.services if _was_called(service)]
    if KNOWN_HOLES[level]:
        pytest.xfail("owned up to in the details")
    assert heard == []


def _was_called(service: socket.socket) -> bool:
    return bool(select.select([service], [], [], 0)[0])


def untouched(outside: Outside) -> bool:
    """Whether home and project hold exactly what they held before."""
    victim = outside.project / VICTIM
    names = sorted(path.name for path in outside.project.iterdir())
    return (
        victim.read_text() == "untouched"
        and not victim.stat().st_mode & 0o002
        and names == ["hostile.py", "requirements.txt", VICTIM]
        and not (outside.home / "pwned").exists()
    )


def test_after_the_battery_home_and_project_are_untouched(battery: Battery) -> None:
    _, _, outside, _ = battery
    assert untouched(outside)
    assert list((outside.folder / "elsewhere").iterdir()) == []
    assert outside.decoy.poll() is None
