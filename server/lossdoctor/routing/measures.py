"""Numbers in a complaint: metrics, utilisation, learning rates, chance-level losses, data-set sizes."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator

from lossdoctor.routing.words import fold

Numbers = dict[str, float]

_BUSY = (
    r"util\w*|nvidia[- ]smi|usage|load|volatile|using rate|occup\w*|利用率|\bgpus?\b(?! memory)"
    r"|\b[1-5]0[5-9]0(?: ?ti)?\b|\b[avhtlp]\d{1,3}0{0,2}[gs]?\b"
)
_SHARE = r"(\d{1,3})\s?%?(?:\s*(?:[-~–]+|and|to|or)\s*(\d{1,3}))?\s?(?:%|percent)"
_UTIL = re.compile(
    rf"(?:{_BUSY})(?:[^.\n\d%]{{0,45}}){_SHARE}|{_SHARE}\s*(?:of\s+(?:the\s+|my\s+)?)?(?:gpu|util|usage|sm\b)"
    r"|gpu[ -]?util\w*\D{0,24}(\d{1,2})(?:\s*(?:-|to|and|~)\s*(\d{1,2}))?\b"
)
_TRAIN = r"(?:train(?:ing|set)?)"
_VAL = r"(?:val(?:id|idation)?|test(?:ing)?|eval(?:uation)?|dev|held[- ]?out|holdout)"
_PCT = r"(\d{1,3}(?:\.\d+)?)\s?(%?)"
_NAME = r"(?:f1|r2|top-?1|map50|map@0\.5)?"
_VERB = r"(?:is|of|at|to|about|around|reaches|only)?"
_METRIC = re.compile(rf"\b({_VAL}|{_TRAIN})[a-z_ -]{{0,18}}{_NAME}[\s:=_]*{_VERB}[\s:=~]*{_PCT}")
_METRIC_BACK = re.compile(
    rf"{_PCT}\s*(?:accuracy|acc|dice|iou|map|f1|auc|r2)?\s*(?:on|in|for)\s+(?:the\s+|my\s+)?({_TRAIN}|{_VAL})"
)
_ERROR = re.compile(rf"\b({_VAL}|{_TRAIN})[a-z_ ]{{0,6}}err(?:or)?[\s:=]*(?:is|of|at)?\s*{_PCT}")
_PLAIN_ACC = re.compile(r"\b(acc|accuracy|dice|iou|auc|f1)[\s:=]+(\d+(?:\.\d+)?)\s?(%?)")
_LOSS = re.compile(r"\b(?:loss|los|ce|nll|entropy)\b[^.\d\n]{0,24}?(\d+\.\d+|\d+)|(\d?\.\d{2,5})\b")
_LR = re.compile(r"\b(?:lr|learning[ _-]?rate)\b\D{0,14}(\d+(?:\.\d+)?(?:e-?\d+)?)")
_DATA = re.compile(
    r"(?<![\d.,])(\d{1,12}(?:,\d{3})*(?:\.\d{1,6})?)\s?(k|m)?\s+(?:\w+\s+){0,2}(?:images|samples|examples|sentences|pictures|videos|scans|volumes|patients|rows|records|files|clips|documents|images?/class)"
)
_STEPS = re.compile(
    r"(\d[\d,]{0,12})\s?k?\s*(?:epochs?|iter\w*|steps?|its\b|batches|updates|hours|days)|(?:epoch|iter\w*|step)\s*(\d+)"
)
_GPUS = re.compile(r"(\d+)\s?(?:x\s?)?(?:gpus?|a100|h100|v100|rtx|cards|3090|4090)")
_CHANCE_CLASSES = (2, 3, 5, 10, 20, 100, 1000)
_CHANCE_TOLERANCE = 0.006
"""|loss - ln C| below this reads as 'the loss of guessing' (2.3026, 0.693, 6.907, 4.605)."""
_WIDE_GAP = 8.0
"""Percentage points between train and validation that count as a gap worth naming."""
_ABOVE = 3.0
"""Percentage points by which validation must exceed training to be worth naming."""
_SMALL_DATA = 1000


def read_numbers(text: str) -> Numbers:
    """Every number whose meaning is clear: gpu_utilization (%), train_metric, val_metric, lr, ..."""
    low = fold(text[:4000])
    found: Numbers = {}
    found.update(_utilisation(low))
    found.update(_metrics(low))
    found.update(_rates(low))
    values = [float(a or b) for a, b in _LOSS.findall(low) if a or b]
    if values:
        found["loss_value"] = values[0]
    steps = _STEPS.search(low)
    if steps:
        found["after_steps"] = float((steps.group(1) or steps.group(2)).replace(",", ""))
    chance = next((v for v in values if _is_chance(v)), None)
    if chance is not None:
        found["chance_loss"] = chance
    found["numbers"] = float(len(re.findall(r"\d+(?:\.\d+)?", low)))
    return {name: value for name, value in found.items() if math.isfinite(value)}


def _is_chance(value: float) -> bool:
    return any(abs(value - math.log(c)) < _CHANCE_TOLERANCE for c in _CHANCE_CLASSES)


def _utilisation(low: str) -> Numbers:
    if not re.search(
        r"gpu|util|card|\b[1-5]0[5-9]0|\b[avhtlp]\d{1,3}\b|device|cuda|利用率|rtx|a100|v100|nvidia", low
    ):
        return {}
    for match in _UTIL.finditer(low):
        values = [float(g) for g in match.groups() if g]
        if values and max(values) <= 100:
            return {"gpu_utilization": max(values)}
    return {}


def _metrics(low: str) -> Numbers:
    found: Numbers = {}
    for side, value in _sided(low):
        found.setdefault(side, value)
    for match in _ERROR.finditer(low):
        found[_side(match.group(1))] = 100 - _percent(match.group(2), match.group(3))
    plain = _PLAIN_ACC.search(low)
    if plain and "val_metric" in found and "train_metric" not in found:
        found["train_metric"] = _percent(plain.group(2), plain.group(3))
    return found


def _sided(low: str) -> Iterator[tuple[str, float]]:
    for match in _METRIC.finditer(low):
        if "loss" not in match.group(0):
            yield _side(match.group(1)), _percent(match.group(2), match.group(3))
    for match in _METRIC_BACK.finditer(low):
        yield _side(match.group(3)), _percent(match.group(1), match.group(2))


def _side(word: str) -> str:
    return "train_metric" if word.startswith("train") else "val_metric"


def _percent(number: str, sign: str) -> float:
    value = float(number)
    return value if sign or value > 1 else value * 100


def _rates(low: str) -> Numbers:
    found: Numbers = {}
    rate = _LR.search(low)
    if rate:
        found["learning_rate"] = float(rate.group(1))
    size = _DATA.search(low)
    if size:
        scale = {"k": 1e3, "m": 1e6}.get(size.group(2) or "", 1.0)
        found["dataset_size"] = float(size.group(1).replace(",", "")) * scale
    gpus = _GPUS.search(low)
    if gpus and 0 < int(gpus.group(1)) <= 4096:
        found["gpus"] = float(gpus.group(1))
    return found


def number_concepts(numbers: Numbers) -> list[str]:
    """Concepts that cues can use: num_gpu_low, num_gap, num_chance, num_small_data, num_lr, num_any."""
    util = numbers.get("gpu_utilization")
    train, val = numbers.get("train_metric"), numbers.get("val_metric")
    tests = {
        "num_gpu_low": util is not None and util < 50,
        "num_gpu_mid": util is not None and 50 <= util < 80,
        "num_gpu_high": util is not None and util >= 80,
        "num_gap": train is not None and val is not None and train - val >= _WIDE_GAP,
        "num_val_above": train is not None and val is not None and val - train >= _ABOVE,
        "num_chance": "chance_loss" in numbers,
        "num_small_data": 0 < numbers.get("dataset_size", math.inf) < _SMALL_DATA,
        "num_lr": "learning_rate" in numbers,
        "num_loss": "loss_value" in numbers,
        "num_count": "after_steps" in numbers,
        "num_any": numbers.get("numbers", 0) >= 1,
        "num_many": numbers.get("numbers", 0) >= 3,
    }
    return [name for name, holds in tests.items() if holds]
