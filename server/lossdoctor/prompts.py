"""Prompts: the two ways into the tools that a person picks from a menu."""

from __future__ import annotations

from typing import Annotated

from mcp.server import MCPServer
from pydantic import Field

Text = Annotated[str, Field(max_length=4000)]


def register(server: MCPServer[None]) -> None:
    """Add every prompt to ``server``."""
    server.prompt(
        title="Diagnose a training run", description="Measure a misbehaving run and fix its cause."
    )(diagnose_training)
    server.prompt(
        title="Set up training", description="Choose optimizer, schedule, loss and batch size for a task."
    )(set_up_training)


def diagnose_training(script: Text, symptom: Text = "") -> str:
    """Diagnose ``script``: measure, confirm, fix, and measure again."""
    told = f" The symptom, in the user's words: {symptom!r}." if symptom else ""
    return (
        f"Find out why the training run of {script!r} misbehaves.{told}\n"
        "1. Call diagnose with this script and symptom; do not guess a cause before.\n"
        "2. Report the verdict with its evidence and where it is. Say what was not checked.\n"
        "3. Read the sheet section that the result names before changing code.\n"
        "4. Apply the smallest fix, then call diagnose again and compare the measurements.\n"
        "If it cannot run, call route_symptom with the symptom and ask the one question it returns."
    )


def set_up_training(task: Text) -> str:
    """Plan a first training run for ``task`` from the sheets."""
    return (
        f"Plan the first training run for this task: {task!r}.\n"
        "1. Call route_symptom with the task as symptom; answer or ask the question it returns.\n"
        "2. Read the sections it names, and loss-functions-and-objectives, optimization-algorithms and "
        "learning-rate-scheduling for the choices it leaves open.\n"
        "3. Propose one configuration, a reason for each value, and what to watch in the first 100 steps.\n"
        "4. When a script exists, call diagnose on it before any long run."
    )
