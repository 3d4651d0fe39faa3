"""One trunk, two heads: material of the part (8 classes) and its pose (5 numbers)."""
import os
import tomllib

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

BASE = os.path.dirname(os.path.abspath(__file__))


class TwoHeads(nn.Module):
    def __init__(self, n_in, hidden, code, n_classes, n_pose):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(n_in, hidden), nn.ELU(), nn.Linear(hidden, hidden), nn.ELU(),
                                   nn.Linear(hidden, code), nn.ELU())
        self.material = nn.Linear(code, n_classes)
        self.pose = nn.Linear(code, n_pose)

    def forward(self, x):
        z = self.trunk(x)
        return self.material(z), self.pose(z)


def losses(model, x, cls, pose):
    logits, p = model(x)
    return {"material": F.cross_entropy(logits, cls), "pose": F.mse_loss(p, pose)}, logits, p


def train(cfg):
    torch.manual_seed(cfg["seed"])
    z = np.load(os.path.join(BASE, cfg["data"]["file"]))
    tr = [torch.from_numpy(z["train_" + k]) for k in ("x", "material", "pose")]
    te = [torch.from_numpy(z["test_" + k]) for k in ("x", "material", "pose")]
    m = cfg["model"]
    model = TwoHeads(tr[0].shape[1], m["hidden"], m["code"], int(tr[1].max()) + 1, tr[2].shape[1])
    opt = torch.optim.Adam(model.parameters(), lr=cfg["optim"]["lr"])
    weights, bs = cfg["loss_weights"], cfg["data"]["batch_size"]

    for epoch in range(cfg["epochs"]):
        model.train()
        for idx in torch.randperm(len(tr[0])).split(bs):
            parts, _, _ = losses(model, *(t[idx] for t in tr))
            total = sum(weights[k] * v for k, v in parts.items())
            opt.zero_grad()
            total.backward()
            nn.utils.clip_grad_norm_(model.parameters(), cfg["optim"]["max_norm"])
            opt.step()
        model.eval()
        with torch.no_grad():
            parts, logits, _ = losses(model, *te)
            acc = (logits.argmax(1) == te[1]).float().mean()
        print("epoch", epoch, "test", {k: round(v.item(), 4) for k, v in parts.items()}, "acc %.3f" % acc)


if __name__ == "__main__":
    with open(os.path.join(BASE, "config.toml"), "rb") as fh:
        train(tomllib.load(fh))
