"""A hypernetwork that writes the calibration curve of a sensor from its data sheet."""
from pathlib import Path

import numpy as np
import torch
from torch import nn

SPEC = [("w1", (16, 1)), ("b1", (16,)), ("w2", (16, 16)), ("b2", (16,)), ("w3", (1, 16)), ("b3", (1,))]


class HyperNet(nn.Module):
    def __init__(self, n_desc, hidden=64, code=16):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(n_desc, hidden), nn.SiLU(), nn.Linear(hidden, code), nn.SiLU())
        self.heads = nn.ModuleDict()
        for name, shp in SPEC:
            head = nn.Linear(code, int(np.prod(shp)))
            # the generated layers start at the usual fan-in scale, with small sensor-specific parts
            fan_in = shp[-1] if name.startswith("w") else 1
            nn.init.normal_(head.weight, std=0.1 / fan_in ** 0.5 / code ** 0.5)
            if name == "w1":
                nn.init.normal_(head.bias, std=1.5)
            elif name.startswith("w"):
                nn.init.normal_(head.bias, std=1 / fan_in ** 0.5)
            else:
                nn.init.uniform_(head.bias, -1, 1) if name == "b1" else nn.init.zeros_(head.bias)
            self.heads[name] = head

    def generate(self, desc):
        z = self.trunk(desc)
        return {name: self.heads[name](z).view(-1, *shp) for name, shp in SPEC}

    def forward(self, desc, x):
        p = self.generate(desc)
        h = x.unsqueeze(2)
        h = torch.tanh(torch.einsum("nki,noi->nko", h, p["w1"]) + p["b1"].unsqueeze(1))
        h = torch.tanh(torch.einsum("nki,noi->nko", h, p["w2"]) + p["b2"].unsqueeze(1))
        return (torch.einsum("nki,noi->nko", h, p["w3"]) + p["b3"].unsqueeze(1)).squeeze(2)


def load(path, n_val=60, n_test=60):
    z = np.load(path)
    desc, x, y = (torch.from_numpy(z[k]) for k in ("descriptor", "stimulus", "response"))
    perm = torch.randperm(len(desc))
    cut = {"test": perm[:n_test], "val": perm[n_test:n_test + n_val], "train": perm[n_test + n_val:]}
    tr = cut["train"]
    dm, ds, ym, ys = desc[tr].mean(0), desc[tr].std(0), y[tr].mean(), y[tr].std()
    return {k: ((desc[i] - dm) / ds, x[i], (y[i] - ym) / ys) for k, i in cut.items()}, ys.item()


@torch.no_grad()
def rmse(net, part, unit):
    net.eval()
    d, x, y = part
    return (net(d, x) - y).pow(2).mean().sqrt().item() * unit


def main():
    torch.manual_seed(6)
    data, unit = load(Path(__file__).parent / "calibration.npz")
    d, x, y = data["train"]
    net = HyperNet(d.size(1))
    opt = torch.optim.AdamW(net.parameters(), lr=3e-3, weight_decay=0.02)
    epochs, batch = 260, 50
    sched = torch.optim.lr_scheduler.OneCycleLR(opt, 6e-3, total_steps=epochs * -(-len(d) // batch), pct_start=0.15)
    for epoch in range(1, epochs + 1):
        net.train()
        tot = 0.0
        for i in torch.randperm(len(d)).split(batch):
            loss = (net(d[i] + 0.05 * torch.randn_like(d[i]), x[i]) - y[i]).pow(2).mean()
            opt.zero_grad()
            loss.backward()
            opt.step()
            sched.step()
            tot += loss.item() * len(i)
        if epoch % 20 == 0 or epoch == 1:
            print(f"epoch {epoch:3d}  mse {tot / len(d):.5f}  RMSE train {rmse(net, data['train'], unit):.4f}  "
                  f"val {rmse(net, data['val'], unit):.4f} (response units)", flush=True)
    tx, ty = data["test"][1:]
    poly = np.polyfit(x.flatten().numpy(), y.flatten().numpy(), 7)
    base = float(np.sqrt(np.mean((np.polyval(poly, tx.numpy()) - ty.numpy()) ** 2))) * unit
    print(f"unseen sensors: hypernetwork {rmse(net, data['test'], unit):.4f}   one curve for all {base:.4f}")


if __name__ == "__main__":
    main()
