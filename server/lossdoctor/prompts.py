"""Prompts: the ways into the tools that a person picks from a menu.

Orders of sheets and checks come from the routing tables, so that a prompt never says what the router does not.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

from mcp.server import MCPServer
from pydantic import Field

Text = Annotated[str, Field(max_length=4000)]


def register(server: MCPServer[None]) -> None:
    """Add every prompt to ``server``."""
    for function, title, description in PROMPTS:
        server.prompt(title=title, description=description)(function)


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


def check_gradients(script: Text) -> str:
    """Look at the gradients of ``script`` before anything is changed."""
    return (
        f"Check the gradients of {script!r}.\n"
        "1. Call run_grad_probe with this script.\n"
        "2. Compare layers with each other and with their own running median, never with an absolute norm: which "
        "receive nothing, which grow, which are not finite, what the clip cuts, which parameters never move.\n"
        "3. If something is not finite, call run_probe with kind nan_origin; if units look dead, with kind init.\n"
        "4. Read gradient-management with read_sheet, only the section that the finding names.\n"
        "5. Report each finding with its number and step, or say that the gradients are healthy."
    )


def set_up_training(task: Text) -> str:
    """Plan a first training run for ``task`` from the sheets."""
    order, why = _scenario("New training setup")
    return (
        f"Plan the first training run for this task: {task!r}.\n"
        "1. Call route_symptom with the task as symptom; answer or ask the question it returns.\n"
        f"2. Read the sections it names; for the choices it leaves open, in this order ({why}): {order}.\n"
        "3. Propose one configuration, boring and correct: a reason for each value, what to watch in the first "
        "100 steps. With a model size and a GPU, check it with plan_memory.\n"
        "4. When a script exists, call diagnose on it before any long run."
    )


def review_training_config(config: Text) -> str:
    """Review a configuration or script before its first run."""
    checks = "\n".join(f"- {row['check']} ({row['section']})" for row in _protocol()["review"])
    return (
        f"Review this training configuration before its first run: {config!r}.\n"
        "Read the file and the code that uses it. Then check, and cite the line for each finding:\n"
        f"{checks}\n"
        "For a doubtful item read its section with read_sheet; an unusual value is not wrong for that alone. "
        "If the script runs, call diagnose with it: a few measured steps settle what reading cannot.\n"
        "Report findings from most to least severe, what is fine, and what could not be checked."
    )


def _scenario(name: str) -> tuple[str, str]:
    """The sheets of one scenario in order, and why in this order."""
    row = next(row for row in _protocol()["scenarios"] if row["name"] == name)
    return ", ".join(row["order"]), str(row["why"])


def _protocol() -> dict[str, list[dict[str, str | list[str]]]]:
    from .routing import tables  # here: the tables are read when a prompt is picked, not at every start

    return tables.raw("protocol")


PROMPTS: tuple[tuple[Callable[..., str], str, str], ...] = (
    (diagnose_training, "Diagnose a training run", "Measure a misbehaving run and fix its cause."),
    (
        check_gradients,
        "Check gradients",
        "Measure gradients and updates, layer by layer, before anything changes.",
    ),
    (set_up_training, "Set up training", "Choose optimizer, schedule, loss and batch size for a task."),
    (
        review_training_config,
        "Review a configuration",
        "Review a training configuration before its first run.",
    ),
)
