"""Windows of one recording on both sides: evaluation inputs parts of which training inputs hold at another place.

Runs of GRAM successive values get a number each, and those that are picked by their number alone (Schleimer et al.,
"Winnowing", 2003) are compared, so that a window is known again wherever another one begins. Rough runs are compared
by their form, so that windows which were standardised by themselves are known again too; smooth ones by their values,
since the form of a piece of a wave is no rare thing. What several training windows hold at one place (hours of the
day, a calibration pulse) recurs by nature and is left out.
"""

from __future__ import annotations

from functools import lru_cache

import torch

from .reduced import identities
from .session import Session
from .stats import local

GRAM, DISTINCT = (
    8,
    6,
)  # successive values, and how many of them differ at least: silence is everywhere the same
ROUGH, FINE = (
    0.1,
    1e-3,
)  # third differences relative to the range of a run; to which share of it forms are compared
SHORT, LONG = 16, 4096  # values of a window along the time axis
CHANNELS = 64
PICKED = 16  # runs per window, about
MOST, ASKED = 400_000, 4000  # runs of training that are kept, and evaluation windows that are looked at
ELEMENTS = (
    8192  # of a batch: what is freed after a large look would hide the growth of the script's own memory
)
MATCHES = 2  # runs that both have: of measurements not even one is equal by chance


class Windows:
    """Writes ``windows`` rows: how many of the inputs of an evaluated batch share a part with training inputs, and how
    many of the picked runs at their ``begins`` and ``ends`` are known from training, of how many.
    """

    def __init__(self, session: Session) -> None:
        self.s = session
        self._kept: list[torch.Tensor] = []  # (2, n): number of a run, and where in its window it stands
        self._known: set[int] = set()
        self._count = self._asked = 0
        self._sorted: torch.Tensor | None = None
        # what a loader has made, before noise is put on it: kept until a step has used it, whatever the script does
        self.given: torch.Tensor | None = None

    def forget(self) -> None:
        """Start anew: other weights are trained from now on."""
        self._kept, self._known, self._count, self._sorted = [], set(), 0, None

    def clean(self, x: torch.Tensor) -> torch.Tensor:
        """A batch of training as the loader has made it, where there is one."""
        given, self.given = self.given, None
        return given if given is not None and given.shape == x.shape else x

    def trained(self, x: torch.Tensor) -> None:
        """A batch of training, on the CPU."""
        if self._count < MOST and (found := _runs(_few(x))) is not None:
            numbers, places, owners = found
            prints = identities(_few(x))
            new = torch.tensor([h not in self._known for h in prints])[owners]
            self._known.update(prints)
            self._kept.append(torch.stack([numbers[new], places[new]]))
            self._count += int(new.sum())
            self._sorted = None

    def evaluated(self, x: torch.Tensor, loader: int | None) -> None:
        """A batch of held-out samples, on the CPU."""
        x = _spread(x)
        if not self._count or self._asked >= ASKED or (found := _runs(x)) is None:
            return
        numbers, places, owners = found
        time = max(x.shape[1:])
        known = self._lookup()
        if not known.numel():
            return
        first = torch.searchsorted(known[0], numbers).clamp(max=known.shape[1] - 1)
        last = (torch.searchsorted(known[0], numbers, right=True) - 1).clamp(min=0)
        there = known[0][first] == numbers
        elsewhere = there & ((known[1][first] != places) | (known[1][last] != places))
        shared = torch.zeros(x.shape[0], dtype=torch.long).scatter_add_(0, owners, elsewhere.long())
        self._asked += x.shape[0]
        edges = {"begins": places < GRAM, "ends": places > time - 2 * GRAM}
        self.s.add({"k": "windows", "i": self.s.now + 1, "loader": loader, "n": x.shape[0],
                    "shared": int((shared >= MATCHES).sum()),
                    **{k: [int((there & edge).sum()), int(edge.sum())] for k, edge in edges.items()}})  # fmt: skip

    def _lookup(self) -> torch.Tensor:
        if self._sorted is None:
            kept = torch.cat(self._kept, 1)
            self._kept = [kept]
            # by the number, then by the place
            kept, times = kept.unique(dim=1, return_counts=True)
            self._sorted = kept[:, ~torch.isin(kept[0], kept[0][times > 1])]
        return self._sorted


def _few(x: torch.Tensor) -> torch.Tensor:
    """The first windows of a batch, as many as are looked at."""
    return x[: max(1, ELEMENTS * x.shape[0] // max(1, x.numel()))]


def _spread(x: torch.Tensor) -> torch.Tensor:
    """As many windows from all over a batch: the first ones of a held-out set may lie at the cut."""
    few = _few(x).shape[0]
    return x[torch.linspace(0, x.shape[0] - 1, few).long()] if few < x.shape[0] else x


def _runs(x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor] | None:
    """Numbers of the picked runs of each window, their places in it and whose they are; None for what is no window.
    Shape of x: (N, T), or (N, T, C) or (N, C, T), of which the longer axis is taken for time.
    """
    if not x.is_floating_point() or x.dim() not in (2, 3):
        return None
    series = local(x).cpu().double()
    if series.dim() == 3:
        series = series if series.shape[1] >= series.shape[2] else series.transpose(1, 2)
        if series.shape[2] > CHANNELS:
            return None
        series = series @ _weights(series.shape[2])
    length = series.shape[1]
    if not SHORT <= length <= LONG:
        return None
    runs = series.unfold(1, GRAM, 1)
    ordered = runs.sort(2).values
    varied = (ordered[..., 1:] != ordered[..., :-1]).sum(2) >= DISTINCT - 1
    low, extent = ordered[..., :1], (ordered[..., -1:] - ordered[..., :1]).clamp(min=1e-30)
    rough = runs.diff(3, dim=2).abs().mean(2, keepdim=True) > ROUGH * extent
    told = torch.where(rough, ((runs - low) / (FINE * extent)).round(), runs)
    numbers = (torch.nan_to_num(told @ _weights(GRAM)).view(torch.int64) + 2048) >> 12
    every = max(1, length // PICKED)
    owners, places = ((numbers % every == 0) & varied).nonzero(as_tuple=True)
    return numbers[owners, places], places, owners


@lru_cache(maxsize=32)
def _weights(count: int) -> torch.Tensor:
    positions = torch.arange(1, count + 1, dtype=torch.float64)
    weights = torch.cos(positions * 78.233) * 12543.9812
    return weights - weights.floor() + 0.5
