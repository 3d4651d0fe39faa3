import pathlib

import numpy as np
import torch
from torch import nn

HERE = pathlib.Path(__file__).resolve().parent


def load(seed=0):
    raw = np.genfromtxt(HERE / "sales.csv", delimiter=",", skip_header=1)
    num, zone, price = raw[:, :5], raw[:, 5].astype(int), raw[:, 6]
    perm = np.random.default_rng(seed).permutation(len(raw))
    tr, va = perm[500:], perm[:500]
    m, s = num[tr].mean(0), num[tr].std(0)
    feats = np.hstack([(num - m) / s, np.eye(4)[zone]])
    as_t = lambda a: torch.tensor(a, dtype=torch.float32)
    return as_t(feats[tr]), as_t(price[tr]), as_t(feats[va]), as_t(price[va])


class PriceNet(nn.Module):
    """Outputs euros. The last affine map is fixed from the training prices."""

    def __init__(self, n_in, centre, spread):
        super().__init__()
        self.register_buffer("centre", centre)
        self.register_buffer("spread", spread)
        self.core = nn.Sequential(nn.Linear(n_in, 64), nn.ReLU(), nn.Linear(64, 32), nn.ReLU(), nn.Linear(32, 1))

    def forward(self, x):
        return self.centre + self.spread * self.core(x).squeeze(-1)


def main():
    torch.manual_seed(1)
    xt, yt, xv, yv = load()
    net = PriceNet(xt.shape[1], yt.mean(), yt.std())
    opt = torch.optim.Adam(net.parameters(), lr=2e-3)
    sched = torch.optim.lr_scheduler.ReduceLROnPlateau(opt, factor=0.3, patience=4)
    mse = nn.MSELoss()
    for epoch in range(40):
        net.train()
        acc = 0.0
        for b in torch.randperm(len(xt)).split(64):
            loss = mse(net(xt[b]), yt[b])
            opt.zero_grad()
            loss.backward()
            opt.step()
            acc += loss.item() * len(b)
        net.eval()
        with torch.no_grad():
            p = net(xv)
            v = mse(p, yv).item()
            mape = ((p - yv).abs() / yv).mean().item()
        sched.step(v)
        if epoch % 4 == 3:
            print(f"{epoch + 1:3d} train MSE {acc / len(xt):.4g} EUR^2 | val MSE {v:.4g} | MAPE {100 * mape:.1f}% | "
                  f"R2 {1 - v / yv.var().item():.3f}")


if __name__ == "__main__":
    main()
