"""Share of rectifier units that are zero for a whole batch: fresh, trained, and with biases that switch them off.

Prints the largest share over the layers. `DEAD` of dead_relu lies between trained networks and switched-off ones.

    python benchmarks/thresholds/dead_units.py      # needs torch; a few seconds on one core
"""

from __future__ import annotations

import torch
from torch import nn

BATCHES = (4, 32, 256)


def build(bias: float) -> nn.Sequential:
    model = nn.Sequential(nn.Linear(16, 64), nn.ReLU(), nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 4))
    for part in model:
        if isinstance(part, nn.Linear):
            nn.init.kaiming_uniform_(part.weight, nonlinearity="relu")
            nn.init.constant_(part.bias, bias)
    return model


def dead(model: nn.Sequential, x: torch.Tensor) -> float:
    """Largest share, over the rectifiers, of units that are zero for every row of x."""
    shares = []
    for part in model:
        x = part(x)
        if isinstance(part, nn.ReLU):
            shares.append(float((x.amax(0) <= 0).float().mean()))
    return max(shares)


def train(model: nn.Sequential, x: torch.Tensor, y: torch.Tensor) -> None:
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
    for _ in range(300):
        rows = torch.randint(len(x), (32,))
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x[rows]), y[rows]).backward()
        optimizer.step()


def main() -> None:
    torch.set_num_threads(1)
    torch.manual_seed(0)
    labels = torch.randint(4, (512,))
    x = (2 * torch.randn(4, 16))[labels] + torch.randn(512, 16)
    print(f"{'network':22}" + "".join(f"{f'batch {n}':>12}" for n in BATCHES))
    for name, bias, learns in (
        ("fresh", 0.0, False),
        ("trained", 0.0, True),
        ("biases of -20", -20.0, False),
    ):
        model = build(bias)
        if learns:
            train(model, x, labels)
        with torch.no_grad():
            print(f"{name:22}" + "".join(f"{dead(model, x[:n]):12.2f}" for n in BATCHES))


if __name__ == "__main__":
    main()
