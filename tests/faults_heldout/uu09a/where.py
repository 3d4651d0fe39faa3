"""Distance to the damaged spot of a cable from its pulse echo (time-domain reflectometry)."""
import tomllib
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.optim.lr_scheduler import LambdaLR

from cable import EchoNet

BASE = Path(__file__).resolve().parent
CONF = tomllib.loads((BASE / "where.toml").read_text())


def tensors():
    store = np.load(BASE / "echoes.npz")
    trace = torch.from_numpy(store["trace"].astype(np.float32))
    metre = torch.from_numpy(store["metre"])
    n = CONF["data"]["train"]
    trace = (trace - trace[:n].mean()) / trace[:n].std()
    return (trace[:n], metre[:n]), (trace[n:], metre[n:])


def main():
    torch.manual_seed(CONF["seed"])
    (x, m), (x_test, m_test) = tensors()
    centre, spread = m.mean(), m.std()
    y = (m - centre) / spread
    net = EchoNet(x.shape[1], **CONF["net"])
    t = CONF["training"]
    opt = torch.optim.Adam(net.parameters(), lr=t["lr"], weight_decay=t["weight_decay"])
    steps = t["epochs"] * -(-len(x) // t["batch"])
    warm = steps // 20
    plan = LambdaLR(opt, lambda k: min((k + 1) / warm, 0.02 + 0.98 * (steps - k) / (steps - warm)))
    huber = nn.HuberLoss(delta=1.0)
    for epoch in range(t["epochs"]):
        net.train()
        total = 0.0
        for rows in torch.randperm(len(x)).split(t["batch"]):
            shaken = x[rows] + t["noise"] * torch.randn(len(rows), x.shape[1])
            loss = huber(net(shaken), y[rows])
            opt.zero_grad()
            loss.backward()
            opt.step()
            plan.step()
            total += float(loss.detach()) * len(rows)
        if epoch % 4 == 3:
            net.eval()
            with torch.no_grad():
                z = net(x_test)
            off = (z * spread + centre - m_test).abs()
            print(f"epoch {epoch + 1}: huber {total / len(x):.4f}, test huber "
                  f"{huber(z, (m_test - centre) / spread).item():.4f}, off by {off.mean():.1f} m (median {off.median():.1f} m)")
    print(f"guessing the mean would be off by {(m_test - centre).abs().mean():.1f} m")


if __name__ == "__main__":
    main()
