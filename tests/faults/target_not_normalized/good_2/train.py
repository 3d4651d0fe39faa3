"""Forecast the next value of noisy periodic signals with an LSTM."""
import math

import torch
from torch import Tensor, nn, optim

HPARAMS = dict(window=24, hidden=32, layers=1, lr=5e-3, batch=32, steps=350, eval_every=50, seed=5)


def make_series(n_series: int, length: int, generator: torch.Generator) -> Tensor:
    t = torch.arange(length, dtype=torch.float32)
    period = 8 + 12 * torch.rand(n_series, 1, generator=generator)
    phase = 2 * math.pi * torch.rand(n_series, 1, generator=generator)
    amplitude = 0.5 + torch.rand(n_series, 1, generator=generator)
    clean = amplitude * torch.sin(2 * math.pi * t / period + phase)
    return clean + 0.05 * torch.randn(n_series, length, generator=generator)


def windows(series: Tensor, window: int) -> tuple[Tensor, Tensor]:
    chunks = series.unfold(1, window + 1, 3).reshape(-1, window + 1)
    return chunks[:, :-1].unsqueeze(-1), chunks[:, -1:]


class Forecaster(nn.Module):
    def __init__(self, hidden: int, layers: int):
        super().__init__()
        self.rnn = nn.LSTM(1, hidden, num_layers=layers, batch_first=True)
        self.readout = nn.Linear(hidden, 1)

    def forward(self, x: Tensor) -> Tensor:
        out, _ = self.rnn(x)
        return self.readout(out[:, -1])


def sample_batch(x: Tensor, y: Tensor, size: int) -> tuple[Tensor, Tensor]:
    pick = torch.randint(len(x), (size,))
    return x[pick], y[pick]


def rmse(model: nn.Module, x: Tensor, y: Tensor) -> float:
    model.eval()
    with torch.no_grad():
        value = (model(x) - y).pow(2).mean().sqrt().item()
    model.train()
    return value


def main() -> None:
    hp = HPARAMS
    torch.manual_seed(hp["seed"])
    gen = torch.Generator().manual_seed(hp["seed"])
    x_train, y_train = windows(make_series(60, 120, gen), hp["window"])
    x_valid, y_valid = windows(make_series(15, 120, gen), hp["window"])
    print(f"{len(x_train)} training windows, {len(x_valid)} validation windows")

    model = Forecaster(hp["hidden"], hp["layers"])
    optimizer = optim.Adam(model.parameters(), lr=hp["lr"])
    criterion = nn.MSELoss()
    for step in range(1, hp["steps"] + 1):
        xb, yb = sample_batch(x_train, y_train, hp["batch"])
        optimizer.zero_grad()
        loss = criterion(model(xb), yb)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        if step % hp["eval_every"] == 0:
            print(f"step {step:4d} | mse {loss.item():.4f} | valid rmse {rmse(model, x_valid, y_valid):.4f}")


if __name__ == "__main__":
    main()
