from __future__ import annotations

from pathlib import Path

import pytest

from lossdoctor.sandbox import project as module
from lossdoctor.sandbox.project import Project, copy_project, edit_copy, find_project


def test_the_nearest_marked_folder_that_holds_script_and_cwd_is_the_project(tmp_path: Path) -> None:
    inner = tmp_path / "repo" / "src"
    inner.mkdir(parents=True)
    (tmp_path / "repo" / "pyproject.toml").touch()
    assert find_project(inner / "train.py", inner).root == tmp_path / "repo"


def test_a_marked_folder_without_the_cwd_is_passed_over(tmp_path: Path) -> None:
    inner = tmp_path / "repo" / "src"
    inner.mkdir(parents=True)
    (inner / "requirements.txt").touch()
    (tmp_path / "repo" / ".git").mkdir()
    assert find_project(inner / "train.py", tmp_path / "repo").root == tmp_path / "repo"


def test_without_marks_the_common_folder_counts(tmp_path: Path) -> None:
    folder = tmp_path / "a" / "b"
    folder.mkdir(parents=True)
    assert find_project(folder / "train.py", tmp_path / "a").root == tmp_path / "a"


def test_the_home_folder_is_never_a_project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / ".git").mkdir()
    (tmp_path / "work").mkdir()
    assert find_project(tmp_path / "train.py", tmp_path) == Project(tmp_path, loose=True)
    assert find_project(tmp_path / "work" / "train.py", tmp_path).root == tmp_path / "work"


def test_the_copy_leaves_out_version_control_and_caches(tmp_path: Path) -> None:
    root, target = tmp_path / "root", tmp_path / "copy"
    for name in (".git", "__pycache__", "wandb", "pkg"):
        (root / name).mkdir(parents=True)
        (root / name / "file.py").write_text(name)
    copy_project(Project(root), target, root)
    assert [path.relative_to(target).as_posix() for path in target.rglob("*")] == ["pkg", "pkg/file.py"]


def test_a_large_file_is_linked_not_copied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LARGEST_FILE", 10)
    root = tmp_path / "root"
    root.mkdir()
    (root / "weights.pt").write_bytes(b"x" * 11)
    (root / "train.py").write_bytes(b"x" * 10)
    copied = copy_project(Project(root), tmp_path / "copy", Path("/elsewhere"))
    assert copied.linked == [Path("weights.pt")]
    assert (tmp_path / "copy" / "weights.pt").readlink() == Path("/elsewhere/weights.pt")
    assert not (tmp_path / "copy" / "train.py").is_symlink()


def test_what_exceeds_the_whole_budget_is_linked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LARGEST_COPY", 25)
    root = tmp_path / "root"
    root.mkdir()
    for name in "abcd":
        (root / name).write_bytes(b"x" * 10)
    copied = copy_project(Project(root), tmp_path / "copy", root)
    assert (copied.bytes, copied.files, copied.linked) == (20, 2, [Path("c"), Path("d")])


def test_a_folder_crowded_with_files_is_linked_as_a_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "CROWDED", 3)
    data = tmp_path / "root" / "data"
    data.mkdir(parents=True)
    for index in range(4):
        (data / f"{index}.png").touch()
    copied = copy_project(Project(tmp_path / "root"), tmp_path / "copy", tmp_path / "root")
    assert copied.linked == [Path("data")]
    assert (tmp_path / "copy" / "data" / "3.png").exists()


def test_of_a_crowded_folder_that_holds_the_script_its_own_part_is_copied(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "CROWDED", 3)
    runs = tmp_path / "root" / "runs"
    for index in range(5):
        (runs / f"{index}").mkdir(parents=True)
        (runs / f"{index}" / "train.py").touch()
    (runs / "shared.py").touch()
    (tmp_path / "root" / "pyproject.toml").touch()
    project = find_project(runs / "2" / "train.py", runs / "2")
    assert (project.root, project.kept) == (tmp_path / "root", (Path("runs/2"), Path("runs/2")))
    copied = copy_project(project, tmp_path / "copy", tmp_path / "root")
    assert copied.linked == [Path(f"runs/{k}") for k in (0, 1, 3, 4)]
    assert not (tmp_path / "copy" / "runs" / "2" / "train.py").is_symlink()
    assert not (tmp_path / "copy" / "runs" / "shared.py").is_symlink()


def test_a_virtual_environment_is_linked(tmp_path: Path) -> None:
    (tmp_path / "root" / ".venv").mkdir(parents=True)
    (tmp_path / "root" / ".venv" / "pyvenv.cfg").touch()
    copied = copy_project(Project(tmp_path / "root"), tmp_path / "copy", tmp_path / "root")
    assert copied.linked == [Path(".venv")]


def test_a_link_out_of_the_project_is_kept_and_reported(tmp_path: Path) -> None:
    (tmp_path / "root").mkdir()
    (tmp_path / "big").mkdir()
    (tmp_path / "root" / "data").symlink_to("../big")
    (tmp_path / "root" / "self").symlink_to("train.py")
    (tmp_path / "root" / "train.py").write_text("1")
    copied = copy_project(Project(tmp_path / "root"), tmp_path / "copy", tmp_path / "root")
    assert copied.outside == [tmp_path / "big"]
    assert (tmp_path / "copy" / "data").readlink() == tmp_path / "big"
    assert (tmp_path / "copy" / "self").readlink() == Path("train.py")


def test_a_read_only_file_can_be_written_in_the_copy(tmp_path: Path) -> None:
    (tmp_path / "root").mkdir()
    (tmp_path / "root" / "config.yaml").write_text("a: 1")
    (tmp_path / "root" / "config.yaml").chmod(0o444)
    copy_project(Project(tmp_path / "root"), tmp_path / "copy", tmp_path / "root")
    assert (tmp_path / "copy" / "config.yaml").stat().st_mode & 0o200


def test_pipes_and_sockets_are_left_out(tmp_path: Path) -> None:
    import os

    (tmp_path / "root").mkdir()
    os.mkfifo(tmp_path / "root" / "pipe")
    copied = copy_project(Project(tmp_path / "root"), tmp_path / "copy", tmp_path / "root")
    assert list((tmp_path / "copy").iterdir()) == []
    assert copied.linked == []


def test_beside_a_loose_script_only_visible_files_are_copied(tmp_path: Path) -> None:
    (tmp_path / "root" / "private").mkdir(parents=True)
    for name in (".netrc", "train.py"):
        (tmp_path / "root" / name).touch()
    copy_project(Project(tmp_path / "root", loose=True), tmp_path / "copy", tmp_path / "root")
    assert [path.name for path in (tmp_path / "copy").iterdir()] == ["train.py"]


def test_a_line_of_the_copy_reads_otherwise_and_the_project_stays_as_it_is(tmp_path: Path) -> None:
    root, target = tmp_path / "root", tmp_path / "copy"
    root.mkdir()
    (root / "run.toml").write_bytes(b"width = 4\r\nrate = 0.1\n")
    copy_project(Project(root), target, root)
    edit_copy(target, Path("run.toml"), 1, "width = 64")
    assert (target / "run.toml").read_bytes() == b"width = 64\r\nrate = 0.1\n"
    assert (root / "run.toml").read_bytes() == b"width = 4\r\nrate = 0.1\n"
    with pytest.raises(ValueError, match="no line 4"):
        edit_copy(target, Path("run.toml"), 4, "")
    with pytest.raises(ValueError, match="not copied"):
        edit_copy(target, Path("other.toml"), 1, "")
