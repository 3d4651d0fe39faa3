"""What needs no process: resources, prompts, completions, the skills extension, schemas and descriptions."""

from __future__ import annotations

import hashlib
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from mcp import Client, MCPError
from mcp.server import MCPServer
from mcp.types import ResourceTemplateReference
from tests.mcp.connect import text_of
from tests.samples import crowded_diagnosis, diagnosis

from lossdoctor import skills_extension
from lossdoctor.app import build_server
from lossdoctor.data import data_dir
from lossdoctor.errors import ScriptNotFound
from lossdoctor.model import Diagnosis
from lossdoctor.skills_extension import read_frontmatter
from lossdoctor.tools import chain
from lossdoctor.tools.shaping import CHARACTERS_PER_TOKEN, LIMIT_TOKENS

pytestmark = pytest.mark.anyio

SNAPSHOT = Path(__file__).parent / "tools.json"


@pytest.fixture(scope="module")
def server() -> MCPServer[None]:
    return build_server()


@pytest.fixture
async def client(server: MCPServer[None]) -> AsyncIterator[Client]:
    async with Client(server) as connected:
        yield connected


async def test_the_tools_are_the_published_ones(client: Client) -> None:
    """After a wanted change: ``python -m tests.mcp.snapshot`` writes the file anew; read its diff."""
    listed = [tool.model_dump(by_alias=True, exclude_none=True) for tool in (await client.list_tools()).tools]
    assert listed == json.loads(SNAPSHOT.read_text(encoding="utf-8"))


async def test_descriptions_fit_what_clients_keep_of_them(client: Client) -> None:
    for tool in (await client.list_tools()).tools:
        assert tool.description is not None
        assert 100 <= len(tool.description.encode()) <= 2048
        for name, schema in tool.input_schema["properties"].items():
            assert schema.get("description"), f"{tool.name}.{name} is not described"


async def test_what_a_model_reads_of_all_tools_is_small(client: Client) -> None:
    tools = (await client.list_tools()).tools
    seen = [{"name": t.name, "description": t.description, "parameters": t.input_schema} for t in tools]
    assert len(json.dumps(seen)) <= 2_700 * len(tools)


async def test_a_tool_that_runs_a_script_does_not_call_itself_read_only(client: Client) -> None:
    for tool in (await client.list_tools()).tools:
        assert tool.annotations is not None
        runs_code = "allow_unsandboxed" in tool.input_schema["properties"]
        assert tool.annotations.read_only_hint is not runs_code, tool.name
        assert tool.annotations.open_world_hint is runs_code, tool.name


async def test_a_sheet_and_a_section_can_be_read_as_resources(client: Client) -> None:
    page = (await client.read_resource("sheet://gradient-management")).contents[0]
    section = (await client.read_resource("sheet://gradient-management/clipping")).contents[0]
    assert "sheet://gradient-management/clipping" in page.text  # type: ignore[union-attr]
    assert section.mime_type == "text/markdown"
    assert section.text.startswith("# ")  # type: ignore[union-attr]


@pytest.mark.parametrize("uri", ["sheet://nope", "sheet://gradient-management/nope", "fault://nope"])
async def test_a_missing_resource_is_told_with_a_hint_and_its_address(client: Client, uri: str) -> None:
    with pytest.raises(MCPError) as caught:
        await client.read_resource(uri)
    assert "Hint: " in caught.value.error.message
    assert caught.value.error.data == {"uri": uri}


async def test_a_fault_page_is_a_resource(client: Client) -> None:
    page = (await client.read_resource("fault://missing_zero_grad")).contents[0]
    assert "What it is" in page.text  # type: ignore[union-attr]


async def test_the_agent_is_a_resource(client: Client) -> None:
    agent = (await client.read_resource("agent://training-diagnostician")).contents[0]
    assert agent.text == (data_dir("agents") / "training-diagnostician.md").read_text(encoding="utf-8")  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("template", "argument", "typed", "known", "expected"),
    [
        ("sheet://{sheet}", "sheet", "grad", {}, "gradient-management"),
        ("sheet://{sheet}/{section}", "section", "cli", {"sheet": "gradient-management"}, "clipping"),
        ("fault://{fault}", "fault", "missing_z", {}, "missing_zero_grad"),
    ],
)
async def test_every_template_completes(
    client: Client, template: str, argument: str, typed: str, known: dict[str, str], expected: str
) -> None:
    ref = ResourceTemplateReference(type="ref/resource", uri=template)
    answer = await client.complete(ref, {"name": argument, "value": typed}, context_arguments=known)
    assert answer.completion.values == [expected]


async def test_a_section_without_its_sheet_completes_to_nothing(client: Client) -> None:
    ref = ResourceTemplateReference(type="ref/resource", uri="sheet://{sheet}/{section}")
    answer = await client.complete(ref, {"name": "section", "value": "c"})
    assert answer.completion.values == []


async def test_prompts_lead_to_the_tools(client: Client) -> None:
    prompts = {prompt.name for prompt in (await client.list_prompts()).prompts}
    assert prompts == {"diagnose_training", "check_gradients", "set_up_training", "review_training_config"}
    told = await client.get_prompt("diagnose_training", {"script": "a.py", "symptom": "flat"})
    assert "Call diagnose" in told.messages[0].content.text  # type: ignore[union-attr]
    assert "'flat'" in told.messages[0].content.text  # type: ignore[union-attr]


async def test_the_skill_is_served_with_digests_that_hold() -> None:
    listed = (await skills_extension._list_skills(None, None))["skills"]  # type: ignore[arg-type]
    assert [skill["frontmatter"]["name"] for skill in listed] == ["using-training-optimization"]
    for resource in listed[0]["resources"]:
        content = (data_dir("skills") / resource["uri"].removeprefix("skill://")).read_bytes()
        assert resource["digest"] == f"sha256:{hashlib.sha256(content).hexdigest()}"
        assert resource["size"] == len(content)


def test_our_frontmatter_reader_agrees_with_a_yaml_parser() -> None:
    for skill in data_dir("skills").glob("*/SKILL.md"):
        text = skill.read_text(encoding="utf-8")
        assert read_frontmatter(text) == yaml.safe_load(text.split("---")[1])


async def test_a_failure_of_the_chain_reaches_the_model_in_full(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(*_: Any) -> Diagnosis:
        raise ScriptNotFound("no such file", where="a.py", hint="name a file")

    monkeypatch.setattr(chain, "diagnose", fail)
    result = await client.call_tool("diagnose", {"script": "a.py"})
    assert text_of(result) == "SCRIPT_NOT_FOUND: no such file (a.py). Hint: name a file."
    assert result.structured_content is None


async def test_a_bug_of_ours_is_called_one_and_its_details_stay_in_the_log(
    client: Client, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def fail(*_: Any) -> Diagnosis:
        raise KeyError("secret")

    monkeypatch.setattr(chain, "diagnose", fail)
    result = await client.call_tool("diagnose", {"script": "a.py"})
    assert text_of(result).startswith("INTERNAL_ERROR: KeyError inside lossdoctor (diagnose). Hint: ")
    assert "secret" not in text_of(result)
    assert "secret" in caplog.text


async def test_nan_and_infinity_arrive_as_strings(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    async def sick(*_: Any) -> Diagnosis:
        return diagnosis(measurements={"loss_last": float("nan"), "grad_norm": float("inf")})

    monkeypatch.setattr(chain, "diagnose", sick)
    result = await client.call_tool("diagnose", {"script": "a.py"})
    assert result.structured_content is not None
    assert result.structured_content["measurements"] == {"loss_last": "NaN", "grad_norm": "Infinity"}


@pytest.mark.parametrize(("detail", "whole"), [("concise", False), ("full", True)])
async def test_size_follows_detail(
    client: Client, monkeypatch: pytest.MonkeyPatch, detail: str, whole: bool
) -> None:
    async def long(*_: Any) -> Diagnosis:
        return crowded_diagnosis()

    monkeypatch.setattr(chain, "diagnose", long)
    result = await client.call_tool("diagnose", {"script": "a.py", "detail": detail})
    assert (len(text_of(result)) / CHARACTERS_PER_TOKEN > LIMIT_TOKENS) is whole


async def test_a_plot_that_a_result_names_can_be_read(
    client: Client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "t1"
    folder.mkdir()
    rows: list[dict[str, Any]] = [{"k": "start", "torch": "2.13.0"}]
    rows += [{"k": "step", "i": i, "o": 0, "t": i / 10, "loss": [2.0 / i]} for i in range(1, 9)]
    (folder / "records.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    monkeypatch.setenv("LOSSDOCTOR_TRACES", str(tmp_path))
    image = (await client.read_resource("trace://t1/plots/loss")).contents[0]
    assert image.mime_type == "image/svg+xml"
    assert "<svg" in image.text  # type: ignore[union-attr]
    with pytest.raises(MCPError, match="TRACE_INVALID"):
        await client.read_resource("trace://t1/plots/nonsense")
    ref = ResourceTemplateReference(type="ref/resource", uri="trace://{trace}/plots/{plot}")
    assert (await client.complete(ref, {"name": "plot", "value": "l"})).completion.values == ["loss"]


async def test_a_trace_that_a_result_names_can_be_read(
    client: Client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "t1"
    folder.mkdir()
    (folder / "records.jsonl").write_text('{"k":"start","torch":"2.13.0"}\n{"k":"print","text":"hi"}\n')
    monkeypatch.setenv("LOSSDOCTOR_TRACES", str(tmp_path))
    told = (await client.read_resource("trace://t1")).contents[0]
    assert "trace://t1/print" in told.text  # type: ignore[union-attr]
    part = (await client.read_resource("trace://t1/print")).contents[0]
    assert json.loads(part.text)["text"] == "hi"  # type: ignore[union-attr]
    with pytest.raises(MCPError, match="TRACE_INVALID"):
        await client.read_resource("trace://t2")
    ref = ResourceTemplateReference(type="ref/resource", uri="trace://{trace}")
    answer = await client.complete(ref, {"name": "trace", "value": "t"})
    assert answer.completion.values == ["t1"]
