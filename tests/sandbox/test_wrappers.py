"""The command lines of bubblewrap and of the macOS sandbox."""

from __future__ import annotations

from pathlib import Path

import pytest

from lossdoctor.sandbox import bubblewrap, seatbelt
from lossdoctor.sandbox.bubblewrap import Mount


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bubblewrap, "executable", lambda: "/usr/bin/bwrap")


def line(*mounts: Mount, network: bool = False, devices: tuple[str, ...] = ()) -> str:
    return " ".join(bubblewrap.command(mounts, devices, network, Path("/p"), 1 << 20))


@pytest.mark.usefixtures("installed")
def test_everything_is_separated_and_nothing_is_mounted_that_was_not_listed() -> None:
    command = line()
    assert "--unshare-all --die-with-parent --new-session --cap-drop ALL" in command
    assert "--bind / /" not in command
    assert "--share-net" not in command
    assert "--share-net" in line(network=True)


@pytest.mark.usefixtures("installed")
def test_deeper_mounts_come_later_and_the_first_for_a_place_counts() -> None:
    deep, shallow = Mount(Path("/s/a"), Path("/a/b/c")), Mount(Path("/s/b"), Path("/a"), writable=True)
    command = line(deep, shallow, Mount(Path("/other"), Path("/a")))
    assert command.index("--bind /s/b /a") < command.index("--ro-bind-try /s/a /a/b/c")
    assert "/other" not in command


@pytest.mark.usefixtures("installed")
def test_graphics_devices_are_passed_after_the_private_dev() -> None:
    command = line(devices=("/dev/nvidia0",))
    assert command.index("--dev /dev") < command.index("--dev-bind-try /dev/nvidia0 /dev/nvidia0")


def test_without_bubblewrap_there_is_no_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bubblewrap, "executable", lambda: None)
    with pytest.raises(FileNotFoundError):
        line()


def test_the_macos_profile_denies_by_default_and_lists_folders() -> None:
    text = seatbelt.profile([Path("/opt/py")], [Path('/tmp/a "b"')], network=False)
    assert text.startswith("(version 1)\n(deny default)")
    assert '(allow file-read* (subpath "/opt/py"))' in text
    assert '(allow file-read* file-write* (subpath "/tmp/a \\"b\\""))' in text
    assert "(allow network*)" not in text
    assert text.count("(") == text.count(")")


def test_the_macos_profile_lets_the_network_through_when_asked() -> None:
    assert "(allow network*)" in seatbelt.profile([], [], network=True)


def test_the_macos_profile_lets_metal_and_openmp_work() -> None:
    text = seatbelt.profile([], [], network=False)
    for needed in ("AGXDeviceUserClient", "com.apple.MTLCompilerService", "__KMP_REGISTERED_LIB_"):
        assert needed in text
