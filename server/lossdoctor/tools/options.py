"""Arguments that every tool which runs a script shares, described once."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

Script = Annotated[
    str,
    Field(
        min_length=1,
        max_length=4096,
        description="path of the training script; relative to cwd or the project",
    ),
]
Symptom = Annotated[
    str | None,
    Field(
        max_length=4000,
        description="what the user said, in their words: 'loss is stuck at 2.30', 'NaN after 1k steps'",
    ),
]
Args = Annotated[tuple[str, ...], Field(max_length=64, description="command line arguments of the script")]
MaxSteps = Annotated[
    int | None,
    Field(ge=1, le=100_000, description="optimizer steps to record; default: what the time allows"),
]
MaxSeconds = Annotated[float, Field(gt=0, le=3600, description="time budget of the whole call")]
Seed = Annotated[int, Field(ge=0, le=2**32 - 1, description="seed for torch, numpy and random")]
Python = Annotated[
    str | None,
    Field(max_length=4096, description="interpreter that has the script's torch; default: the project's own"),
]
Cwd = Annotated[
    str | None, Field(max_length=4096, description="folder the script runs in; default: the script's project")
]
Env = Annotated[dict[str, str] | None, Field(description="extra environment variables; the rest is scrubbed")]
Network = Annotated[
    bool, Field(description="let the script reach the network (data sets are not downloaded otherwise)")
]
Unsandboxed = Annotated[
    bool,
    Field(description="run although this machine offers no isolation; ask the user first"),
]
Detail = Annotated[
    Literal["concise", "full"], Field(description="concise: at most 1,500 tokens; full: everything measured")
]
Confirm = Annotated[
    bool,
    Field(
        description="repeat the run with each suspect removed, so that the cause is confirmed, not guessed"
    ),
]
