"""Tool ``route_symptom``: from a complaint to the right section, or to the one question that decides."""

from __future__ import annotations

import json
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from mcp.server.mcpserver import AcceptedElicitation, Context, Elicit, ElicitationResult, Resolve
from pydantic import BaseModel, Field, ValidationError, WithJsonSchema

from ..errors import BadArgument
from ..model import Route, Scalar

if TYPE_CHECKING:
    from ..routing.facts import Facts

Complaint = Annotated[
    str,
    Field(
        min_length=1, max_length=8000, description="what the user says, verbatim: do not tidy or interpret it"
    ),
]
# The schema of the facts is what an agent fills them in by; it is a file, so that no start-up builds the model.
_PUBLISHED = json.loads((Path(__file__).parents[1] / "routing" / "facts.schema.json").read_text("utf-8"))
KnownFacts = Annotated[
    dict[str, Scalar | None] | None,
    WithJsonSchema({"anyOf": [_PUBLISHED, {"type": "null"}]}),
    Field(description="what is known, and the chosen option of an earlier question as 'answer'"),
]
Provisional = Annotated[
    bool,
    Field(description="route although a question is open; the result then says the risk"),
]


Ask = Annotated[
    bool,
    Field(description="put an open question to the person, if the client can, instead of returning it"),
]


class Answer(BaseModel):
    """The person's choice."""

    answer: str = Field(description="one of the options", max_length=200)


async def ask_question(
    ctx: Context, symptom: str, facts: dict[str, Scalar | None] | None, provisional: bool, ask: bool
) -> Answer | Elicit[Answer]:
    """Ask the one question that decides, when the caller wants that and the client can; else answer nothing."""
    capabilities = ctx.client_capabilities
    if not ask or provisional or capabilities is None or capabilities.elicitation is None:
        return Answer(answer="")
    open_question = routed(symptom, known(facts)).question
    if open_question is None:
        return Answer(answer="")
    return Elicit(f"{open_question.text} Options: {'; '.join(open_question.options)}", Answer)


async def route_symptom(
    answer: Annotated[ElicitationResult[Answer], Resolve(ask_question)],
    symptom: Complaint,
    facts: KnownFacts = None,
    provisional: Provisional = False,
    ask: Ask = False,
) -> Route:
    """Where to look for a training problem: loss not decreasing, stuck, NaN, exploding, oscillating,
    overfitting, poor validation accuracy, out of memory, slow training, which optimizer, learning rate,
    batch size, loss function, augmentation or tuning method to choose.

    Routes by evidence, not by the user's own diagnosis: returns sheet sections to read, or exactly one
    question when evidence is missing (ask it, then call again with facts={fact: answer}), what to avoid,
    and the probe that would settle it. Needs no script and runs nothing. With a runnable script, prefer
    diagnose.
    """
    told = known(facts)
    result = routed(symptom, told, provisional)
    chosen = answer.data.answer.strip() if isinstance(answer, AcceptedElicitation) else ""
    if result.question is None or chosen not in result.question.options:
        return result
    return routed(symptom, {**told, "answer": chosen}, provisional)


def known(facts: dict[str, Scalar | None] | None) -> dict[str, Scalar]:
    """The facts that are told, without the empty ones."""
    return {name: value for name, value in (facts or {}).items() if value is not None}


def routed(symptom: str, facts: dict[str, Scalar], provisional: bool = False) -> Route:
    """The same for callers that are not MCP clients."""
    from ..routing import route  # here: the tables are read at the first complaint, not at every start

    return route(symptom, facts=_checked(facts), provisional=provisional)


def _checked(told: dict[str, Scalar]) -> Facts:
    from ..routing.facts import Facts

    unknown = [name for name in told if name not in Facts.model_fields]
    if unknown:
        close = get_close_matches(unknown[0], Facts.model_fields, n=3)
        known = ", ".join(close or Facts.model_fields)
        raise BadArgument(f"no fact is named {unknown[0][:60]!r}", where="facts", hint=f"known: {known}")
    try:
        return Facts(**told)  # type: ignore[arg-type]  # pydantic checks the values
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        name = ".".join(map(str, first["loc"])) or "facts"
        raise BadArgument(
            f"{name}: {first['msg'].lower()}", where="facts", hint="give one of its options"
        ) from None
