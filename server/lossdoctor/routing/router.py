"""route(): complaint, facts, measurements and findings -> Route. Pure and deterministic."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from lossdoctor.model import Fact, Finding, Pressure, Probe, Ref, Route
from lossdoctor.routing import classify, refs, tables
from lossdoctor.routing.facts import ANY, Facts
from lossdoctor.routing.reading import Reading, read

_MOST_REFS = 4
_MOST_REASONS = 6
_MOST_AVOID = 2
_QUOTE = 80


def route(
    symptom: str,
    facts: Facts | None = None,
    measured: Sequence[Fact] = (),
    findings: Sequence[Finding] = (),
    provisional: bool = False,
    script: str | None = None,
) -> Route:
    """Decide by evidence: findings, then measured facts, then told facts, then the words of the complaint."""
    reading = read(symptom)
    known = merge(facts or Facts(), measured)
    merged = merge(reading.facts, [*_as_facts(facts), *measured])
    sick = [f for f in findings if f.status != "refuted" and f.severity != "info"]
    name = _class(known, merged, reading, measured, sick)
    reasons = _reasons(merged, facts, reading, measured, sick)
    pressure = _pressure(reading, merged)
    if name == "out_of_scope":
        return Route(status="out_of_scope", reasons=reasons)
    if name == "healthy":
        return Route(status="routed", symptom_class=name, reasons=reasons, pressure=pressure)
    return _build(name, merged, reasons, pressure, sick, provisional, script)


def merge(base: Facts, stronger: Sequence[Fact]) -> Facts:
    """``base`` with every stronger fact that Facts knows; names that it does not know are left out."""
    values: dict[str, Any] = base.model_dump(exclude_none=True)
    for fact in stronger:
        values.update(_valid(fact))
    return Facts(**values)


def _as_facts(told: Facts | None) -> list[Fact]:
    return [Fact(name=k, value=v) for k, v in told.model_dump(exclude_none=True).items()] if told else []


def _valid(fact: Fact) -> Mapping[str, Any]:
    try:
        return Facts(**{fact.name: fact.value}).model_dump(exclude_none=True)  # type: ignore[arg-type]
    except ValueError:
        return {}


def _class(
    known: Facts, merged: Facts, reading: Reading, measured: Sequence[Fact], sick: Sequence[Finding]
) -> str:
    if sick:
        return sick[0].symptom if sick[0].symptom in tables.classes() else "not_learning"
    name = classify.class_of(known, merged, reading)
    shown = any(f.name in ("symptom", "loss_behaviour") and f.value != "falling_normally" for f in measured)
    asked = name not in _symptoms() and reading.has("ask_which", "ask_how", "compare_word")
    return name if not measured or shown or asked else "healthy"


def _symptoms() -> list[str]:
    listed: list[str] = tables.raw("mapping")["groups"]["symptoms"]
    return [*listed, "out_of_scope"]


def _build(
    name: str,
    facts: Facts,
    reasons: tuple[Fact, ...],
    pressure: Pressure | None,
    sick: Sequence[Finding],
    provisional: bool,
    script: str | None,
) -> Route:
    cls = tables.classes()[name]
    row = next((r for r in cls.rows if meets(r.when, facts)), None)
    primary, secondary = (row.primary, row.secondary) if row else (cls.primary, cls.secondary)
    question = tables.questions()[cls.ask] if cls.ask and row is None and not sick else None
    avoid = _avoid(name)
    probe = _probe(cls.probe or (question.why if question else None), script)
    asked_in_vain = question is not None and facts.not_known in (question.fact, ANY)
    if question and not (provisional or script or asked_in_vain):
        return Route(status="needs_answer", symptom_class=name, question=question, next_probe=probe,
                     avoid=avoid, reasons=reasons, pressure=pressure)  # fmt: skip
    first = tuple(f.sheet for f in sick)
    main, rest = _arranged(first, primary, secondary)
    return Route(
        status="routed", symptom_class=name, primary=main, secondary=rest, next_probe=probe, avoid=avoid,
        reasons=reasons, pressure=pressure, provisional=question is not None, risk=cls.risk if question else None,
    )  # fmt: skip


def _arranged(
    first: tuple[Ref, ...], primary: Sequence[str], secondary: Sequence[str]
) -> tuple[tuple[Ref, ...], tuple[Ref, ...]]:
    """Findings' own sheets first; no sheet twice; at most four refs, except where a set-up needs all."""
    main = _distinct([*first, *map(refs.ref, primary)])
    rest = [r for r in map(refs.ref, secondary) if r.id not in {m.id for m in main}]
    room = max(_MOST_REFS - len(main), 0) if len(secondary) <= _MOST_REFS else len(rest)
    return tuple(main), tuple(_distinct(rest)[:room])


def _distinct(many: Sequence[Ref]) -> list[Ref]:
    seen: dict[str, Ref] = {}
    for one in many:
        seen.setdefault(one.id, one)
    return list(seen.values())


def meets(when: Mapping[str, str], facts: Facts) -> bool:
    """All conditions of a row hold: 'a|b', '<50', '>=80', '50..80', '*' (known), 'true'."""
    return all(_meets_one(getattr(facts, name), test) for name, test in when.items())


def _meets_one(value: Any, test: str) -> bool:
    if value is None:
        return False
    if test == "*":
        return True
    if isinstance(value, bool):
        return value == (test == "true")
    if isinstance(value, str):
        return value in test.split("|")
    return _in_range(float(value), test)


def _in_range(value: float, test: str) -> bool:
    if ".." in test:
        low, high = map(float, test.split(".."))
        return low <= value < high
    bound = float(test.lstrip("<>="))
    return {"<": value < bound, ">": value > bound, ">=": value >= bound}[test.rstrip("0123456789.")]


def _probe(settles: str | None, script: str | None) -> Probe | None:
    if settles is None:
        return None
    tool = "diagnose" if script else "run_grad_probe"
    return Probe(tool=tool, arguments={"script": script or "<path of the training script>"}, settles=settles)


def _avoid(name: str) -> tuple[str, ...]:
    return tuple(row.text for row in tables.avoids() if name in row.classes)[:_MOST_AVOID]


def _pressure(reading: Reading, facts: Facts) -> Pressure | None:
    for kind, row in tables.pressures().items():
        if facts.pressure == kind or reading.has(row.phrases):
            return Pressure(kind=kind, reply=row.reply)  # type: ignore[arg-type]
    return None


def _reasons(
    merged: Facts, told: Facts | None, reading: Reading, measured: Sequence[Fact], sick: Sequence[Finding]
) -> tuple[Fact, ...]:
    found = [Fact(name="fault", value=f.fault, provenance="measured", quote=f.why[:_QUOTE]) for f in sick]
    found += [f for f in measured if f.name != "fault"]
    taken = {f.name for f in found}
    values = merged.model_dump(exclude_none=True)
    found += [Fact(name=k, value=v) for k, v in values.items() if k not in taken]
    return tuple(found[:_MOST_REASONS])
