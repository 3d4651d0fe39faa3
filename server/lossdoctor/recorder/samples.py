"""What the model is shown: a fingerprint of every sample, and a bounded sample of inputs with their targets.

``ids`` rows hold one number per sample (equal numbers mean equal inputs) with its label; ``sample`` rows hold
inputs reduced to at most 128 features, targets and predictions. Training and evaluation are kept apart. ``scored``
rows hold labels, predictions and margins of evaluations only, so that late ones are seen too; ``answered`` rows those
of a few training samples on every sampled step.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from .asked_ahead import look_ahead
from .inputs import carry, model_input
from .near import Near
from .reduced import features, identities, is_index, predictions, sample_row, simple_labels
from .session import Session
from .stats import IGNORED, wide
from .windows import Windows

# samples kept per side: training, evaluation, and evaluation of what training was shown (many scripts measure both
# splits in turn: the one that comes first must not use up what the other needs)
TRAINING, EVALUATION, AGAIN = range(3)
MAX_ROWS = (1536, 1024, 256)
MAX_IDS = (40_000, 20_000, 20_000)
OTHERS = 256  # samples of later evaluations on other data, beyond those limits
TRAINED = 0.5  # share of training samples from which an evaluation is one of the training set
LEAST_POSITIONS = 8  # in smaller batches class numbers may stand in order by accident
CALLS = 3  # calls of the model per step whose inputs are kept
MAX_SCORED = 60_000
MAX_ANSWERED, PER_STEP = 20_000, 64  # training samples whose answers are kept
PHASES = 3  # optimizers made in the course of training for which the limits begin anew
MAX_WAITING = 2_000_000  # numbers of training inputs that wait to be compared
UNLIKE = 4  # different numbers of rows
MASKS = 12  # steps in which masked symbols are looked at
LOOKS = 3  # steps in which targets are looked for among the inputs
PER_PASS = 1000  # of them per evaluation


class Samples:
    """Collects at the outermost forward pass; training rows are completed when the loss's targets are known."""

    def __init__(self, session: Session) -> None:
        self.s = session
        self.loader: int | None = None
        self.epoch: int | None = None
        self.loaded = self.used = (
            0  # batches from loaders so far, and how many when training last called the model
        )
        self.at: list[int] | None = None  # indexes of the last batch in its data set
        self._phases = 0
        self._rows, self._ids = [0, 0, 0], [0, 0, 0]
        self._scored = self._answered = 0
        self._pass: dict[
            int, list[int]
        ] = {}  # side -> step of the evaluation, samples of it that may still be kept
        self._inputs: list[torch.Tensor] = []
        self._given: Any = None  # the arguments of the last call, for as many more steps as are looked at
        self._looks = LOOKS
        self._trained: set[int] = set()
        self._evaluated: set[int] = set()
        self._first_evaluation: int | None = None
        self._others = OTHERS
        self._masks = 0
        self.windows, self.near = Windows(session), Near(session)
        self._unseen: list[tuple[torch.Tensor, list[int]]] = []
        self._waiting = 0  # numbers in these
        self.on_batch: Callable[[torch.Tensor], None] | None = None  # gets batches that no loader has made
        self.on_pair: Callable[[torch.Tensor, torch.Tensor | None], object] = lambda x, target: None
        self.answer: Callable[[], Any] = lambda: None  # what the model answered last in training
        self.elsewhere: torch.Tensor | None = None  # targets of the next evaluated batch, in another unit
        self._unlike: set[int] = set()  # numbers of rows that do not go with those of the targets

    def new_phase(self) -> None:
        """Keep samples anew: another optimizer begins, and what counts is usually the last phase. What one fold of a
        cross-validation learned from, standardised its own way, is no near copy of what the next one holds out.
        """
        self.windows.forget()
        self.near.forget()
        self._unseen, self._waiting = [], 0
        if self._phases < PHASES:
            self._phases += 1
            self._rows, self._ids = [0, 0, 0], [0, 0, 0]

    def known(self, found: list[int]) -> float:
        """Share of these fingerprints that training was shown before, as far as they were kept."""
        return round(sum(h in self._trained for h in found) / max(1, len(found)), 3)

    def forward(self, args: Any) -> None:
        """Remember the inputs of the outermost training calls of a step (the first few)."""
        self.used = self.loaded
        if "B" in self.s.sequence and self._inputs:
            return  # looked at after the backward pass: not what this step learns from
        if len(self._inputs) < CALLS and self._ids[TRAINING] < MAX_IDS[TRAINING]:
            found = model_input(args)
            self._given = args if self._looks else None
            if found is not None:
                self._inputs.append(found)

    def discard(self) -> None:
        """Forget the inputs of a step that was withheld."""
        self._inputs, self._given = [], None

    def _sample(self) -> torch.Tensor | None:
        """What one sample of this step was: the input of the first call, or, when several calls went into one backward
        pass (the two sides of a pair), all of them side by side.
        """
        inputs, self._inputs = self._inputs, []
        marks = self.s.sequence
        paired = len(inputs) > 1 and marks.count("F") > 1 and marks.count("B") <= 1
        if paired and all(x.shape[0] == inputs[0].shape[0] for x in inputs):
            return torch.cat([wide(x.reshape(x.shape[0], -1)) for x in inputs], 1)
        # of calls with other numbers of samples the last one is trained on (before it: a look at held-out samples)
        return (inputs[-1] if marks.count("B") <= 1 else inputs[0]) if inputs else None

    def close_step(
        self, targets: list[tuple[torch.Tensor, torch.Tensor]], labels: torch.Tensor | None
    ) -> None:
        """Write the training input of this step with its targets: the loss's own, else the loader's labels."""
        self._look_for_spoilt()
        x = self._without_targets(self._sample(), targets)
        if x is None:
            return
        self._look_for_packing(x, targets)
        self._look_at_masks(x, targets)
        if self.s.sampling:
            look_ahead(self.s, x, targets, self.answer())
        if self.on_batch is not None and not self.loaded:
            self.on_batch(x)
        # what a loader hands out beside the input (lengths, say) is the target only if the loss got no other
        usual = (None, None if targets else labels)
        own = ((s, t) for s, t in targets if t.shape[:1] == x.shape[:1] and not of_pairs(t))
        scores, target = next(own, usual)
        self.on_pair(x, target if target is not None else next((t for _, t in targets), None))
        self._write(x, target, scores, identities(x), None, self.s.sampling, (self.loader, self.epoch))

    def _without_targets(
        self, x: torch.Tensor | None, targets: list[tuple[torch.Tensor, torch.Tensor]]
    ) -> torch.Tensor | None:
        """The input without what the batch carries along for the loss; looked for in the first steps."""
        given, self._given = self._given, None
        if x is None or given is None or not targets:
            return x
        self._looks -= 1
        return model_input(given) if carry(given, [t for _, t in targets]) else x

    def _look_for_spoilt(self) -> None:
        """Tell of earlier calls of a step whose inputs hold NaN or infinity: a loop may pass over their loss."""
        earlier = [x for x in self._inputs[:-1] if x.is_floating_point()]
        bad = [float(wide(~torch.isfinite(x)).mean()) for x in earlier]
        if any(bad):
            self.s.add(
                {"k": "spoilt", "i": self.s.now + 1, "calls": sum(b > 0 for b in bad), "bad": max(bad)}
            )

    def _look_for_packing(self, x: torch.Tensor, targets: list[tuple[torch.Tensor, torch.Tensor]]) -> None:
        """Tell once when the rows of the input are no samples: their number differs from batch to batch and from that
        of the targets, as for the nodes of several graphs in a row, or the model answers one number for all of them.
        """
        counts = [t.shape[0] for _, t in targets if t.dim()]
        rows, answer = x.shape[0], self.answer()
        single = not counts and rows > 1 and issubclass(type(answer), torch.Tensor) and answer.dim() == 0
        if single or (counts and all(rows % n and n % rows for n in counts if n)):
            self._unlike.add(rows)
        if len(self._unlike) == UNLIKE:
            self._unlike.add(-1)
            self.s.add({"k": "packed", "i": self.s.now + 1})

    def _look_at_masks(self, x: torch.Tensor, targets: list[tuple[torch.Tensor, torch.Tensor]]) -> None:
        """Of symbols of which the loss asks for some: how many are asked for, and how many of those the input shows."""
        if x.is_floating_point() or x.dim() != 2 or not self.s.sampling or self._masks == MASKS:
            return
        fits = (t for _, t in targets if t.numel() == x.numel() and not t.is_floating_point())
        target = next(fits, None)
        if target is None or target.device != x.device:
            return
        asked = target.reshape(-1) != IGNORED
        count = int(asked.sum())
        if 0 < count < asked.numel():
            same = (target.reshape(-1) == x.reshape(-1)) & asked
            self._masks += 1
            self.s.add({"k": "masked", "i": self.s.now + 1, "asked": round(count / asked.numel(), 3),
                        "same": round(int(same.sum()) / count, 3)})  # fmt: skip

    def evaluated(
        self,
        x: torch.Tensor,
        target: torch.Tensor | None,
        scores: torch.Tensor | None,
        found: list[int],
        known: float,
        source: tuple[int | None, int | None],
    ) -> None:
        """Write an evaluated batch with its fingerprints, the share of them that training was shown, and the loader and
        epoch that it came from (no loader: what is evaluated without being loaded after the last training batch).
        """
        if target is not None and of_pairs(target):
            target = scores = None
        self._write(x, target, scores, found, known, full=True, source=source)
        self.elsewhere = None

    def _write(
        self,
        x: torch.Tensor,
        target: torch.Tensor | None,
        scores: torch.Tensor | None,
        found: list[int],
        known: float | None,
        full: bool,
        source: tuple[int | None, int | None],
    ) -> None:
        """Queue the ``ids`` row and, if ``full`` and below the limit, the ``sample`` row; no ``known``: training."""
        grad = known is None
        side = TRAINING if known is None else EVALUATION if known < TRAINED else AGAIN
        with torch.no_grad():
            if target is not None and (target.shape[:1] != x.shape[:1] or _positions(target)):
                target = None
            if scores is not None and scores.shape[:1] != x.shape[:1]:
                scores = None
            row: dict[str, Any] = {
                "i": self.s.now + 1,
                "grad": grad,
                "loader": source[0],
                "epoch": source[1],
            }
            labels = simple_labels(target)
            if grad and self.at and source[0] is not None and len(self.at) == x.shape[0]:
                row["at"] = self.at
            if not grad:
                row["known"] = known
            if self._ids[side] < MAX_IDS[side]:
                self._ids[side] += x.shape[0]
                self._compare(x, found, grad, side, source[0])
                if grad:
                    self._trained.update(found)
                self.s.add({"k": "ids", **row, "h": found, "y": labels})
            if not grad and labels is not None and scores is not None:
                self._score(side, row, labels, scores)
            if grad and full and labels is not None and scores is not None and self._answered < MAX_ANSWERED:
                take = min(len(labels), PER_STEP)
                self._answered += take
                self.s.add({"k": "answered", **row, "y": labels[:take], **predictions(scores[:take])})
            left = MAX_ROWS[side] - self._rows[side]
            if side == EVALUATION and self._is_another(found) and left <= 0:
                left, self._others = self._others, max(0, self._others - x.shape[0])
            if full and left > 0:
                take = min(left, x.shape[0], 256)
                self._rows[side] += take
                other = None if grad else self.elsewhere
                if not grad and take < x.shape[0]:  # sorted samples begin with one class
                    x, target, scores, other = spread_out(take, x, target, scores, other)
                self.s.add({"k": "sample", **row, **sample_row(x, target, scores, take, other)})

    def _compare(self, x: torch.Tensor, found: list[int], grad: bool, side: int, loader: int | None) -> None:
        """Look for parts, and for near copies, of training samples among held-out ones. What training was shown waits
        for the next evaluation, so that no step bears the cost.
        """
        if not x.is_floating_point() or x.dim() < 2:
            return
        x = x.detach().cpu()
        if grad:
            clean = self.windows.clean(x).cpu()
            if self._waiting < MAX_WAITING and not self._trained.issuperset(found):
                self._waiting += clean.numel()
                self._unseen.append((clean.detach().clone(), found))
        elif side == EVALUATION:
            for shown, prints in self._unseen:
                self.windows.trained(shown)
                if not self.near.full:
                    self.near.trained(features(shown), prints)
            self._unseen, self._waiting = [], 0
            self.windows.evaluated(x, loader)
            self.near.evaluated(features(x), loader)

    def _is_another(self, found: list[int]) -> bool:
        """Whether these samples were in none of the evaluations after earlier steps, as those of a final test."""
        if self._first_evaluation is None:
            self._first_evaluation = self.s.now
        another = sum(h in self._evaluated for h in found) < TRAINED * len(found)
        if len(self._evaluated) < MAX_IDS[EVALUATION]:
            self._evaluated.update(found)
        return another and self.s.now > self._first_evaluation

    def _score(self, side: int, row: dict[str, Any], labels: list[float], scores: torch.Tensor) -> None:
        """Labels and answers of the first samples of every evaluation: the last one is what counts, however many."""
        if self._pass.get(side, [-1])[0] != row["i"]:
            self._pass[side] = [row["i"], PER_PASS]
        take = min(len(labels), self._pass[side][1], MAX_SCORED - self._scored)
        if take > 0:
            self._pass[side][1] -= take
            self._scored += take
            self.s.add({"k": "scored", **row, "y": labels[:take], **predictions(scores[:take])})


def spread_out(take: int, *parts: torch.Tensor | None) -> list[Any]:
    """So many rows of each, evenly spaced."""
    first = next(p for p in parts if p is not None)
    rows = torch.arange(take) * first.shape[0] // take
    return [p if p is None else p[rows.to(p.device)] for p in parts]


def _positions(target: torch.Tensor) -> bool:
    """Whether targets are the places in the batch (contrastive losses): no label of the sample."""
    if not is_index(target) or target.shape[0] < LEAST_POSITIONS:
        return False
    return bool((target == torch.arange(target.shape[0], device=target.device)).all())


def of_pairs(target: torch.Tensor) -> bool:
    """Whether targets (N, N) tell of every two samples of a batch whether they belong together: none is a sample's."""
    square = target.dim() == 2 and target.shape[0] == target.shape[1] > 1
    return square and bool((target == target.T).all())
