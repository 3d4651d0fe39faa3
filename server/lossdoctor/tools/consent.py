"""Consent to run a script on a machine that offers no isolation: asked of the person where a client can."""

from __future__ import annotations

import anyio.to_thread
from mcp.server.mcpserver import AcceptedElicitation, Context, Elicit, ElicitationResult
from pydantic import BaseModel, Field

from .isolation import isolation_here


class Consent(BaseModel):
    """The person's answer."""

    run_without_isolation: bool = Field(
        description="Run it with your own rights? It can change your files and use the network."
    )


async def ask_consent(ctx: Context, script: str, allow_unsandboxed: bool) -> Consent | Elicit[Consent]:
    """Ask only when it matters: no isolation here, none allowed by argument, and a client that can ask.

    Without an answer the runner refuses with ISOLATION_REFUSED, whose hint names the argument.
    """
    if allow_unsandboxed or await anyio.to_thread.run_sync(isolation_here) is not None:
        return Consent(run_without_isolation=allow_unsandboxed)
    capabilities = ctx.client_capabilities
    if capabilities is None or capabilities.elicitation is None:
        return Consent(run_without_isolation=False)
    return Elicit(f"No isolation is available on this machine. Run {script[:200]!r} without it?", Consent)


def granted(answer: ElicitationResult[Consent]) -> bool:
    """Whether the script may run with the user's own rights."""
    return isinstance(answer, AcceptedElicitation) and answer.data.run_without_isolation
