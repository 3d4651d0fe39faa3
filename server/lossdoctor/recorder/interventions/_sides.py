"""The networks that ``widen`` puts beside a model. Each returns what is added to the model's output, zero at first."""

from __future__ import annotations

import torch
from torch import nn

FACTORS, START = 16, 0.05  # columns of a table, and the deviation of its first values: a sum near zero
# of the convolutions over a sequence: with two of them each place sees itself and fifteen places before it
CHANNELS, KERNEL, DILATIONS = 64, 4, (1, 4)
PLACES = 512  # places that are told apart
TIME_FIRST = (nn.RNNBase, nn.MultiheadAttention)  # unless they are made with batch_first


class Side(nn.Module):
    """What runs beside a model."""

    def reads(self, x: torch.Tensor) -> bool:
        """Whether an input has the size that this was made for."""
        raise NotImplementedError


class Products(Side):
    """A table per index, and the sum over all pairs of the products of what they hold."""

    def __init__(self, model: nn.Module, indexes: torch.Tensor, out: torch.Tensor) -> None:
        super().__init__()
        size = _symbols(model, indexes)
        tables = [nn.Embedding(size, FACTORS) for _ in range(indexes.shape[1])]
        for table in tables:
            nn.init.normal_(table.weight, std=START)
        self.tables = nn.ModuleList(tables)
        self.to(device=out.device, dtype=out.dtype)

    def reads(self, x: torch.Tensor) -> bool:
        return x.shape[1] == len(self.tables)

    def forward(self, indexes: torch.Tensor, out: torch.Tensor) -> torch.Tensor:
        held = torch.stack([table(indexes[:, k]) for k, table in enumerate(self.tables)])
        return (0.5 * (held.sum(0).square() - held.square().sum(0)).sum(-1)).reshape(out.shape)


class Sequence(Side):
    """Two convolutions over a sequence of symbols or measurements that see no later place, then an answer per place,
    or one per sample from the mean and the largest of each channel.
    """

    def __init__(self, model: nn.Module, x: torch.Tensor, out: torch.Tensor, width: int) -> None:
        super().__init__()
        self.first_axis = any(not m.batch_first for m in model.modules() if issubclass(type(m), TIME_FIRST))
        self.places = per_place(x, out)
        self.measurements = x.shape[2] if x.is_floating_point() else 0
        self.read = (
            nn.Linear(self.measurements, CHANNELS)
            if x.is_floating_point()
            else nn.Embedding(_symbols(model, x), CHANNELS)
        )
        self.place = nn.Embedding(PLACES, CHANNELS)
        self.convolutions = nn.ModuleList(
            nn.Conv1d(CHANNELS, CHANNELS, KERNEL, dilation=step) for step in DILATIONS
        )
        places, samples = x.shape[0] * x.shape[1], out.shape[0]
        self.answer = nn.Sequential(
            nn.Linear(CHANNELS if self.places else 2 * CHANNELS, width),
            nn.ReLU(),
            _silent(width, out.numel() // (places if self.places else samples)),
        )
        self.to(device=out.device, dtype=out.dtype)

    def reads(self, x: torch.Tensor) -> bool:
        return not x.is_floating_point() or (x.dim() == 3 and x.shape[2] == self.measurements)

    def forward(self, x: torch.Tensor, out: torch.Tensor) -> torch.Tensor:
        held = self.read(x)
        turned = self.first_axis and (bool(self.places) or out.shape[0] != x.shape[0])
        held = held.transpose(0, 1) if turned else held
        known = torch.arange(held.shape[1], device=x.device).clamp(max=PLACES - 1)
        held = (held + self.place(known)).transpose(1, 2)  # samples, channels, places
        for layer, step in zip(self.convolutions, DILATIONS, strict=True):
            held = held + torch.relu(layer(nn.functional.pad(held, ((KERNEL - 1) * step, 0))))
        if not self.places:
            pooled: torch.Tensor = self.answer(torch.cat([held.mean(2), held.amax(2)], 1))
            return pooled.reshape(out.shape)
        more: torch.Tensor = self.answer(held.transpose(1, 2))
        more = more.transpose(0, 1) if turned else more
        return more.transpose(1, 2) if self.places == "channels" else more.reshape(out.shape)


def _silent(width: int, answers: int) -> nn.Linear:
    """A last layer whose output is zero until it is trained."""
    last = nn.Linear(width, answers)
    nn.init.zeros_(last.weight)
    nn.init.zeros_(last.bias)
    return last


def per_place(x: torch.Tensor, out: torch.Tensor) -> str:
    """How an output answers for each place of a sequence ``x`` (samples and places in either order): with the answers
    in the last axis, with all places in one row, with the answers in the middle axis ("channels"), or not at all ("").
    """
    places = x.shape[0] * x.shape[1]
    if out.dim() == 3 and out.shape[:2] == x.shape[:2]:
        return "last"
    if out.dim() <= 2 and out.shape[0] == places and x.shape[1] > 1:
        return "row"
    if out.dim() == 3 and out.shape[0] == x.shape[0] and out.shape[2] == x.shape[1]:
        return "channels"
    return ""


class Plain(Side):
    """A hidden layer over everything that a sample holds."""

    def __init__(self, x: torch.Tensor, out: torch.Tensor, width: int) -> None:
        super().__init__()
        self.size = x[0].numel()
        self.layers = nn.Sequential(nn.Linear(self.size, width), nn.ReLU(), _silent(width, out[0].numel()))
        self.to(device=out.device, dtype=out.dtype)

    def reads(self, x: torch.Tensor) -> bool:
        return x[0].numel() == self.size

    def forward(self, x: torch.Tensor, out: torch.Tensor) -> torch.Tensor:
        more: torch.Tensor = self.layers(x.flatten(1))
        return more.reshape(out.shape)


def _symbols(model: nn.Module, indexes: torch.Tensor) -> int:
    """Rows that a table needs: as many as the model's largest one."""
    known = [m.num_embeddings for m in model.modules() if isinstance(m, nn.Embedding)]
    return max([*known, int(indexes.max()) + 1])
