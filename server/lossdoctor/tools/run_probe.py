"""Tool ``run_probe``: one question about a run, answered by the experiments that settle it."""

from __future__ import annotations

from typing import Annotated, Literal

from mcp.server.mcpserver import Context, ElicitationResult, Resolve
from pydantic import Field

from ..model import Diagnosis
from . import options
from .consent import Consent, ask_consent, granted
from .places import absolute, project_folder
from .progress import reporter
from .shaping import shaped

Kind = Annotated[
    Literal[
        "lr_range", "one_batch", "throughput", "nan_origin", "noise_scale", "precision", "init", "data", "coord_check"
    ],
    Field(description="what to measure; see the description"),
]  # fmt: skip
WidthArgument = Annotated[
    str | None, Field(max_length=80, description="coord_check: the script's width argument, e.g. --d-model")
]
Widths = Annotated[
    tuple[str, ...], Field(max_length=6, description="coord_check: its values, smallest first")
]


async def run_probe(
    ctx: Context,
    consent: Annotated[ElicitationResult[Consent], Resolve(ask_consent)],
    kind: Kind,
    script: options.Script,
    args: options.Args = (),
    max_steps: options.MaxSteps = None,
    max_seconds: options.MaxSeconds = 60,
    seed: options.Seed = 0,
    python: options.Python = None,
    cwd: options.Cwd = None,
    env: options.Env = None,
    width_argument: WidthArgument = None,
    widths: Widths = (),
    allow_network: options.Network = False,
    allow_unsandboxed: options.Unsandboxed = False,
    detail: options.Detail = "concise",
) -> Diagnosis:
    """Answer one question about a PyTorch training script by experiment, in a sandbox, without editing it.

    lr_range: which learning rate (range test with suggestion). one_batch: can it overfit a single batch.
    throughput: where a step's time goes, which line is slow. nan_origin: which operation makes the first NaN.
    noise_scale: is the batch too small or too large (gradient noise scale). precision: what autocast, fp16 or
    bf16 lose against fp32. init: activation and gradient scale per layer at step 1. data: what the loss sees
    (ranges, label prior, loaders). coord_check: do activations grow with the width (muP).
    The answer is in probe, with a one-sentence conclusion. To find an unknown cause, call diagnose instead.
    """
    from . import chain  # here: a server that is only asked for sheets needs none of it
    from .probes.plan import Sweep

    request = chain.DiagnoseRequest(
        script=absolute(script, cwd), args=args, max_steps=max_steps, max_seconds=max_seconds, seed=seed,
        python=python, cwd=str(project_folder(cwd)) if cwd else None, env=env or {}, allow_network=allow_network,
        allow_unsandboxed=granted(consent), confirm=False, detail=detail,
    )  # fmt: skip
    sweep = Sweep(width_argument, widths) if width_argument else None
    return shaped(await chain.run_probe(request, kind, reporter(ctx), sweep), detail)
