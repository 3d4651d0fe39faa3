from __future__ import annotations

from pathlib import Path

import pytest

from lossdoctor.sandbox import readable
from lossdoctor.sandbox.hidden import home_folder, is_secret, reveals

HOME = Path("/home/me")


@pytest.mark.parametrize(
    "name", [".ssh/id_rsa", ".aws", ".config/gcloud/x", ".cache/huggingface/token", ".netrc"]
)
def test_secrets_of_the_home_folder_are_known(name: str) -> None:
    assert is_secret(HOME / name, HOME)


@pytest.mark.parametrize("path", ["/", "/home", "/home/me", "/home/me/.ssh"])
def test_paths_that_would_show_the_home_folder_are_refused(path: str) -> None:
    assert reveals(Path(path), HOME)
    assert not reveals(HOME / "data", HOME)


def test_a_user_without_home_is_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    def nobody() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(Path, "home", nobody)
    assert home_folder() == Path("/nonexistent")


def test_a_root_around_the_home_folder_is_shown_without_it(tmp_path: Path) -> None:
    for name in ("home/me", "home/you", "data"):
        (tmp_path / name).mkdir(parents=True)
    shown = readable.without(tmp_path, tmp_path / "home" / "me")
    assert shown == [tmp_path / "data", tmp_path / "home" / "you"]


def test_a_root_elsewhere_is_shown_whole(tmp_path: Path) -> None:
    assert readable.without(tmp_path, HOME) == [tmp_path]


def test_token_files_are_left_out_of_a_cache_folder(tmp_path: Path) -> None:
    for name in ("hub", "token", "stored_tokens"):
        (tmp_path / name).touch()
    assert readable.without_tokens(tmp_path) == [tmp_path / "hub"]
    assert readable.without_tokens(tmp_path / "hub") == [tmp_path / "hub"]


def test_password_hashes_are_no_system_path() -> None:
    shown = readable.system_paths(network=False)
    assert Path("/usr") in shown
    assert not {Path("/etc"), Path("/etc/shadow"), Path("/etc/resolv.conf")} & set(shown)


def test_arguments_name_what_they_name(tmp_path: Path) -> None:
    project, data = tmp_path / "project", tmp_path / "data"
    for folder in (project / "own", data):
        folder.mkdir(parents=True)
    args = ["--data", str(data), f"--again={data}", "../data", "--own=own", "--lr=0.1", "\0", "~nobody/x"]
    assert readable.named_paths(args, project, project, HOME) == [data]


def test_an_argument_cannot_name_a_secret(tmp_path: Path) -> None:
    (tmp_path / ".ssh").mkdir()
    assert (
        readable.named_paths(
            [str(tmp_path / ".ssh"), str(tmp_path)], tmp_path / "p", tmp_path / "p", tmp_path
        )
        == []
    )


def test_the_projects_sources_come_from_the_copy_its_environment_from_outside(tmp_path: Path) -> None:
    project = tmp_path / "project"
    for name in (".venv/bin", ".venv/lib/site-packages", "src"):
        (project / name).mkdir(parents=True)
    (project / ".venv/pyvenv.cfg").touch()
    python = project / ".venv/bin/python"
    python.touch()
    folders = [
        str(project / ".venv"),
        str(project / ".venv/lib/site-packages"),
        str(project / "src"),
        "/gone",
    ]
    shown = readable.interpreter_paths(str(python), folders, project, HOME)
    assert project / ".venv/lib/site-packages" in shown
    assert project / "src" not in shown
    assert Path("/gone") not in shown


def test_windows_drives_are_not_data() -> None:
    assert readable._is_windows_drive(Path("/mnt/c"))
    assert not readable._is_windows_drive(Path("/mnt/disk"))
