import json
import sys
from pathlib import Path

import torch
from sklearn.datasets import load_digits

from hashing import HashNet, mean_average_precision, pair_loss

cfg = json.loads((Path(__file__).parent / "settings.json").read_text())
if len(sys.argv) > 1:
    cfg["seed"] = int(sys.argv[1])
torch.manual_seed(cfg["seed"])

X, y = load_digits(return_X_y=True)
X, y = torch.tensor(X, dtype=torch.float32) / 8 - 1, torch.tensor(y)
perm = torch.randperm(len(y))
base, query = perm[:1400], perm[1400:]

net = HashNet(X.shape[1], cfg["bits"])
opt = torch.optim.Adam(net.parameters(), lr=cfg["lr"])
for epoch in range(cfg["epochs"]):
    net.beta = cfg["beta_start"] + (cfg["beta_end"] - cfg["beta_start"]) * epoch / (cfg["epochs"] - 1)
    total = 0.0
    for idx in base[torch.randperm(len(base))].split(cfg["batch"]):
        loss = pair_loss(net(X[idx]), y[idx])
        opt.zero_grad()
        loss.backward()
        opt.step()
        total += loss.item() * len(idx)
    if epoch % 3 == 2:
        with torch.no_grad():
            c = net(X)
        b = c.sign()
        gap = (c - b).abs().mean().item()
        score = mean_average_precision(b[query], y[query], b[base], y[base])
        print(f"epoch {epoch + 1:2d} beta {net.beta:.2f} pair loss {total / len(base):.4f} code gap {gap:.3f} query mAP {score:.4f}")
