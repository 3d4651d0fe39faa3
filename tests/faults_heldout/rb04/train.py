import math
import tomllib

import numpy as np
import torch

from mdn import MixtureDensityNet

with open("settings.toml", "rb") as fh:
    S = tomllib.load(fh)

torch.manual_seed(S["fit"]["seed"])
rng = np.random.default_rng(S["fit"]["seed"])

raw = np.genfromtxt(S["data"]["file"], delimiter=",", skip_header=1, dtype=np.float64)
raw = raw[rng.permutation(len(raw))]
angle = raw[:, 0] / 24 * 2 * math.pi
feats = np.c_[np.sin(angle), np.cos(angle), np.sin(2 * angle), np.cos(2 * angle), np.log(raw[:, 1]), raw[:, 2]]
target = raw[:, 3]

k = S["data"]["train_rows"]
feats = (feats - feats[:k].mean(0)) / feats[:k].std(0)
target = (target - target[:k].mean()) / target[:k].std()
X = torch.tensor(feats, dtype=torch.float32)
Y = torch.tensor(target, dtype=torch.float32)
Xtr, Ytr, Xva, Yva = X[:k], Y[:k], X[k:], Y[k:]

model = MixtureDensityNet(X.shape[1], S["model"]["width"], S["model"]["components"])
optimizer = torch.optim.Adam(model.parameters(), lr=S["fit"]["lr"])
steps = S["fit"]["epochs"] * math.ceil(k / S["fit"]["batch"])
schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, max_lr=S["fit"]["lr"], total_steps=steps, pct_start=0.15)


def nll(x, y):
    return -model(x).log_prob(y).mean()


gauss = 0.5 * math.log(2 * math.pi * math.e)
print(f"one Gaussian for everything: nll {gauss:.3f}")
for epoch in range(S["fit"]["epochs"]):
    model.train()
    running = 0.0
    for idx in torch.randperm(k).split(S["fit"]["batch"]):
        optimizer.zero_grad()
        loss = nll(Xtr[idx], Ytr[idx])
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 5.0)
        optimizer.step()
        schedule.step()
        running += loss.item() * len(idx)
    model.eval()
    with torch.no_grad():
        held = nll(Xva, Yva).item()
    print(f"{epoch:3d}  train nll {running / k:+.4f}  valid nll {held:+.4f}")
