"""Autoregressive model of 10x10 terrain tiles (0 water, 1 sand, 2 grass, 3 rock) for the map editor."""
import json
import math
import pathlib

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

HERE = pathlib.Path(__file__).resolve().parent
cfg = json.loads((HERE / "model.json").read_text())
torch.manual_seed(cfg["seed"])


class MaskedConv2d(nn.Conv2d):
    def __init__(self, kind, c_in, c_out, k):
        super().__init__(c_in, c_out, k, padding=k // 2)
        m = torch.zeros(k, k)
        m[: k // 2] = 1
        m[k // 2, : k // 2 + (kind == "B")] = 1
        self.register_buffer("mask", m)

    def forward(self, x):
        return F.conv2d(x, self.weight * self.mask, self.bias, padding=self.padding)


class TileNet(nn.Module):
    def __init__(self, kinds, levels, width, k):
        super().__init__()
        self.levels = levels
        self.convs = nn.ModuleList()
        c = levels
        for kind in kinds:
            self.convs.append(MaskedConv2d(kind, c, width, k))
            c = width
        self.out = nn.Conv2d(c, levels, 1)

    def forward(self, tiles):
        h = F.one_hot(tiles, self.levels).permute(0, 3, 1, 2).float()
        for i, conv in enumerate(self.convs):
            z = F.relu(conv(h))
            h = z if i == 0 else h + z
        return self.out(h)


@torch.no_grad()
def sample(model, n, size):
    x = torch.zeros(n, size, size, dtype=torch.long)
    for r in range(size):
        for c in range(size):
            p = model(x)[:, :, r, c].softmax(1)
            x[:, r, c] = torch.multinomial(p, 1).squeeze(1)
    return x


def neighbour_agreement(x):
    return 0.5 * ((x[:, 1:] == x[:, :-1]).float().mean() + (x[:, :, 1:] == x[:, :, :-1]).float().mean()).item()


z = np.load(HERE / "tiles.npz")
train = torch.from_numpy(z["train"]).long()
val = torch.from_numpy(z["val"]).long()
model = TileNet(cfg["masks"], cfg["levels"], cfg["width"], cfg["kernel"])
opt = torch.optim.Adam(model.parameters(), lr=cfg["lr"])
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, cfg["epochs"])

for epoch in range(cfg["epochs"]):
    model.train()
    seen = 0.0
    for idx in torch.randperm(len(train)).split(cfg["batch"]):
        loss = F.cross_entropy(model(train[idx]), train[idx])
        opt.zero_grad()
        loss.backward()
        opt.step()
        seen += loss.item() * len(idx)
    sched.step()
    model.eval()
    with torch.no_grad():
        v = F.cross_entropy(model(val), val).item()
    print(f"epoch {epoch:2d}  train {seen / len(train) / math.log(2):.3f} bits/cell  val {v / math.log(2):.3f} bits/cell")

drawn = sample(model, 128, val.shape[-1])
print(f"neighbour agreement: drawn tiles {neighbour_agreement(drawn):.3f}, real tiles {neighbour_agreement(val):.3f}")
torch.save(model.state_dict(), HERE / "tilenet.pt")
