from __future__ import annotations

from pathlib import Path

from lossdoctor.sandbox.caches import shadow_caches


def test_a_cache_is_linked_two_levels_down_without_its_tokens(tmp_path: Path) -> None:
    real, home = tmp_path / "real", tmp_path / "home"
    hub = real / ".cache/huggingface/hub/models--x"
    hub.mkdir(parents=True)
    (real / ".cache/huggingface/token").write_text("hf_secret")
    shown = shadow_caches(real, home, Path("/seen"))
    assert shown == [Path(".cache/huggingface/hub")]
    link = home / ".cache/huggingface/hub/models--x"
    assert link.readlink() == Path("/seen/.cache/huggingface/hub/models--x")
    assert not (home / ".cache/huggingface/token").exists()


def test_lock_files_can_be_put_beside_the_links(tmp_path: Path) -> None:
    (tmp_path / "real/.cache/torch/hub").mkdir(parents=True)
    shadow_caches(tmp_path / "real", tmp_path / "home", tmp_path / "real")
    (tmp_path / "home/.cache/torch/hub/x.lock").touch()
    assert not (tmp_path / "real/.cache/torch/hub/x.lock").exists()


def test_a_home_without_caches_shows_nothing(tmp_path: Path) -> None:
    assert shadow_caches(tmp_path, tmp_path / "home", tmp_path) == []
