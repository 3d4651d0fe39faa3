"""Tool ``run_grad_probe``: one plain experiment, measured and judged, nothing changed in the loop."""

from __future__ import annotations

from typing import Annotated

from mcp.server.mcpserver import Context, ElicitationResult, Resolve

from ..model import Diagnosis
from . import options
from .consent import Consent, ask_consent, granted
from .places import absolute, project_folder
from .progress import reporter
from .shaping import shaped


async def run_grad_probe(
    ctx: Context,
    consent: Annotated[ElicitationResult[Consent], Resolve(ask_consent)],
    script: options.Script,
    args: options.Args = (),
    max_steps: options.MaxSteps = None,
    max_seconds: options.MaxSeconds = 60,
    seed: options.Seed = 0,
    python: options.Python = None,
    cwd: options.Cwd = None,
    env: options.Env = None,
    allow_network: options.Network = False,
    allow_unsandboxed: options.Unsandboxed = False,
    detail: options.Detail = "concise",
) -> Diagnosis:
    """Measure one run of a PyTorch training script: gradient norms, update-to-weight ratios, dead or
    saturated activations, learning rate, batch statistics, data waiting time, call order of the loop.

    A single run in a sandbox, without the repeated runs that confirm a cause: use it for numbers, for a
    quick look, or to check one more seed. To find the cause and the fix, call diagnose.
    """
    from . import chain  # here: a server that is only asked for sheets needs none of it

    request = chain.DiagnoseRequest(
        script=absolute(script, cwd),
        symptom=None,
        args=args,
        max_steps=max_steps,
        max_seconds=max_seconds,
        seed=seed,
        python=python,
        cwd=str(project_folder(cwd)) if cwd else None,
        env=env or {},
        allow_network=allow_network,
        allow_unsandboxed=granted(consent),
        confirm=False,
        detail=detail,
    )
    return shaped(await chain.grad_probe(request, reporter(ctx)), detail)
