"""A diagnosis cut to what an agent should carry: at most 1,500 tokens unless everything is asked for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from ..model import Diagnosis, Finding, Ref, Route, Run
from ..reports.wire import wire_json

LIMIT_TOKENS = 1500  # CONTRACT: the default-size structured result
# cl100k_base needs a token per 3.95 characters of a real result; the margin is for other tokenizers.
CHARACTERS_PER_TOKEN = 3.5

Cut = Callable[[Diagnosis], Diagnosis]


def shaped(diagnosis: Diagnosis, detail: Literal["concise", "full"]) -> Diagnosis:
    """``diagnosis`` as it is for ``full``; otherwise shortened, mildest cut first, until it fits."""
    if detail == "full":
        return diagnosis
    cut = diagnosis
    for shorten in _CUTS:
        if tokens(_owning_up(diagnosis, cut)) <= LIMIT_TOKENS:
            break
        cut = shorten(cut)
    return _owning_up(diagnosis, cut)


def tokens(diagnosis: Diagnosis) -> int:
    """Estimated size of the structured result as it goes over the wire."""
    return round(len(wire_json(diagnosis)) / CHARACTERS_PER_TOKEN)


def _fewer_reasons(diagnosis: Diagnosis) -> Diagnosis:
    """The route repeats what the findings say; keep where to go and why, not the whole derivation."""
    return diagnosis.model_copy(update={"route": diagnosis.route and _short_route(diagnosis.route)})


def _short_route(route: Route) -> Route:
    brief = {"summary": ""}
    return route.model_copy(
        update={
            "primary": tuple(ref.model_copy(update=brief) for ref in route.primary[:3]),
            "secondary": tuple(ref.model_copy(update=brief) for ref in route.secondary[:2]),
            "avoid": tuple(clip(text, 160) for text in route.avoid[:2]),
            "reasons": tuple(
                fact.model_copy(update={"quote": fact.quote and clip(fact.quote, 80)})
                for fact in route.reasons[:4]
            ),
        }
    )


def _unchecked(kept: int) -> Cut:
    def cut(diagnosis: Diagnosis) -> Diagnosis:
        few = tuple(
            item.model_copy(update={"missing": clip(item.missing, 60)})
            for item in diagnosis.not_checked[:kept]
        )
        return diagnosis.model_copy(update={"not_checked": few})

    return cut


def _brief_findings(kept: int, evidence: int, prose: int) -> Cut:
    def cut(diagnosis: Diagnosis) -> Diagnosis:
        few = tuple(_brief(finding, evidence, prose) for finding in diagnosis.findings[:kept])
        return diagnosis.model_copy(update={"findings": few})

    return cut


def _brief(finding: Finding, evidence: int, prose: int) -> Finding:
    return finding.model_copy(
        update={
            "evidence": finding.evidence[:evidence],
            "why": clip(finding.why, prose),
            "remedy": clip(finding.remedy, prose),
            "contraindications": tuple(clip(text, prose // 2) for text in finding.contraindications[:2]),
            "sheet": _address(finding.sheet),
        }
    )


def _address(ref: Ref) -> Ref:
    return ref.model_copy(update={"why": "", "summary": ""})


def _short_texts(diagnosis: Diagnosis) -> Diagnosis:
    run, fix = diagnosis.run, diagnosis.fix
    return diagnosis.model_copy(
        update={
            "run": run.model_copy(
                update={"error": run.error and tail(run.error, 400), "notes": run.notes[:3]}
            ),
            "fix": fix and fix.model_copy(update={"summary": clip(fix.summary, 240)}),
            "measurements": dict(list(diagnosis.measurements.items())[:12]),
            "next_steps": tuple(clip(step, 200) for step in diagnosis.next_steps[:3]),
        }
    )


def _without_route_details(diagnosis: Diagnosis) -> Diagnosis:
    route = diagnosis.route
    if route is None:
        return diagnosis
    bare = {"reasons": (), "secondary": (), "avoid": (), "primary": tuple(map(_address, route.primary[:2]))}
    return diagnosis.model_copy(update={"route": route.model_copy(update=bare)})


def _bare_run(diagnosis: Diagnosis) -> Diagnosis:
    run = diagnosis.run
    notes = tuple(clip(note, 120) for note in run.notes[:2])
    return diagnosis.model_copy(
        update={
            "run": run.model_copy(update={"error": run.error and tail(run.error, 240), "notes": notes}),
            "measurements": dict(list(diagnosis.measurements.items())[:8]),
        }
    )


def _short_patch(diagnosis: Diagnosis) -> Diagnosis:
    fix = diagnosis.fix
    if fix is None or fix.patch is None or len(fix.patch) <= 1200:
        return diagnosis
    told = f"{fix.summary} (the patch has {len(fix.patch)} characters: call with detail='full')"
    return diagnosis.model_copy(update={"fix": fix.model_copy(update={"patch": None, "summary": told})})


_CUTS: tuple[Cut, ...] = (
    _fewer_reasons,
    _unchecked(20),
    _brief_findings(kept=5, evidence=4, prose=320),
    _unchecked(10),
    _short_texts,
    _without_route_details,
    _brief_findings(kept=3, evidence=3, prose=200),
    _short_patch,
    _unchecked(4),
    _bare_run,
    _brief_findings(kept=2, evidence=2, prose=140),
)


def _owning_up(whole: Diagnosis, cut: Diagnosis) -> Diagnosis:
    """Say inside the result what was left out, and how to get it."""
    lost = [
        f"{len(getattr(cut, name))} of {len(getattr(whole, name))} {name}"
        for name in ("findings", "not_checked", "measurements")
        if len(getattr(cut, name)) < len(getattr(whole, name))
    ]
    if not lost:
        return cut
    note = f"shortened: {', '.join(lost)}; detail='full' has all"
    run: Run = cut.run.model_copy(update={"notes": (*cut.run.notes, note)})
    return cut.model_copy(update={"run": run})


def clip(text: str, limit: int) -> str:
    """The start of ``text``, at most ``limit`` characters."""
    return text if len(text) <= limit else text[: limit - 1].rstrip() + "…"


def tail(text: str, limit: int) -> str:
    """The end of ``text``, at most ``limit`` characters: of an error, the last lines say most."""
    return text if len(text) <= limit else "…" + text[-(limit - 1) :].lstrip()
