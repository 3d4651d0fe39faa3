"""Evaluation passes: loss and accuracy without gradient, and the mode in which the model was."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch
from torch import nn

from .answers import Objective, answers
from .averages import Averages, told_apart
from .centring import Centring
from .criteria import Judged
from .holders import below
from .inputs import model_input
from .modes import acts_as_in_training
from .overlaps import EDGES, Overlaps
from .reduced import identities
from .samples import TRAINED, Samples
from .session import Session, plain
from .stats import IGNORED, MAX_CLASSES, sample, tensors, wide

MAX_LOGITS = 2_000_000
MAX_CALLS = 100  # of one evaluation, whose scores are told apart


@dataclass
class Call:
    """A call of the model without gradient: input, its fingerprints and the share of them that training was shown,
    output, targets, and the training loss of both where the script calls none.
    """

    x: torch.Tensor
    found: list[int]
    known: float
    scores: torch.Tensor | None
    target: torch.Tensor | None
    value: torch.Tensor | None
    comparable: bool
    # loader and epoch; the next batch is loaded before this one is written
    source: tuple[int | None, int | None]
    elsewhere: torch.Tensor | None = None  # targets in another unit than those of training


METRIC = r"\b(\w*correct|\w*hits?|\w*acc\w*|right|matches)\s*\+="


class Evaluation:
    """Collects what happens between two optimizer steps while gradients are off; one ``eval`` row each time."""

    def __init__(self, session: Session, samples: Samples) -> None:
        self.s, self.samples, self.averages = session, samples, Averages(session)
        self.overlaps = Overlaps(session)
        self.labels: torch.Tensor | None = None
        self.targets: torch.Tensor | None = None
        self.objective: Objective | None = None
        self._given: list[torch.Tensor] = []
        self._input: torch.Tensor | None = None
        self._pending: Call | None = None
        # the scores of each call while the script holds them (memory is used again), and its known share
        self._answered: list[tuple[weakref.ref[torch.Tensor], float]] = []
        self._by_hand = self._comparable = self._by_class = False
        self._root: str | None = None
        self._distances: dict[str, float | bool | None] = {}
        self._site: int | None = None
        self._loader: int | None = None
        self.on_pair: Callable[[torch.Tensor, torch.Tensor], None] = lambda x, target: None
        self.dropped = 0  # calls of dropout functions that eval mode did not switch off
        self._clear()

    def _clear(self) -> None:
        self._modes: dict[str, int] = {}
        self._losses: list[Any] = []
        self._loss_of: list[list[int | None]] = []
        self._binary: list[Any] = []
        self._told = False  # whether the last loss was a single number
        self._judged = False  # whether the answers to the last batch were held against labels
        self._hits: list[Any] = []
        self._counts: list[int] = []
        self._hits_of: list[int | None] = []
        self._own: list[list[Any]] = []
        self._seen: list[float | None] = []
        self._answered = []
        self._print = 0.0
        self._classes: dict[int, int] = {}
        self._centring = Centring()

    def forward(
        self,
        module: nn.Module,
        args: Any,
        trained: nn.Module | None,
        own: bool = False,
        concerns: bool = True,
    ) -> None:
        """Note the mode of an evaluation call and, the first time, how far its weights are from the trained ones;
        ``own``: the module is one that trains; ``concerns``: its inputs are comparable with those of training.
        """
        mode = "train" if acts_as_in_training(module) else "eval"
        self._keep()
        if not self._modes:
            self._overridden(module)
            self._root = type(module).__name__
            self._loader = self._source()
            self._site = self._places()
            with torch.no_grad():
                self._distances = self.averages.distances(module, trained)
                self._state = told_apart(module)
        self._modes[mode] = self._modes.get(mode, 0) + 1
        self._input = model_input(args)
        self._given = [t for _, t in tensors(args)]
        self._by_hand = own
        self._comparable = concerns or self._distances.get("twin") is not None

    def _overridden(self, module: nn.Module) -> None:
        """The user's own ``train`` of a model that is evaluated in training mode: it may not pass the mode on."""
        own = dict.fromkeys(type(m).train for m in module.modules()) if module.training else {}
        for code in (getattr(f, "__code__", None) for f in own):
            if code is not None and self.s.sites.is_user(code):
                self.s.place("train_override", (code.co_filename, code.co_firstlineno))

    def _source(self) -> int | None:
        """The loader whose batch is evaluated; None when nothing was loaded since training called the model."""
        return self.samples.loader if self.samples.loaded > self.samples.used else None

    def _places(self) -> int | None:
        """Note where the evaluation begins, calls the model and sums up its metric."""
        self.s.site("evaluation_call")
        place = self.s.sites.function(4)
        if place is None:
            return None
        metric = below(place, METRIC)
        if metric is not None:
            self.s.place("metric", metric)
        return self.s.place("evaluation", place)

    def loss(
        self,
        name: str,
        scores: torch.Tensor,
        target: torch.Tensor,
        value: torch.Tensor,
        hits: torch.Tensor | None,
        ignored: int = IGNORED,
        by_class: bool = False,
    ) -> None:
        """A loss without gradient, its number of samples, and the share of right answers, for more than two classes
        only where the loader's labels have not given it.
        """
        known = None
        self._told = value.numel() == 1
        if hits is not None and not self._judged:
            self._hit(hits, counted(target, ignored))
        call = self._pending
        other = self._of_another_call(scores)
        if other is not None:
            known = other
        elif call is not None:
            known = call.known
            if target.shape[:1] == call.x.shape[:1]:
                self._keep(target.detach())
            else:  # targets of another shape (tokens): what was loaded beside the input is none
                call.target = call.value = None
        if self._by_class and not by_class:
            return  # training goes down what a class of the script's makes
        if value.numel() == 1 and len(self._losses) < 2000:
            self._losses.append(self.s.defer(value))
            self._seen.append(known)
            self._loss_of.append([target.shape[0] if target.dim() else 1, self._source()])
            right = binary_accuracy(name, scores, target)
            if right is not None:
                self._binary.append(self.s.defer(right))

    def judged(self, name: str, given: Judged, value: Any) -> None:
        """What a loss of the script's was given without gradient: the targets of the last call, and the training loss
        of them, which is the loss itself where training goes down that and no function of torch's tells more.
        """
        answer, target = plain(given.answer), plain(given.target)
        scores = self._answered[-1][0]() if self._answered else None
        if scores is None or _place(answer) != _place(scores) or answer.numel() != scores.numel():
            return  # perhaps in another unit
        single = issubclass(type(value), torch.Tensor) and value.numel() == 1 and given.whole
        if single and (not self._told if self._pending is None else self.objective is None):
            if not self._by_class:  # what was taken before is another measure
                self._by_class, self._losses, self._loss_of, self._seen = True, [], [], []
            self.loss(name, answer, target, plain(value), None, by_class=True)
        elif self._pending is not None and target.shape[:1] == self._pending.x.shape[:1]:
            self._pending.target, self._pending.value = target, self._value(answer, target)

    def _of_another_call(self, scores: torch.Tensor) -> float | None:
        """Known share of an earlier call that made the scores: a script may call the model on each split before it
        computes the losses. None for the last call, and where that cannot be told.
        """
        place, last = _place(scores), None if self._pending is None else self._pending.scores
        if not place or (last is not None and _place(last) == place):
            return None
        held = (
            (made, known)
            for made, known in ((ref(), known) for ref, known in self._answered)
            if made is not None
        )
        return next((known for made, known in held if _place(made) == place), None)

    def _hit(self, hits: torch.Tensor, count: int) -> None:
        if count and len(self._hits) < 2000:
            self._hits.append(self.s.defer(hits))
            self._counts.append(count)
            self._hits_of.append(self._source())

    def output(self, output: Any) -> None:
        """Accuracy of class scores (N, C) against the labels (N,) of the batch that was loaded last."""
        found = [t for _, t in tensors(output)]
        if self._input is not None:
            targets, value, elsewhere = self.targets, None, None
            if found and (targets is None or targets.shape[:1] != self._input.shape[:1]):
                targets, elsewhere = self._look_up(self._input.shape[0])
            if found and targets is not None:
                targets = targets.to(found[0].device)
                value = self._value(found[0], targets)
            x, self._input = self._input, None
            prints = identities(x)
            self._print += sum(prints)
            known = self.samples.known(prints)
            if known < TRAINED:
                self._centring.add(x)
            scores = found[0] if found else None
            if scores is not None and self.objective is not None and not self.objective.told_by(scores):
                scores = None
            if scores is not None and len(self._answered) < MAX_CALLS:
                self._answered.append((weakref.ref(scores), known))
            source = self._source(), self.samples.epoch
            self._pending = Call(
                x, prints, known, scores, targets, value, self._comparable, source, elsewhere
            )
        hits = accuracy(found[0], self.labels) if found and self.labels is not None else None
        self._judged = hits is not None
        if hits is not None and self.labels is not None:
            self._hit(hits, counted(self.labels))

    def _look_up(self, count: int) -> tuple[torch.Tensor | None, torch.Tensor | None]:
        """Targets of so many samples that the evaluating code holds itself: in the unit of training, or in another."""
        if self.objective is None or not self._by_hand or len(self._own) >= 2000:
            return None, None
        target = answers(self.s.sites, self.objective, self._given, count)
        if target is None or self.objective.of_one_unit(target):
            return target, None
        return None, target

    def _value(self, output: torch.Tensor, target: torch.Tensor) -> torch.Tensor | None:
        """The training loss of a held-out batch whose targets are of the kind and the unit that training gets."""
        objective = self.objective
        if (
            objective is None
            or not self._by_hand
            or target.dtype != objective.dtype
            or len(self._own) >= 2000
        ):
            return None
        fits = objective.allows(target) and objective.of_one_unit(target)
        return objective.value(output, target) if fits else None

    def _keep(self, target: torch.Tensor | None = None) -> None:
        """Write the sample of the last call, with the targets of its loss, else of the batch loaded last, else those
        that were looked up; a loss of our own counts only where the script calls none.
        """
        if self._pending is not None:
            call, self._pending = self._pending, None
            if target is None and call.value is not None:
                self._own.append([self.s.defer(call.value), call.x.shape[0], call.known])
            wanted = call.target if target is None else target
            if wanted is not None and call.known < TRAINED:
                self._count_classes(wanted)
            if call.comparable:
                if wanted is not None:
                    self.on_pair(call.x, wanted)
                if wanted is None and call.elsewhere is not None:
                    self.samples.elsewhere = call.elsewhere
                self.samples.evaluated(call.x, wanted, call.scores, call.found, call.known, call.source)

    def _count_classes(self, target: torch.Tensor) -> None:
        """Add up how often each class comes in targets of many labels per sample (masks)."""
        if target.is_floating_point() or target.dim() < 3:
            return
        flat = sample(target)
        for value, count in zip(*(t.tolist() for t in flat.unique(return_counts=True)), strict=True):
            if len(self._classes) < MAX_CLASSES or value in self._classes:
                self._classes[value] = self._classes.get(value, 0) + count

    def close(self) -> None:
        """Queue the row of the evaluation that just ended, if there was one."""
        self._keep()
        if self._modes:
            self.s.add({"k": "eval", "i": self.s.now, "modes": self._modes, "loss": self._losses,
                        "acc": self._hits, "n": self._counts, "root": self._root, **self._distances,
                        "loss_of": self._loss_of, "acc_of": self._hits_of, "binary": self._binary,
                        "loader": self._loader, "site": self._site, "own": self._own, "state": self._state,
                        "print": self._print, "dropped": self.dropped, "seen": self._seen,
                        "centred": self._centring.result(), "classes": self._classes,
                        **self.overlaps.result(),
                        "t": round(self.s.seconds(), 4)})  # fmt: skip
        self.dropped = 0
        self._clear()


def _place(scores: torch.Tensor) -> int:
    """Where the values of a tensor begin, which views of it share; 0 where that is not told."""
    return plain(scores).data_ptr() if scores.layout == torch.strided and not scores.is_nested else 0


def binary_accuracy(name: str, scores: torch.Tensor, target: torch.Tensor) -> torch.Tensor | None:
    """Share of samples on the right side of even odds; None for other losses than binary cross-entropy."""
    edge = EDGES.get(name)
    if edge is None or scores.shape != target.shape or scores.numel() > MAX_LOGITS:
        return None
    return wide((scores.detach() > edge) == (target > 0.5)).mean()


def accuracy(scores: torch.Tensor, labels: torch.Tensor, ignored: int = IGNORED) -> torch.Tensor | None:
    """Share of samples whose largest score is the label, those that the loss ignores left out; None unless scores are
    (N, C >= 2) and labels (N,).
    """
    fits = (
        scores.dim() == 2 and labels.dim() == 1 and scores.shape[0] == labels.shape[0] and scores.shape[1] > 1
    )
    if (
        not fits
        or scores.numel() > MAX_LOGITS
        or labels.is_floating_point()
        or not scores.is_floating_point()
    ):
        return None
    labels = labels.to(scores.device)  # those of a batch as it was loaded may lie elsewhere
    right, asked = scores.detach().argmax(1) == labels, labels != ignored
    return wide((right & asked).sum()) / asked.sum().clamp_min(1)


def counted(labels: torch.Tensor, ignored: int = IGNORED) -> int:
    """How many samples such an accuracy is of."""
    if labels.dim() != 1:
        return int(labels.shape[0])
    return int((labels != ignored).sum())
