"""The MCP server: what is registered, and nothing else."""

from __future__ import annotations

import inspect
import logging
from collections.abc import Callable, Coroutine
from typing import Any

from mcp.server import MCPServer
from mcp.server.caching import CacheHint
from mcp.types import ToolAnnotations

from . import __version__, prompts, resources
from .envelope import EnvelopedServer
from .lifespan import guarded
from .skills_extension import Skills
from .tools.diagnose import diagnose
from .tools.plan_memory import plan_memory
from .tools.read_sheet import read_sheet
from .tools.route_symptom import route_symptom
from .tools.run_grad_probe import run_grad_probe
from .tools.run_probe import run_probe
from .tools.search_sheets import search_sheets

INSTRUCTIONS = """\
Diagnoses PyTorch training runs by measuring them. Use it whenever training misbehaves or is being set up: \
loss stuck, flat, NaN, exploding or oscillating; model not learning; accuracy at chance; overfitting; slow \
training or idle GPU; questions about optimizer, learning rate, batch size, loss function, augmentation.

1. There is a script that runs: call diagnose(script, symptom=<the user's words>). It runs the unmodified \
script for seconds in a sandbox, confirms the cause by intervention and proposes a fix. Do not guess first: \
most symptoms have several causes that look alike.
2. No script, or it cannot run here: call route_symptom(symptom=<the user's words, verbatim>). If it returns \
a question, ask the user exactly that and call again with facts={fact: answer}.
3. Read only the section that the result names: read_sheet(sheet, section).

A finding is 'confirmed' only if removing its cause changed the outcome; 'suspected' needs more evidence. \
not_checked lists what could not be looked for: do not read it as absent. A user's own diagnosis ('it is the \
learning rate') is a claim to test. Report the evidence with the verdict.
"""

_READS = ToolAnnotations(
    read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False
)
# Runs the user's code: sandboxed by default, but not a mere look-up.
_RUNS = ToolAnnotations(
    read_only_hint=False, destructive_hint=False, idempotent_hint=True, open_world_hint=True
)

Tool = Callable[..., Coroutine[Any, Any, Any]]
TOOLS: tuple[tuple[Tool, str, ToolAnnotations], ...] = (
    (diagnose, "Diagnose a training script", _RUNS),
    (route_symptom, "Route a training symptom", _READS),
    (run_grad_probe, "Measure gradients and updates", _RUNS),
    (run_probe, "Answer one question by experiment", _RUNS),
    (read_sheet, "Read a sheet section", _READS),
    (search_sheets, "Search the sheets", _READS),
    (plan_memory, "Plan training memory", _READS),
)


def build_server() -> MCPServer[None]:
    """The server with everything registered; it holds no state between requests."""
    # Before the SDK sets up logging: its own handler draws boxes that logs cannot show.
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s")
    server = EnvelopedServer(
        name="lossdoctor",
        title="lossdoctor: training diagnosis",
        description="Measures a misbehaving PyTorch training run before it advises.",
        version=__version__,
        instructions=INSTRUCTIONS,
        lifespan=guarded,
        extensions=[Skills()],
        cache_hints={"tools/list": CacheHint(ttl_ms=3_600_000, scope="public")},
        log_level="WARNING",
    )
    for function, title, hints in TOOLS:
        server.add_tool(function, title=title, description=inspect.getdoc(function), annotations=hints)
    resources.register(server)
    prompts.register(server)
    return server
