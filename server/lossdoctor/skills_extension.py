"""The skills extension (SEP-2640): ``skills/list``, ``skills/get`` and the skill files as resources."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from mcp import MCPError
from mcp.server.extension import Extension, MethodBinding, ResourceBinding
from mcp.server.mcpserver.resources import FileResource
from mcp.types import INVALID_PARAMS, PaginatedRequestParams, RequestParams

from .data import data_dir

_SINCE = frozenset({"2026-07-28"})  # the protocol revision that has extensions
_FRESH = {"ttlMs": 3_600_000, "cacheScope": "public", "resultType": "complete"}


class SkillUri(RequestParams):
    """Parameters of ``skills/get``."""

    uri: str


class Skills(Extension):
    """Serves every folder under ``skills/`` that holds a SKILL.md."""

    identifier = "io.modelcontextprotocol/skills"

    def resources(self) -> Sequence[ResourceBinding]:
        return [ResourceBinding(_resource(path)) for path in _files(data_dir("skills"))]

    def methods(self) -> Sequence[MethodBinding]:
        return [
            MethodBinding("skills/list", PaginatedRequestParams, _list_skills, _SINCE),
            MethodBinding("skills/get", SkillUri, _get_skill, _SINCE),
        ]


async def _list_skills(_context: Any, _params: PaginatedRequestParams) -> dict[str, Any]:
    return {"skills": list(_entries()), **_FRESH}


async def _get_skill(_context: Any, params: SkillUri) -> dict[str, Any]:
    for entry in _entries():
        if entry["uri"] == params.uri:
            return {"skill": entry, **_FRESH}
    raise MCPError(code=INVALID_PARAMS, message=f"unknown skill {params.uri!r}", data={"uri": params.uri})


@cache
def _entries() -> tuple[dict[str, Any], ...]:
    return tuple(_entry(skill) for skill in sorted(data_dir("skills").glob("*/SKILL.md")))


def _entry(skill: Path) -> dict[str, Any]:
    return {
        "uri": _uri(skill),
        "frontmatter": read_frontmatter(skill.read_text(encoding="utf-8")),
        "resources": [_listing(path) for path in _files(skill.parent)],
    }


def _listing(path: Path) -> dict[str, Any]:
    content = path.read_bytes()
    return {
        "uri": _uri(path),
        "digest": f"sha256:{hashlib.sha256(content).hexdigest()}",
        "size": len(content),
    }


def _resource(path: Path) -> FileResource:
    uri = _uri(path)
    return FileResource(uri=uri, name=uri.removeprefix("skill://"), path=path, mime_type="text/markdown")


def _uri(path: Path) -> str:
    return f"skill://{path.relative_to(data_dir('skills')).as_posix()}"


def _files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file())


def read_frontmatter(text: str) -> dict[str, Any]:
    """Frontmatter of one of our own skills: ``key: value`` lines and one level of nesting.

    The skill is rendered from our template, so this much YAML is all there is; a test compares it with a
    real YAML parser.
    """
    found: dict[str, Any] = {}
    for line in text.split("---", 2)[1].strip().splitlines():
        key, _, value = line.strip().partition(":")
        nested = line.startswith(" ") and found
        target = found[next(reversed(found))] if nested else found
        target[key] = _scalar(value.strip()) if value.strip() else {}
    return found


def _scalar(value: str) -> str:
    quote = value[0] if value[0] in "\"'" else ""
    return value.strip(quote) if quote else value
