"""Calls of torch's loss functions: what predictions and targets look like when they meet."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import torch
import torch.nn.functional as F

from .answers import Objective
from .by_hand import quantiles, written_out
from .compared import compared, unadjusted
from .criteria import Criteria
from .evaluation import Evaluation, accuracy
from .graph import is_multiplied, operation
from .overlaps import BY_CLASS
from .patching import wrap
from .probes import Probes
from .samples import Samples
from .session import Session, plain
from .stats import IGNORED, describe, sample, tensors

FUNCTIONS = (
    "cross_entropy", "nll_loss", "binary_cross_entropy", "binary_cross_entropy_with_logits", "mse_loss",
    "l1_loss", "smooth_l1_loss", "huber_loss", "kl_div", "poisson_nll_loss", "gaussian_nll_loss",
    "cosine_embedding_loss", "triplet_margin_loss", "margin_ranking_loss", "multi_margin_loss", "ctc_loss",
)  # fmt: skip


WEIGHTS = ("weight", "pos_weight")
FEW_WEIGHTS = 64
MAX_ROWS = 4_000_000  # numbers of which rows are added up
MANY = 100_000  # weights, or targets, that are not looked at one by one
TRIES = 5  # losses whose graph tells nothing, after which none is read any more
ROWS, FEW = 256, 8  # samples that a level is taken over


class Objectives:
    """Writes ``loss`` rows on sampled steps and the accuracy of every classification step."""

    def __init__(self, session: Session, evaluation: Evaluation, samples: Samples) -> None:
        self.s, self.evaluation, self.samples = session, evaluation, samples
        self.probes: Probes | None = None
        self.model_output: Callable[[], Any] = lambda: None
        self.criteria = Criteria()
        self._depth = 0
        self._averages: str | None = None  # the loss function that training averages
        self._grain: float | None = None
        self._missed = 0  # losses in a row whose graph told nothing
        self._names: dict[int | None, str | None] = {}  # line of a backward pass -> function that its loss is
        self._originals: dict[str, Callable[..., Any]] = {}
        self._rows: list[dict[str, Any]] = []
        self._accuracy: list[Any] = []
        self._values: list[Any] = []
        self._pairs: list[tuple[torch.Tensor, torch.Tensor]] = []
        # rows of functions that give a value for each sample, and the node that made these
        self._each: list[tuple[dict[str, Any], Any]] = []

    def install(self) -> None:
        for name in FUNCTIONS:
            self._originals[name] = wrap(F, name, partial(self._wrap, name))

    def _wrap(self, name: str, original: Callable[..., Any]) -> Callable[..., Any]:
        def loss(*args: Any, **kwargs: Any) -> Any:
            if self._depth or not self.s.here():
                return original(*args, **kwargs)
            self._depth += 1
            try:
                value = original(*args, **kwargs)
            finally:
                self._depth -= 1
            self.s.safely(self._seen, name, original, args, kwargs, value)
            return value

        return loss

    def _seen(
        self, name: str, original: Callable[..., Any], args: Any, kwargs: Any, value: torch.Tensor
    ) -> None:
        scores = args[0] if args else kwargs.get("input")
        target = args[1] if len(args) > 1 else kwargs.get("target")
        if not (issubclass(type(scores), torch.Tensor) and issubclass(type(target), torch.Tensor)):
            return
        trains = value.requires_grad
        scores, target, value = plain(scores), plain(target), plain(value)
        with torch.no_grad():
            ignored = kwargs.get("ignore_index", IGNORED)
            hits = accuracy(scores, target, ignored) if name in BY_CLASS else None
            self.evaluation.overlaps.add(name, scores, target, trains, ignored)
        if trains:
            self._averages = name if kwargs.get("reduction", "mean") == "mean" else None
            self._note_objective(original, scores, target, kwargs)
            self._training_call(name, scores, target, kwargs, value, hits)
        else:
            if kwargs.get("reduction") == "sum" and target.shape:
                value = self._averaged(name, original, scores, target, kwargs, value)
            self.evaluation.loss(name, scores, target, value, hits, ignored)

    def _averaged(
        self, name: str, original: Callable[..., Any], scores: Any, target: Any, kwargs: Any, value: Any
    ) -> Any:
        """The sum over an evaluation batch as a mean: over all answers where training averages them (the pixels of an
        image count one by one), else over the samples.
        """
        if self._averages == name:
            with torch.no_grad():
                return original(scores, target, **{**kwargs, "reduction": "mean"})
        return value / target.shape[0]

    def _note_objective(self, original: Callable[..., Any], scores: Any, target: Any, kwargs: Any) -> None:
        """Remember the call for held-out batches that the script judges by hand."""
        outputs = [plain(t).data_ptr() for _, t in tensors(self.model_output())]
        options = {k: v for k, v in kwargs.items() if k not in ("input", "target")}
        self.evaluation.objective = Objective(
            tuple(scores.shape), tuple(target.shape), target.dtype, partial(_mean_call, original, options),
            scores.data_ptr() in outputs, target,
        )  # fmt: skip

    def written_out(self, losses: list[torch.Tensor]) -> None:
        """A loss that no function of torch's computed: read from its graph, and treated as the function's call. The
        functions that are tried on the way are no calls of the script.
        """
        if not self._pairs and not self._values and len(losses) == 1 and losses[0].numel() == 1:
            self._depth += 1
            try:
                self._read_graph(losses)
            finally:
                self._depth -= 1
        if self._pairs and len(losses) == 1:
            self.criteria.settle(losses[0], self._pairs[0][1])
        for row, node in self._each:
            row["modulated"] = any(is_multiplied(loss, node) for loss in losses)
        self._each = []
        self.criteria.forget()

    def _read_graph(self, losses: list[torch.Tensor]) -> None:
        found = written_out(losses[0], self._made(), self._grain)
        if found is None:
            self._note_compared(losses[0])
            return
        self._grain = found.grain
        with torch.no_grad():
            hits = accuracy(found.scores, found.target) if found.name == "nll_loss" else None
        self._note_objective(self._originals[found.call], found.output, found.target, {})
        options = {"by_hand": True}
        self._training_call(found.name, found.scores, found.target, options, found.value, hits)
        if found.grain == 0.0:  # too coarse to tell equal targets from different ones
            self._pairs.clear()

    def _made(self) -> list[Any]:
        """What losses may be made from: the model's output, and what a loss of the script's was given."""
        return [self.model_output(), *self.criteria.answers()]

    def _note_compared(self, loss: torch.Tensor) -> None:
        """The targets of a loss of any other form: what belongs to which input, whatever the level of the loss says.
        Where that is the value of a function of torch's, it is treated as a call of that.
        """
        levels = quantiles(loss, self._made())
        if levels is not None:
            self._pairs.append((levels[0].detach(), levels[1]))
            return
        if self._missed >= TRIES:
            return
        found = compared(loss, self._made(), self._grain)
        self._missed = self._missed + 1 if found is None else 0
        if found is None:
            return
        self._grain, answers, target = found.grain, found.answers, found.target
        # the same line is the same loss, though its value may come near to that of another
        name = self._names.setdefault(self.s.site("backward"), found.name)
        if name is None:
            self._pairs.append((answers, target))
            self.s.add({"k": "compared", "i": self.s.now + 1, "n": len(target)})
            return
        call = self._originals[name]
        with torch.no_grad():
            hits = accuracy(answers, target) if name in BY_CLASS else None
            value = call(answers, target)
        self._note_objective(call, answers, target, {})
        self._training_call(name, answers, target, {"by_hand": True}, value, hits)
        if found.grain == 0.0:  # too coarse to tell equal targets from different ones
            self._pairs.clear()

    def _training_call(self, name: str, scores: Any, target: Any, kwargs: Any, value: Any, hits: Any) -> None:
        if hits is not None and len(self._accuracy) < 64:
            self._accuracy.append(self.s.defer(hits))
        if value.numel() == 1 and len(self._values) < 64:
            self._values.append(self.s.defer(value))
        if self.probes is not None:
            self.probes.target = target.detach()
        if len(self._pairs) < 4:
            self._pairs.append((unadjusted(scores, self.model_output()), target.detach()))
        if not self.s.sampling or len(self._rows) >= 8:
            return
        with torch.no_grad():
            by_hand = bool(kwargs.get("by_hand"))
            row = {"k": "loss", "fn": name, "site": self.s.site("backward" if by_hand else "loss"),
                   "by_hand": by_hand, "in": describe(scores),
                   "target": describe(target), "maker": maker(scores),
                   "reduction": kwargs.get("reduction", "mean"),
                   "weights": next((w for n in WEIGHTS if (w := weights_of(kwargs.get(n)))), None),
                   "weighted": any(_weighs(kwargs.get(name)) for name in WEIGHTS),
                   "smoothing": kwargs.get("label_smoothing", 0.0),
                   "ignore": kwargs.get("ignore_index", -100),
                   "log_input": kwargs.get("log_input", True),
                   "knee": kwargs.get("beta", kwargs.get("delta"))}  # fmt: skip
            row["rows"] = row_sums(scores)
            row["target_rows"] = largest_row(target)
            row["value"] = self.s.defer(value if value.numel() == 1 else value.detach().float().mean())
            row["spread"] = self._spread(scores, target)
            row["constant"] = self._constant(name, target)
        self._rows.append(row)
        if value.numel() > 1 and value.grad_fn is not None:
            self._each.append((row, value.grad_fn))

    def _spread(self, scores: Any, target: Any) -> Any:
        """How much predictions differ between samples, relative to how much the targets do; 0 for a constant."""
        if (
            scores.shape != target.shape
            or scores.dim() < 2
            or scores.shape[0] < 4
            or not target.is_floating_point()
        ):
            return None
        ours, theirs = (t.detach()[:256].float().std(0).mean() for t in (scores, target))
        return self.s.defer(ours / theirs.clamp_min(1e-12))

    def _constant(self, name: str, target: torch.Tensor) -> Any:
        """Loss of the best answer that is the same for all samples of this batch, each output with its own."""
        columns = target.detach()[:ROWS]
        if (
            name not in LEVELS
            or columns.dim() < 2
            or columns.shape[0] < FEW
            or not columns.is_floating_point()
        ):
            return None
        columns = columns.reshape(columns.shape[0], -1)
        if columns.shape[1] < 2 or columns.numel() > MANY:
            return None
        return self.s.defer(LEVELS[name](columns.float()))

    def close_step(self, row: dict[str, Any]) -> None:
        """Queue this step's calls; accuracy and loss-function values go into the step row."""
        if self._accuracy:
            row["acc"] = self._accuracy
        if self._values:
            row["lf"] = self._values
        for entry in self._rows:
            self.s.add({**entry, "i": row["i"]})
        self.samples.close_step(self._pairs, self.evaluation.targets)
        self._clear()

    def discard(self) -> None:
        """Forget the calls and the inputs of a step that was withheld: the next one begins anew."""
        self.samples.discard()
        self._clear()

    def _clear(self) -> None:
        self._pairs = []
        self._rows, self._accuracy, self._values, self._each = [], [], [], []


def _entropy(columns: torch.Tensor) -> torch.Tensor:
    p = columns.mean(0).clamp(1e-6, 1 - 1e-6)
    return -(p * p.log() + (1 - p) * (1 - p).log()).mean()


LEVELS: dict[str, Callable[[torch.Tensor], torch.Tensor]] = {
    "binary_cross_entropy": _entropy,
    "binary_cross_entropy_with_logits": _entropy,
    "mse_loss": lambda columns: columns.var(0).mean(),
}


def weights_of(weights: Any) -> list[float] | None:
    """Weights per class as they were given; None for none, or too many."""
    if not issubclass(type(weights), torch.Tensor) or not 0 < weights.numel() <= FEW_WEIGHTS:
        return None
    return [float(f"{w:.4g}") for w in weights.detach().reshape(-1).tolist()]


def _weighs(weights: Any) -> bool:
    """Whether weights were given that are not all 1."""
    if not issubclass(type(weights), torch.Tensor):
        return weights is not None
    return weights.numel() > MANY or not bool((weights == 1).all())


def _mean_call(
    original: Callable[..., Any], options: dict[str, Any], scores: torch.Tensor, target: torch.Tensor
) -> torch.Tensor:
    value: torch.Tensor = original(scores, target, **options)
    return value / target.shape[0] if options.get("reduction") == "sum" and target.shape else value


def maker(tensor: torch.Tensor, depth: int = 4) -> list[str]:
    """Names of the operations that made a tensor, newest first, following first inputs through reshapes."""
    names: list[str] = []
    node = tensor.grad_fn
    while node is not None and len(names) < depth:
        names.append(operation(node))
        node = node.next_functions[0][0] if node.next_functions else None
    return names


def largest_row(target: torch.Tensor) -> float | None:
    """The largest sum over dimension 1 of the targets of a sample; None for class numbers."""
    soft = (
        target.is_floating_point()
        and target.dim() >= 2
        and target.shape[1] > 1
        and target.numel() <= MAX_ROWS
    )
    return float(target.detach()[:256].float().sum(1).amax()) if soft and target.numel() else None


def row_sums(scores: torch.Tensor) -> dict[str, float] | None:
    """Smallest value and the largest deviation from 1 of the sums over dimension 1 (of exp and of the values
    themselves): probabilities give ``sum`` ~ 0, log-probabilities give ``logsum`` ~ 0.
    """
    if scores.dim() < 2 or scores.shape[1] < 2 or not scores.is_floating_point() or scores.numel() > MAX_ROWS:
        return None
    rows = scores.detach()[:256].float().transpose(1, -1)
    sums, logsums = rows.sum(-1), torch.logsumexp(rows, -1)
    numbers = torch.stack([sample(rows).amin(), (sums - 1).abs().amax(), logsums.abs().amax()]).tolist()
    return dict(zip(("min", "sum", "logsum"), numbers, strict=True))
