from __future__ import annotations

import os
from pathlib import Path

import pytest

from lossdoctor.sandbox.child import quota


def test_bytes_are_counted_below_a_folder(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "x").write_bytes(os.urandom(1 << 16))
    assert quota.size(tmp_path, 1 << 30) >= 1 << 16


def test_counting_stops_when_there_is_enough(tmp_path: Path) -> None:
    for index in range(3):
        (tmp_path / f"d{index}").mkdir()
        (tmp_path / f"d{index}" / "x").write_bytes(b"x" * (1 << 16))
    assert quota.size(tmp_path, 1) < 3 << 16


def test_links_are_not_followed(tmp_path: Path) -> None:
    (tmp_path / "own").mkdir()
    (tmp_path / "big").write_bytes(b"x" * (1 << 20))
    (tmp_path / "own" / "link").symlink_to(tmp_path / "big")
    assert quota.size(tmp_path / "own", 1 << 30) < 1 << 20


def test_a_quota_is_looked_at_when_the_disk_has_become_fuller(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    free = [1 << 30]
    monkeypatch.setattr(quota.Disk, "_free", lambda self: (free[0], 1 << 20))
    disk = quota.Disk([tmp_path], limit=1 << 16)
    (tmp_path / "x").write_bytes(b"x" * (1 << 17))
    assert disk.exceeded() is None
    free[0] -= quota.LOOK_AGAIN
    assert disk.exceeded() is not None


def test_a_folder_without_permissions_is_removed(tmp_path: Path) -> None:
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / "a" / "b" / "x").touch()
    (tmp_path / "a" / "b").chmod(0)
    (tmp_path / "a").chmod(0)
    quota.remove(tmp_path / "a")
    assert not (tmp_path / "a").exists()


def test_what_links_point_to_is_not_removed(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "kept").mkdir()
    (tmp_path / "a" / "link").symlink_to(tmp_path / "kept")
    quota.remove(tmp_path / "a")
    assert (tmp_path / "kept").exists()


def test_a_missing_folder_is_fine(tmp_path: Path) -> None:
    quota.remove(tmp_path / "none")
