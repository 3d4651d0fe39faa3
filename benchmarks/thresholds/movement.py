"""How far weights move in runs with a sound rate, and with one 1,000 times too small or 30 times too large.

Prints, per optimizer and rate: the median |update| / |weight| of the first 60 steps, the sum over the run, and the
last loss. `MAX_MOVEMENT` of lr_too_low lies between the sums of small and sound rates. `LARGE_UPDATE` of lr_too_high
lies above the early ratios of sound rates; it is no lower bound for rates that are too high, because a network that
was thrown away stops moving, which is why that detector looks at the loss too.

    python benchmarks/thresholds/movement.py        # needs torch; about ten seconds on one core
"""

from __future__ import annotations

from statistics import median

import torch
from torch import nn

STEPS = 200
SOUND = {"SGD": 0.1, "Adam": 2e-3, "RMSprop": 1e-3}
FACTORS = (1e-3, 1.0, 30.0)


def data(seed: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Four noisy clusters in 16 dimensions: 512 samples."""
    drawn = torch.Generator().manual_seed(seed)
    centers = 2 * torch.randn(4, 16, generator=drawn)
    labels = torch.randint(4, (512,), generator=drawn)
    return centers[labels] + torch.randn(512, 16, generator=drawn), labels


def train(name: str, rate: float, seed: int) -> tuple[float, float, float]:
    """(median early ratio, summed ratio of the matrix that moves most, last loss) of one run."""
    torch.manual_seed(seed)
    x, y = data(seed)
    model = nn.Sequential(nn.Linear(16, 32), nn.ReLU(), nn.Linear(32, 32), nn.ReLU(), nn.Linear(32, 4))
    optimizer = getattr(torch.optim, name)(model.parameters(), lr=rate)
    matrices = [p for p in model.parameters() if p.dim() == 2]
    ratios: list[list[float]] = []
    loss = torch.tensor(0.0)
    for _ in range(STEPS):
        rows = torch.randint(512, (32,))
        loss = nn.functional.cross_entropy(model(x[rows]), y[rows])
        optimizer.zero_grad()
        loss.backward()
        before = [p.detach().clone() for p in matrices]
        optimizer.step()
        pairs = zip(matrices, before, strict=True)
        ratios.append([float((p.detach() - b).norm() / b.norm()) for p, b in pairs])
    early = median(median(r[k] for r in ratios[:60]) for k in range(len(matrices)))
    return early, max(sum(r[k] for r in ratios) for k in range(len(matrices))), float(loss.detach())


def main() -> None:
    torch.set_num_threads(1)
    print(f"{'optimizer':10}{'rate':>10}{'early ratio':>14}{'movement':>12}{'last loss':>12}")
    for name, sound in SOUND.items():
        for factor in FACTORS:
            runs = [train(name, sound * factor, seed) for seed in range(3)]
            early, moved, loss = (median(column) for column in zip(*runs, strict=True))
            print(f"{name:10}{sound * factor:10.2g}{early:14.2g}{moved:12.2g}{loss:12.2g}")


if __name__ == "__main__":
    main()
