import tomllib

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F


class Monitor(nn.Module):
    def __init__(self, n, width, code):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(n, width), nn.GELU(), nn.Linear(width, code), nn.GELU())
        self.mode = nn.Sequential(nn.Linear(code, 32), nn.GELU(), nn.Linear(32, 3))
        self.wear = nn.Sequential(nn.Linear(code, 32), nn.GELU(), nn.Linear(32, 1))
        self.rebuild = nn.Linear(code, n)

    def forward(self, x):
        z = self.trunk(x)
        return {"mode": self.mode(z), "wear": self.wear(z).squeeze(1), "rebuild": self.rebuild(z)}


def losses(out, x, mode, wear):
    return {
        "mode": F.cross_entropy(out["mode"], mode, label_smoothing=0.05),
        "wear": F.smooth_l1_loss(out["wear"], wear),
        "rebuild": F.mse_loss(out["rebuild"], x),
    }


def report(net, x, mode, wear):
    net.eval()
    with torch.no_grad():
        o = net(x)
        acc = (o["mode"].argmax(1) == mode).float().mean()
        r2 = 1 - (o["wear"] - wear).pow(2).mean() / wear.var(unbiased=False)
        ev = 1 - (o["rebuild"] - x).pow(2).mean() / x.var(0).mean()
    return f"mode acc {acc:.3f} wear R2 {r2:.3f} rebuilt variance {ev:.3f}"


def main():
    with open("plan.toml", "rb") as f:
        plan = tomllib.load(f)
    torch.manual_seed(1)
    z = np.load("press.npz")
    x = torch.tensor(z["readings"].astype("float32"))
    mode = torch.tensor(z["mode"].astype("int64"))
    wear = torch.tensor(z["wear"])
    n = 1900
    x = (x - x[:n].mean(0)) / x[:n].std(0)
    wear = (wear - wear[:n].mean()) / wear[:n].std()
    net = Monitor(x.shape[1], **plan["model"])
    opt = torch.optim.AdamW(net.parameters(), lr=plan["fit"]["lr"])
    w = plan["loss"]
    for r in range(plan["fit"]["rounds"]):
        net.train()
        sums = dict.fromkeys(w, 0.0)
        for b in torch.randperm(n).split(plan["fit"]["batch"]):
            parts = losses(net(x[b]), x[b], mode[b], wear[b])
            total = sum(w[k] * parts[k] for k in w)
            opt.zero_grad()
            total.backward()
            opt.step()
            for k in w:
                sums[k] += parts[k].item() * len(b) / n
        if r % 3 == 2:
            print(r + 1, " ".join(f"{k}={v:.3f}" for k, v in sums.items()), "|", report(net, x[n:], mode[n:], wear[n:]))


if __name__ == "__main__":
    main()
