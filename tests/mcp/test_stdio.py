"""A real server process without torch, a real client, a real training script in another environment."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import anyio
import jsonschema
import pytest
from mcp.types import ElicitResult
from tests.mcp.connect import Mode, connected, text_of

from lossdoctor.tools.shaping import CHARACTERS_PER_TOKEN, LIMIT_TOKENS

pytestmark = pytest.mark.anyio
both = pytest.mark.parametrize("mode", ["auto", "legacy"])
newest = pytest.mark.parametrize("mode", ["auto"])  # long ones, in which the handshake plays no part

ENVELOPE = re.compile(r"[A-Z_]+: .+\. Hint: .+\.", re.DOTALL)


@both
async def test_the_server_says_who_it_is_and_what_to_call_first(
    mode: Mode, server_python: str, tmp_path: Path
) -> None:
    async with connected(server_python, mode, tmp_path) as client:
        assert client.protocol_version == {"auto": "2026-07-28", "legacy": "2025-11-25"}[mode]
        assert client.server_info is not None
        assert client.server_info.version
        assert client.instructions is not None
        assert "diagnose" in client.instructions
        assert len(client.instructions.encode()) <= 2048
        listed = {tool.name for tool in (await client.list_tools()).tools}
        assert {"diagnose", "route_symptom", "run_grad_probe", "read_sheet", "search_sheets"} <= listed


@newest
async def test_a_broken_script_is_diagnosed_with_progress(
    mode: Mode, server_python: str, user_python: str, root: Path
) -> None:
    told: list[str] = []

    async def tell(progress: float, total: float | None, message: str | None) -> None:
        told.append(message or "")

    async with connected(server_python, mode, root) as client:
        result = await client.call_tool(
            "diagnose",
            {"script": "examples/digits_mlp.py", "python": user_python, "max_seconds": 240},
            progress_callback=tell,
        )
    found = result.structured_content
    assert found is not None
    assert found["verdict"] == "faulty"
    assert found["findings"][0]["fault"] == "optimizer_missing_params"
    assert found["findings"][0]["status"] == "confirmed"
    assert found["run"]["isolation"]["level"] in {"namespaces", "landlock"}
    assert found["route"]["primary"][0]["id"] == "optimization-algorithms"
    assert len(told) >= 2


@both
async def test_the_text_is_the_structured_result_and_both_fit_the_schema_and_the_budget(
    mode: Mode, server_python: str, user_python: str, root: Path
) -> None:
    told: list[str] = []

    async def tell(progress: float, total: float | None, message: str | None) -> None:
        told.append(message or "")

    probe = {"script": "examples/digits_mlp.py", "python": user_python, "max_seconds": 30}
    async with connected(server_python, mode, root) as client:
        schemas = {tool.name: tool.output_schema for tool in (await client.list_tools()).tools}
        result = await client.call_tool("run_grad_probe", probe, progress_callback=tell)
    assert told
    assert json.loads(text_of(result)) == result.structured_content
    jsonschema.validate(result.structured_content, schemas["run_grad_probe"] or {})
    assert len(text_of(result)) / CHARACTERS_PER_TOKEN <= LIMIT_TOKENS


@pytest.mark.parametrize(
    ("tool", "arguments", "code"),
    [
        ("diagnose", {"script": "nowhere.py"}, "SCRIPT_NOT_FOUND"),
        ("diagnose", {"script": "."}, "SCRIPT_INVALID"),
        ("diagnose", {"script": "notes.txt"}, "SCRIPT_INVALID"),
        ("diagnose", {"script": "fine.py", "python": "/no/such/python"}, "INTERPRETER_NOT_FOUND"),
        ("diagnose", {"script": "fine.py", "max_seconds": -1}, "BAD_ARGUMENT"),
        ("diagnose", {"script": "fine.py", "max_step": 5}, "BAD_ARGUMENT"),
        ("diagnose", {}, "BAD_ARGUMENT"),
        ("run_grad_probe", {"script": "nowhere.py"}, "SCRIPT_NOT_FOUND"),
        ("route_symptom", {"symptom": "x", "facts": {"no_such_fact": 1}}, "BAD_ARGUMENT"),
        ("read_sheet", {"sheet": "gradient-managment"}, "SHEET_NOT_FOUND"),
        ("read_sheet", {"sheet": "gradient-management", "section": "nope"}, "SHEET_NOT_FOUND"),
        ("search_sheets", {"query": ""}, "BAD_ARGUMENT"),
        ("no_such_tool", {}, "BAD_ARGUMENT"),
    ],
)
@both
async def test_every_failure_is_one_line_with_a_code_and_a_hint(
    mode: Mode, server_python: str, tmp_path: Path, tool: str, arguments: dict[str, Any], code: str
) -> None:
    (tmp_path / "fine.py").write_text("print('hello')\n")
    (tmp_path / "notes.txt").write_text("not python\n")
    async with connected(server_python, mode, tmp_path) as client:
        result = await client.call_tool(tool, arguments)
    assert result.is_error
    assert text_of(result).startswith(f"{code}: ")
    assert ENVELOPE.fullmatch(text_of(result))
    assert "pydantic" not in text_of(result)


@both
async def test_an_interpreter_without_torch_is_named_with_what_was_tried(
    mode: Mode, server_python: str, tmp_path: Path
) -> None:
    (tmp_path / "fine.py").write_text("import torch\n")
    async with connected(server_python, mode, tmp_path) as client:
        result = await client.call_tool("diagnose", {"script": "fine.py", "python": server_python})
    assert text_of(result).startswith("TORCH_MISSING: ")
    assert server_python in text_of(result)


@both
async def test_without_isolation_an_agent_is_refused_and_told_the_argument(
    mode: Mode, server_python: str, user_python: str, root: Path
) -> None:
    async with connected(server_python, mode, root, {"LOSSDOCTOR_ISOLATION": "none"}) as client:
        result = await client.call_tool(
            "run_grad_probe", {"script": "examples/digits_mlp.py", "python": user_python}
        )
    assert text_of(result).startswith("ISOLATION_REFUSED: ")
    assert "allow_unsandboxed" in text_of(result)


@pytest.mark.parametrize("answer", [True, False])
@newest
async def test_without_isolation_a_person_is_asked_where_the_client_can_ask(
    mode: Mode, answer: bool, server_python: str, user_python: str, root: Path
) -> None:
    asked: list[str] = []

    async def person(_context: Any, params: Any) -> ElicitResult:
        asked.append(params.message)
        return ElicitResult(action="accept", content={"run_without_isolation": answer})

    options = {"elicitation_callback": person}
    env = {"LOSSDOCTOR_ISOLATION": "none"}
    async with connected(server_python, mode, root, env, **options) as client:
        result = await client.call_tool(
            "run_grad_probe",
            {"script": "examples/digits_mlp.py", "python": user_python, "max_steps": 5, "max_seconds": 30},
        )
    assert "No isolation" in asked[0]
    assert bool(result.is_error) is not answer
    if answer:
        assert result.structured_content is not None
        assert result.structured_content["run"]["isolation"]["level"] == "none"


@newest
async def test_a_client_that_gives_up_frees_the_server(
    mode: Mode, server_python: str, user_python: str, tmp_path: Path
) -> None:
    (tmp_path / "hang.py").write_text("import torch, time\ntime.sleep(600)\n")
    async with connected(server_python, mode, tmp_path) as client:
        with anyio.move_on_after(2) as gave_up:
            await client.call_tool("run_grad_probe", {"script": "hang.py", "python": user_python})
        assert gave_up.cancelled_caught
        result = await client.call_tool("search_sheets", {"query": "warmup"})
    assert result.structured_content is not None
    assert result.structured_content["hits"]


@pytest.mark.parametrize(("chosen", "settled"), [(0, True), (None, False)])
@both
async def test_an_open_question_is_put_to_the_person_where_the_caller_wants_it(
    mode: Mode, chosen: int | None, settled: bool, server_python: str, root: Path
) -> None:
    complaint = {"symptom": "should I switch from Adam to SGD?"}
    asked: list[str] = []

    async def person(_context: Any, params: Any) -> ElicitResult:
        asked.append(params.message)
        options = params.message.split("Options: ")[1].split("; ")
        return ElicitResult(action="accept", content={"answer": "" if chosen is None else options[chosen]})

    async with connected(server_python, mode, root, {}, elicitation_callback=person) as client:
        quiet = await client.call_tool("route_symptom", complaint)
        result = await client.call_tool("route_symptom", {**complaint, "ask": True})
    assert quiet.structured_content is not None
    assert result.structured_content is not None
    assert quiet.structured_content["status"] == "needs_answer"
    assert len(asked) == 1
    assert (result.structured_content["status"] != "needs_answer") is settled
