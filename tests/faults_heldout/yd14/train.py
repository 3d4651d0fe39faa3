"""State of charge, cell temperature and fault flag from one network, tasks weighted by learned uncertainty.

Everything is functional: parameters live in a dict and torch.func computes the gradients.
"""
import math
from pathlib import Path

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.func import functional_call, grad_and_value

import adam

LR, EPOCHS, BATCH = 3e-3, 50, 100


def load():
    raw = np.genfromtxt(Path(__file__).parent / "cells.csv", delimiter=",", skip_header=1)
    raw = raw[np.random.default_rng(0).permutation(len(raw))]
    x, soc, temp, fault = raw[:, :6], raw[:, 6], raw[:, 7], raw[:, 8]
    n = 2400
    x = (x - x[:n].mean(0)) / x[:n].std(0)
    scale = {"soc": (soc[:n].mean(), soc[:n].std()), "temp": (temp[:n].mean(), temp[:n].std())}
    soc = (soc - scale["soc"][0]) / scale["soc"][1]
    temp = (temp - scale["temp"][0]) / scale["temp"][1]
    pack = [torch.tensor(a, dtype=torch.float32) for a in (x, soc, temp, fault)]
    return [p[:n] for p in pack], [p[n:] for p in pack], scale


class Cell(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(6, 64), nn.SiLU(), nn.Linear(64, 64), nn.SiLU())
        self.heads = nn.Linear(64, 3)

    def forward(self, x):
        return self.heads(self.body(x)).unbind(1)


def main():
    torch.manual_seed(9)
    train, test, scale = load()
    net = Cell()
    params = {k: v.detach().clone() for k, v in net.named_parameters()}
    params["log_var"] = torch.zeros(2)
    params["log_temp"] = torch.zeros(())

    def objective(p, x, soc, temp, fault):
        weights = {k: v for k, v in p.items() if not k.startswith("log_")}
        a, b, c = functional_call(net, weights, (x,))
        s = p["log_var"]
        gauss = 0.5 * ((a - soc) ** 2 * torch.exp(-s[0]) + s[0]).mean() + 0.5 * ((b - temp) ** 2 * torch.exp(-s[1]) + s[1]).mean()
        bern = F.binary_cross_entropy_with_logits(c * torch.exp(p["log_temp"]), fault)
        return gauss + bern

    step_fn = grad_and_value(objective)
    state = adam.init(params)
    total = EPOCHS * (len(train[0]) // BATCH)
    for epoch in range(EPOCHS):
        order = torch.randperm(len(train[0]))
        history = []
        for idx in order.split(BATCH):
            grads, value = step_fn(params, *(t[idx] for t in train))
            base = LR * 0.5 * (1 + math.cos(math.pi * state["t"] / total))
            lr = {k: base * (10 if k.startswith("log_") else 1) for k in params}
            params, state = adam.update(params, grads, state, lr)
            history.append(value.item())
        if (epoch + 1) % 5 == 0:
            with torch.no_grad():
                a, b, c = functional_call(net, {k: v for k, v in params.items() if not k.startswith("log_")}, (test[0],))
                soc_err = (a - test[1]).abs().mean().item() * scale["soc"][1]
                temp_err = (b - test[2]).abs().mean().item() * scale["temp"][1]
                acc = ((c > 0) == (test[3] > 0.5)).float().mean().item()
            print(f"epoch {epoch + 1:2d} objective {np.mean(history):+.3f} | soc mae {soc_err:.4f} temperature mae {temp_err:.2f} C "
                  f"fault acc {acc:.3f} | sigma {params['log_var'].mul(0.5).exp().double().numpy().round(3).tolist()}")
    const = test[1].sub(train[1].mean()).abs().mean().item() * scale["soc"][1], test[2].sub(train[2].mean()).abs().mean().item() * scale["temp"][1]
    print(f"constant prediction: soc mae {const[0]:.4f} temperature mae {const[1]:.2f} C fault acc {1 - test[3].mean().item():.3f}")


if __name__ == "__main__":
    main()
