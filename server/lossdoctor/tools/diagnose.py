"""Tool ``diagnose``: run the script as an experiment, confirm the cause, point to the fix."""

from __future__ import annotations

from typing import Annotated

from mcp.server.mcpserver import Context, ElicitationResult, Resolve

from ..model import Diagnosis
from . import options
from .consent import Consent, ask_consent, granted
from .places import absolute, project_folder
from .progress import reporter
from .shaping import shaped


async def diagnose(
    ctx: Context,
    consent: Annotated[ElicitationResult[Consent], Resolve(ask_consent)],
    script: options.Script,
    symptom: options.Symptom = None,
    args: options.Args = (),
    max_steps: options.MaxSteps = None,
    max_seconds: options.MaxSeconds = 120,
    seed: options.Seed = 0,
    python: options.Python = None,
    cwd: options.Cwd = None,
    env: options.Env = None,
    confirm: options.Confirm = True,
    allow_network: options.Network = False,
    allow_unsandboxed: options.Unsandboxed = False,
    detail: options.Detail = "concise",
) -> Diagnosis:
    """Find out why a PyTorch training run misbehaves by running it: loss stuck, not learning, loss flat at
    chance level, loss NaN or inf, exploding or vanishing gradients, loss oscillates or diverges, accuracy
    does not improve, overfitting, training too slow, GPU idle, memory grows.

    Runs the user's unmodified script for a few seconds in a sandbox (no network, files untouched), measures
    loss, gradients, updates, activations, data and timing per step, names the faults with evidence and file
    and line, repeats the run with each suspected cause removed to confirm or refute it, and proposes a fix.
    verdict is healthy, faulty or inconclusive. Call this first whenever there is a script that can run;
    without one, call route_symptom. May take up to max_seconds; progress is reported.
    """
    from . import chain  # here: a server that is only asked for sheets needs none of it

    request = chain.DiagnoseRequest(
        script=absolute(script, cwd),
        symptom=symptom,
        args=args,
        max_steps=max_steps,
        max_seconds=max_seconds,
        seed=seed,
        python=python,
        cwd=str(project_folder(cwd)) if cwd else None,
        env=env or {},
        allow_network=allow_network,
        allow_unsandboxed=granted(consent),
        confirm=confirm,
        detail=detail,
    )
    return shaped(await chain.diagnose(request, reporter(ctx)), detail)
