from __future__ import annotations

from pathlib import Path

from lossdoctor.sandbox.environment import child_environment

HOME, TMP = Path("/home/inside"), Path("/tmp")
OUTSIDE = {
    "PATH": "/usr/bin", "OPENAI_API_KEY": "sk-1", "AWS_SECRET_ACCESS_KEY": "x", "HF_TOKEN": "hf_x",
    "WANDB_API_KEY": "w", "SSH_AUTH_SOCK": "/run/agent", "DOCKER_HOST": "unix:///x", "LC_ALL": "C.UTF-8",
    "OMP_NUM_THREADS": "1", "CUDA_VISIBLE_DEVICES": "0", "HOME": "/home/me", "PYTHONSTARTUP": "/x.py",
}  # fmt: skip


def environment(network: bool = False, extra: dict[str, str] | None = None) -> dict[str, str]:
    return child_environment(OUTSIDE, "/venv/bin/python", HOME, TMP, extra or {}, network)


def test_secrets_and_sockets_do_not_pass() -> None:
    passed = environment()
    for name in ("OPENAI_API_KEY", "AWS_SECRET_ACCESS_KEY", "HF_TOKEN", "WANDB_API_KEY", "SSH_AUTH_SOCK"):
        assert name not in passed
    assert "DOCKER_HOST" not in passed
    assert "PYTHONSTARTUP" not in passed


def test_what_computing_needs_passes() -> None:
    passed = environment()
    assert (passed["LC_ALL"], passed["OMP_NUM_THREADS"], passed["CUDA_VISIBLE_DEVICES"]) == (
        "C.UTF-8",
        "1",
        "0",
    )


def test_home_and_temporary_folders_are_private() -> None:
    passed = environment()
    private = [passed[name] for name in ("HOME", "TMPDIR", "XDG_CACHE_HOME", "MPLCONFIGDIR")]
    assert all(value.startswith(("/home/inside", "/tmp")) for value in private)
    assert "/home/me" not in " ".join(passed.values())


def test_trackers_and_downloads_are_offline() -> None:
    passed = environment()
    assert (passed["WANDB_MODE"], passed["HF_HUB_OFFLINE"], passed["MPLBACKEND"]) == ("offline", "1", "Agg")


def test_with_network_downloads_work_but_trackers_stay_offline() -> None:
    passed = environment(network=True)
    assert "HF_HUB_OFFLINE" not in passed
    assert passed["WANDB_MODE"] == "offline"


def test_the_chosen_interpreter_is_first_on_the_path() -> None:
    assert environment()["PATH"] == "/venv/bin:/usr/bin"


def test_what_the_user_adds_has_the_last_word() -> None:
    assert (
        environment(extra={"WANDB_MODE": "disabled", "MY": "1"}).items()
        >= {"WANDB_MODE": "disabled", "MY": "1"}.items()
    )
