"""The server's one gate: every failure becomes ``CODE: what (where). Hint: ...``, every result becomes lean.

mcp >= 2.1 withholds the text of unexpected exceptions and prefixes anticipated ones with the tool's name,
and clients show a model either the structured result or the error text, never both. So all of it is
decided here, once: tools return plain models and raise from ``lossdoctor.errors``.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from difflib import get_close_matches
from typing import Any

from mcp import MCPError
from mcp.server import MCPServer
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ResourceNotFoundError, ToolError, UnexpectedToolError
from mcp.types import CallToolResult, InputRequiredResult, TextContent, Tool
from pydantic import ValidationError

from .errors import BadArgument, InternalError, LossDoctorError
from .reports.wire import wire_dict

log = logging.getLogger("lossdoctor")

_QUOTED = 120  # characters of an offending value that are repeated to the caller


class EnvelopedServer(MCPServer[None]):
    """An MCPServer whose tool failures and results all have the same shape."""

    _listed: list[Tool] | None = None

    async def call_tool(
        self, name: str, arguments: dict[str, Any], context: Context[None, Any] | None = None
    ) -> CallToolResult | InputRequiredResult:
        try:
            await self._refuse_unknown(name, arguments)
            result = await super().call_tool(name, arguments, context)
        except MCPError:
            raise
        except Exception as failure:
            raise ToolError(str(describe(name, failure))) from None
        return lean(result) if isinstance(result, CallToolResult) else result

    async def list_tools(self) -> list[Tool]:
        """The tools with lean schemas: every client loads the list, many keep it in a model's context."""
        if self._listed is None:  # all tools are registered before the first request
            self._listed = [_lean_tool(tool) for tool in await super().list_tools()]
        return self._listed

    async def _refuse_unknown(self, name: str, arguments: Mapping[str, Any]) -> None:
        """The SDK ignores misspelt names: a misspelt limit would silently not apply."""
        schemas = {tool.name: tool.input_schema for tool in await self.list_tools()}
        if name not in schemas:
            raise BadArgument(f"unknown tool {_short(name)}", hint=f"tools here: {', '.join(schemas)}")
        known = list(schemas[name].get("properties", {}))
        for wrong in (key for key in arguments if key not in known):
            close = get_close_matches(wrong, known, n=1)
            guess = f"did you mean {close[0]}? " if close else ""
            raise BadArgument(
                f"unknown argument {_short(wrong)}", where=name, hint=f"{guess}arguments: {', '.join(known)}"
            )


def describe(name: str, failure: BaseException) -> LossDoctorError:
    """The error of our family that a caller sees for ``failure``; unexpected ones are logged in full."""
    cause = failure.__cause__ if isinstance(failure, ToolError) else failure
    if isinstance(cause, LossDoctorError):
        return cause
    if isinstance(cause, ValidationError) and not isinstance(failure, UnexpectedToolError):
        return _bad_arguments(name, cause)
    log.error("%s failed unexpectedly", name, exc_info=cause or failure)
    return InternalError(
        f"{type(cause or failure).__name__} inside lossdoctor",
        where=name,
        hint="this is a bug of lossdoctor, not of your script; the traceback is in the server's stderr log, "
        "and 'lossdoctor check' at a terminal tells whether the installation works",
    )


def not_found(error: LossDoctorError) -> ResourceNotFoundError:
    """The same text for a resource that does not exist (JSON-RPC -32602 with the URI)."""
    return ResourceNotFoundError(str(error))


def _lean_tool(tool: Tool) -> Tool:
    schemas = {"input_schema": _untitled(tool.input_schema) | {"additionalProperties": False}}
    if tool.output_schema is not None:
        schemas["output_schema"] = _untitled(tool.output_schema)
    return tool.model_copy(update=schemas)


def _untitled(schema: Any, named: bool = False) -> Any:
    """A schema without pydantic's generated titles; under ``properties`` a key is a name, not a keyword."""
    if isinstance(schema, list):
        return [_untitled(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    kept = {key: item for key, item in schema.items() if named or key != "title"}
    return {
        key: _untitled(item, named=key in {"properties", "$defs"} and not named) for key, item in kept.items()
    }


def lean(result: CallToolResult) -> CallToolResult:
    """The result as ``reports.wire`` writes it, and its text as the same JSON, compact."""
    if result.structured_content is None:
        return result
    slim = wire_dict(result.structured_content)
    text = json.dumps(slim, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    content = [TextContent(type="text", text=text)]
    return result.model_copy(update={"structured_content": slim, "content": content})


def _bad_arguments(name: str, error: ValidationError) -> BadArgument:
    faults = error.errors(include_url=False, include_context=False)
    told = "; ".join(_argument_fault(fault) for fault in faults[:4])
    more = f"; and {len(faults) - 4} more" if len(faults) > 4 else ""
    return BadArgument(told + more, where=name, hint="correct the named arguments and call again")


def _argument_fault(fault: Mapping[str, Any]) -> str:
    place = ".".join(str(part) for part in fault["loc"]) or "arguments"
    if fault["type"] == "missing":
        return f"{place} is required"
    return f"{place}: {fault['msg'].lower()}, got {_short(fault['input'])}"


def _short(value: object) -> str:
    shown = repr(value)
    return shown if len(shown) <= _QUOTED else shown[: _QUOTED - 1] + "…"
