"""Facts or words -> one symptom class."""

from __future__ import annotations

from lossdoctor.routing import tables
from lossdoctor.routing.facts import Facts
from lossdoctor.routing.reading import Reading

_CLEAR = 5.0
"""Score from which a class joins another one (a preference run with a dynamics symptom)."""
_FAINT = 1.0
"""Score below which nothing is recognised and the complaint counts as vague."""


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
    if reading.out_of_scope:
        return "out_of_scope"
    best = max(reading.scores, key=lambda name: reading.scores[name], default="vague")
    if reading.scores.get(best, 0) < _FAINT:
        return "vague"
    for rule in (_preference, _reinforcement, _optimizer, _tuning):
        changed = rule(best, reading)
        if changed:
            return changed
    return best


def _strongest(reading: Reading, group: str) -> str | None:
    members = [name for name in _group(group) if reading.scores.get(name, 0) >= _CLEAR]
    return max(members, key=lambda name: reading.scores[name], default=None)


def _preference(best: str, reading: Reading) -> str | None:
    if not reading.has("pref") or best in ("ddp_api", "fsdp_api", "oom", "install_env", "deployment"):
        return None
    if _strongest(reading, "optimizers") and not _strongest(reading, "numerical"):
        return "preference_optimizer"
    if _strongest(reading, "dynamics"):
        return "preference_dynamics"
    if reading.has("vague_plea") and not reading.has("pref_choice"):
        return "preference_vague"
    return "preference_method"


def _reinforcement(best: str, reading: Reading) -> str | None:
    if not reading.has("rl_strong"):
        return None
    if best in ("oom", "install_env", "ddp_api"):
        return None
    return "rl_dynamics" if reading.has("nonfinite") else "rl"


def _optimizer(best: str, reading: Reading) -> str | None:
    if best not in ("optimizer_modern", "optimizer_choice") or not reading.has("switch_word"):
        return None
    context = reading.has("evidence", "context_task", "ask_how", "num_lr", "num_many")
    return None if context else "optimizer_switch"


def _tuning(best: str, reading: Reading) -> str | None:
    if best in ("vague_tuning", "hyperparameter_tuning") and reading.has("tune_vague"):
        return "hyperparameter_tuning" if reading.has("specific_hp") else "vague_tuning"
    return None
