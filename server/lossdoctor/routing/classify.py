"""Facts or words -> one symptom class."""

from __future__ import annotations

from lossdoctor.routing import tables
from lossdoctor.routing.facts import Facts
from lossdoctor.routing.reading import Reading, top


def _group(name: str) -> list[str]:
    members: list[str] = tables.raw("mapping")["groups"][name]
    return members


def class_of(known: Facts, merged: Facts, reading: Reading) -> str:
    """Facts that were told or measured decide; the words decide what they leave open."""
    return _from_facts(known, merged) or _from_words(reading)


def _from_facts(known: Facts, merged: Facts) -> str | None:
    if known.request == "not_ml":
        return "out_of_scope"
    table = tables.raw("mapping")
    topic = table["topic"].get(known.topic)
    symptom = table["symptom"].get(known.symptom) or table["loss_behaviour"].get(known.loss_behaviour)
    return (
        _by_method(known, topic, symptom)
        or _by_request(merged, topic, symptom)
        or _weighed(known, topic, symptom)
    )


def _by_method(known: Facts, topic: str | None, symptom: str | None) -> str | None:
    """A preference method or reinforcement learning turns a dynamics symptom into a joint question."""
    if known.method == "rl" or topic == "rl":
        return "rl_dynamics" if symptom in _group("numerical") else "rl"
    if known.method not in _group("preference_methods") and topic != "preference_method":
        return None
    if symptom in _group("dynamics") or topic in _group("dynamics"):
        return "preference_dynamics"
    if topic in _group("optimizers"):
        return "preference_optimizer"
    return "preference_vague" if symptom in ("vague", "vague_poor") else topic


def _by_request(merged: Facts, topic: str | None, symptom: str | None) -> str | None:
    if merged.request == "switch_method":
        return (
            "optimizer_switch"
            if topic in (None, *_group("optimizers")) and not merged.has_evidence
            else topic
        )
    if merged.request == "tune_unspecified":
        return "hyperparameter_tuning" if merged.names_parameters else "vague_tuning"
    return symptom or "vague" if merged.request == "improve_unspecified" else None


def _weighed(known: Facts, topic: str | None, symptom: str | None) -> str | None:
    """Numerical faults and overfitting outrank what is asked about; weaker symptoms yield to a topic."""
    if topic is None or symptom is None or symptom in _group("strong"):
        return symptom or topic
    if symptom == "runtime_error" and topic in ("llm_method", "architecture"):
        return symptom
    asked = known.request in ("choose", "how_to")
    yields = asked or topic in _group("packs") or symptom in _group("yielding")
    return topic if yields else symptom


def _from_words(reading: Reading) -> str:
    named = "out_of_scope" if reading.foreign else top(reading.ranking) or "vague"
    if reading.has("pref"):
        return _PREFERENCE.get(_kind(named), named)
    return "rl_dynamics" if reading.has("rl_strong") and _kind(named) == "numerical" else named


_PREFERENCE = {
    "numerical": "preference_dynamics",
    "dynamics": "preference_dynamics",
    "optimizers": "preference_optimizer",
}


def _kind(named: str) -> str:
    return next((kind for kind in ("numerical", "dynamics", "optimizers") if named in _group(kind)), "")
