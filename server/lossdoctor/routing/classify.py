"""Facts or words -> one symptom class."""

from __future__ import annotations

from lossdoctor.routing import tables
from lossdoctor.routing.facts import Facts
from lossdoctor.routing.reading import Reading, top

_ASKS = ("choose", "how_to")


def _group(name: str) -> list[str]:
    members: list[str] = tables.raw("mapping")["groups"][name]
    return members


def class_of(known: Facts, merged: Facts, reading: Reading) -> str:
    """Facts that were told or measured decide; the words decide what they leave open."""
    return _from_facts(known, merged, reading) or _from_words(reading)


def _from_facts(known: Facts, merged: Facts, reading: Reading) -> str | None:
    if known.request == "not_ml":
        return "out_of_scope"
    topic = tables.raw("mapping")["topic"].get(known.topic)
    symptom = _symptom(known, topic)
    return (
        _by_method(known, topic, symptom, reading)
        or _by_request(known, merged, topic, symptom, reading)
        or _weighed(known, topic, symptom)
    )


def _symptom(known: Facts, topic: str | None) -> str | None:
    """The class of what goes wrong; a choice that only mentions its gradient norm has no symptom."""
    table = tables.raw("mapping")
    told = table["symptom"].get(known.symptom) or table["loss_behaviour"].get(known.loss_behaviour)
    asks = topic is not None and known.request in _ASKS
    return told or (None if asks else table["grad_norm"].get(known.grad_norm))


def _by_method(known: Facts, topic: str | None, symptom: str | None, reading: Reading) -> str | None:
    """A preference method or reinforcement learning turns a dynamics symptom into a joint question."""
    if known.method in _group("preference_methods") or topic == "preference_method":
        return _preference(known, topic, symptom, reading)
    if topic == "llm_method" and (known.method == "rl" or symptom == "rl"):
        return _preference(known, "preference_method", symptom, reading)
    if symptom == "rl" and known.method in ("sft", "lora"):
        return "llm_method"
    if known.method == "rl" or topic == "rl":
        return "rl_dynamics" if symptom in _group("numerical") else "rl"
    return None


def _preference(known: Facts, topic: str | None, symptom: str | None, reading: Reading) -> str | None:
    if symptom in _group("dynamics") or topic in _group("dynamics"):
        return "preference_dynamics"
    if topic in _group("optimizers"):
        return "preference_optimizer"
    if symptom == "rl":
        return "preference_method"
    unsaid = symptom in (None, "vague", "vague_poor") and topic in (None, "preference_method")
    if unsaid and known.request not in _ASKS:
        said = _from_words(reading)
        return said if said.startswith("preference_") else "preference_vague"
    return symptom if topic is None or symptom in _group("strong") else topic


def _by_request(
    known: Facts, merged: Facts, topic: str | None, symptom: str | None, reading: Reading
) -> str | None:
    if merged.request == "switch_method" and symptom is None:
        optimizers = topic in (None, *_group("optimizers"))
        return "optimizer_switch" if optimizers and not _evident(known, reading) else topic
    if merged.request == "tune_unspecified":
        return "hyperparameter_tuning" if merged.names_parameters else "vague_tuning"
    return symptom or "vague" if merged.request == "improve_unspecified" else None


def _evident(known: Facts, reading: Reading) -> bool:
    """A claim of evidence counts when a result or a number is there to be seen."""
    measured = (known.train_metric, known.val_metric, known.data_wait_share)
    shown = reading.has("evidence", "num_any") or any(value is not None for value in measured)
    return bool(known.has_evidence) and shown


def _weighed(known: Facts, topic: str | None, symptom: str | None) -> str | None:
    """Numerical faults and overfitting outrank what is asked about; weaker symptoms yield to a topic."""
    if topic is None or symptom is None:
        return symptom or topic
    if symptom in tables.raw("mapping")["outranks"].get(topic, ()):
        return topic
    if symptom in _group("strong") or (
        symptom == "runtime_error" and topic in ("llm_method", "architecture")
    ):
        return symptom
    yields = known.request in _ASKS or topic in _group("packs") or symptom in _group("yielding")
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
