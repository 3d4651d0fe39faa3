"""Things that are said in two places say the same, and rendered files are what the tables give."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pytest
from tests.toml import read_toml

import lossdoctor


def read_json(path: Path) -> dict[str, object]:
    loaded: dict[str, object] = json.loads(path.read_text(encoding="utf-8"))
    return loaded


def tracked(root: Path) -> list[Path]:
    if not (root / ".git").exists():
        pytest.skip("not a git checkout")
    listed = subprocess.run(["git", "ls-files"], cwd=root, capture_output=True, text=True, check=True).stdout
    return [root / line for line in listed.splitlines() if (root / line).is_file()]


@pytest.mark.parametrize("manifest", ["plugin.json", ".claude-plugin/plugin.json"])
def test_the_version_is_the_same_everywhere(root: Path, manifest: str) -> None:
    project = read_toml(root / "pyproject.toml")["project"]
    newest = re.search(r"^## (\d\S*)", (root / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert newest is not None
    assert {project["version"], read_json(root / manifest)["version"], newest[1]} == {lossdoctor.__version__}


def test_the_lock_file_is_for_these_dependencies(root: Path) -> None:
    lock = read_toml(root / "uv.lock")
    project = read_toml(root / "pyproject.toml")["project"]
    locked = next(package for package in lock["package"] if package["name"] == "lossdoctor")
    required = {(item["name"], item.get("specifier", "")) for item in locked["metadata"]["requires-dist"]}
    for line in project["dependencies"]:
        name, bounds = re.match(r"([\w-]+)([^;]*)", line).groups()  # type: ignore[union-attr]
        assert (name, ",".join(sorted(bounds.strip().split(","), reverse=True))) in {
            (locked_name, ",".join(sorted(specifier.split(","), reverse=True)))
            for locked_name, specifier in required
        }


def test_what_was_locked_comes_from_public_registries_only(root: Path) -> None:
    hosts = set(re.findall(r"https?://([^/\"]+)", (root / "uv.lock").read_text(encoding="utf-8")))
    assert hosts <= {"pypi.org", "files.pythonhosted.org"}


def test_both_plugin_formats_start_the_same_command(root: Path) -> None:
    claude = read_json(root / ".mcp.json")["mcpServers"]
    portable = read_json(root / "mcp.json")["mcpServers"]
    assert isinstance(claude, dict)
    assert isinstance(portable, dict)
    command = [part.replace("CLAUDE_PLUGIN_", "PLUGIN_") for part in claude["lossdoctor"]["args"]]
    assert command == portable["lossdoctor"]["args"]


def test_the_tree_in_the_readme_names_every_folder(root: Path) -> None:
    readme = (root / "README.md").read_text(encoding="utf-8")
    folders = {path.relative_to(root).parts[0] for path in tracked(root) if path.parent != root}
    parts = {
        path.relative_to(root / "server" / "lossdoctor").parts[0]
        for path in tracked(root)
        if path.is_relative_to(root / "server" / "lossdoctor")
        and path.parent != root / "server" / "lossdoctor"
    }
    missing = {name for name in folders | parts if f"{name}/" not in readme}
    assert not missing


def test_the_readme_shows_the_commands_that_ci_runs(root: Path) -> None:
    readme = (root / "README.md").read_text(encoding="utf-8")
    ci = (root / ".ci" / "run").read_text(encoding="utf-8")
    assert "README.md" in ci, "CI takes its test command from the README"
    assert len(re.findall(r"^python3 -m venv .*$", readme, re.MULTILINE)) == 2


def test_every_command_of_the_readme_exists(root: Path) -> None:
    from lossdoctor.cli import build_parser

    words = set(re.findall(r"lossdoctor ([a-z]+)\b", (root / "README.md").read_text(encoding="utf-8")))
    known = set(build_parser()._subparsers._group_actions[0].choices)  # type: ignore[union-attr,arg-type]
    commands_shown = {word for word in words if word in known}
    assert {"diagnose", "route", "sheet", "explain", "check", "serve"} <= commands_shown
