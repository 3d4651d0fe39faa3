"""Three quantiles of tomorrow's load from calendar and weather features (functional style)."""
import json
import os

import numpy as np
import torch
from torch.func import functional_call, grad_and_value

HERE = os.path.dirname(os.path.abspath(__file__))
with open(os.path.join(HERE, "run.json")) as fh:
    RUN = json.load(fh)
DTYPE = getattr(torch, RUN["dtype"])
TAUS = torch.tensor([0.1, 0.5, 0.9])


def make_net(n_in):
    return torch.nn.Sequential(
        torch.nn.Linear(n_in, 64), torch.nn.SiLU(),
        torch.nn.Linear(64, 64), torch.nn.SiLU(),
        torch.nn.Linear(64, 3),
    )


def pinball(pred, target):
    diff = target.unsqueeze(1) - pred.float()
    return torch.maximum(TAUS * diff, (TAUS - 1) * diff).mean()


def main():
    torch.manual_seed(RUN["seed"])
    blob = np.load(os.path.join(HERE, "load.npz"))
    x, y = torch.from_numpy(blob["x"]).to(DTYPE), torch.from_numpy(blob["y"])
    n = int(0.8 * len(y))
    net = make_net(x.shape[1]).to(DTYPE)
    params = {k: v.detach().clone() for k, v in net.named_parameters()}

    def objective(p, xb, yb):
        return pinball(functional_call(net, p, (xb,)), yb)

    gradient = grad_and_value(objective)
    velocity = {k: torch.zeros_like(v) for k, v in params.items()}
    lr, mu = RUN["lr"], RUN["momentum"]
    for epoch in range(RUN["epochs"]):
        seen = []
        for idx in torch.randperm(n).split(RUN["batch_size"]):
            g, value = gradient(params, x[idx], y[idx])
            for k in params:
                velocity[k] = mu * velocity[k] + g[k]
                params[k] = params[k] - lr * velocity[k]
            seen.append(value.item())
        if epoch % 4 == 3:
            with torch.no_grad():
                out = functional_call(net, params, (x[n:],))
                held = pinball(out, y[n:]).item()
                cover = ((y[n:] >= out[:, 0].float()) & (y[n:] <= out[:, 2].float())).float().mean().item()
            print(f"epoch {epoch + 1:3d}  pinball {np.mean(seen):.4f}  held-out {held:.4f}  80% band covers {cover:.3f}")


if __name__ == "__main__":
    main()
