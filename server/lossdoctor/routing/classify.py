"""Facts or words -> one symptom class."""

from __future__ import annotations

from lossdoctor.routing import tables
from lossdoctor.routing.facts import Facts
from lossdoctor.routing.reading import Reading

def _group(name: str) -> list[str]:
    members: list[str] = tables.raw("mapping")["groups"][name]
    return members


def class_of(known: Facts, reading: Reading) -> str:
    """Facts that were told or measured decide; the words decide what they leave open."""
    return _refine(_from_facts(known) or _from_words(reading), known)


def _from_facts(facts: Facts) -> str | None:
    if facts.request == "not_ml":
        return "out_of_scope"
    table = tables.raw("mapping")
    topic = table["topic"].get(facts.topic)
    symptom = table["symptom"].get(facts.symptom) or table["loss_behaviour"].get(facts.loss_behaviour)
    by_request = {
        "switch_method": topic if facts.has_evidence else "optimizer_switch",
        "tune_unspecified": "hyperparameter_tuning" if facts.names_parameters else "vague_tuning",
        "improve_unspecified": symptom or "vague",
    }.get(facts.request or "")
    if by_request:
        return by_request
    return _topic_or_symptom(facts, topic, symptom)


def _topic_or_symptom(facts: Facts, topic: str | None, symptom: str | None) -> str | None:
    if topic is None or symptom is None:
        return symptom or topic
    vague_symptom = symptom in ("vague_poor", "vague", "runtime_error")
    if facts.request in ("choose", "how_to") or topic in _group("packs") or vague_symptom:
        return topic
    return symptom


def _refine(named: str, facts: Facts) -> str:
    """A preference method or reinforcement learning turns a dynamics symptom into a joint question."""
    preference = facts.method in _group("preference_methods")
    if preference and named in _group("dynamics"):
        return "preference_dynamics"
    if preference and named in _group("optimizers"):
        return "preference_optimizer"
    if preference and named in ("vague", "vague_poor"):
        return "preference_vague"
    if facts.method == "rl" and named in _group("numerical"):
        return "rl_dynamics"
    return named


def _from_words(reading: Reading) -> str:
    ranking = reading.ranking
    return max(sorted(ranking), key=lambda name: ranking[name], default="vague")
