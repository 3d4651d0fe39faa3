"""Learn joint torques of a 3-joint arm from positions and velocities."""
import json
from pathlib import Path

import numpy as np
import torch
from torch import nn, Tensor

HERE = Path(__file__).parent


class LeCunTanh(nn.Module):
    """amplitude * tanh(slope * x), as in Efficient BackProp."""

    def __init__(self, amplitude: float, slope: float):
        super().__init__()
        self.amplitude, self.slope = amplitude, slope

    def forward(self, x: Tensor) -> Tensor:
        return self.amplitude * torch.tanh(self.slope * x)


def make_net(n_in: int, hidden: list, n_out: int, p: dict) -> nn.Module:
    layers, prev = [], n_in
    for h in hidden:
        lin = nn.Linear(prev, h)
        nn.init.normal_(lin.weight, std=prev ** -0.5)
        nn.init.zeros_(lin.bias)
        layers += [lin, LeCunTanh(p["amplitude"], p["slope"])]
        prev = h
    layers.append(nn.Linear(prev, n_out))
    return nn.Sequential(*layers)


def r2(pred: Tensor, true: Tensor) -> list:
    res = ((pred - true) ** 2).sum(0)
    tot = ((true - true.mean(0)) ** 2).sum(0)
    return [round(v, 3) for v in (1 - res / tot).tolist()]


def main() -> None:
    p = json.loads((HERE / "params.json").read_text())
    torch.manual_seed(p["seed"])
    log = np.load(HERE / p["log"])
    state, torque = torch.from_numpy(log["state"]), torch.from_numpy(log["torque"])
    n = 3200
    state = (state - state[:n].mean(0)) / state[:n].std(0)
    torque = (torque - torque[:n].mean(0)) / torque[:n].std(0)

    net = make_net(state.shape[1], p["hidden"], torque.shape[1], p)
    opt = torch.optim.Adam(net.parameters(), lr=p["lr"])
    for epoch in range(p["epochs"]):
        net.train()
        acc = 0.0
        for b in torch.randperm(n).split(p["batch"]):
            loss = ((net(state[b]) - torque[b]) ** 2).mean()
            opt.zero_grad()
            loss.backward()
            opt.step()
            acc += loss.item() * len(b)
        if (epoch + 1) % 5 == 0:
            net.eval()
            with torch.no_grad():
                out = net(state[n:])
            mse = ((out - torque[n:]) ** 2).mean().item()
            print(f"epoch {epoch + 1}: train mse {acc / n:.4f}, test mse {mse:.4f}, R2 per joint {r2(out, torque[n:])}")


if __name__ == "__main__":
    main()
