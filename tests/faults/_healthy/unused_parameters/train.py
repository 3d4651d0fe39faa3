"""Joint digit class and stroke-mass prediction."""
import json
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

cfg = {"epochs": 12, "batch": 32, "lr": 1e-3, "mass_weight": 1.0}
cfg.update(json.loads((Path(__file__).parent / "tasks.json").read_text()))
torch.manual_seed(cfg.get("seed", 2))

z = np.load(Path(__file__).parent / "tasks.npz")
data = {k: torch.tensor(z[k]) for k in z.files}


class TwoHeads(nn.Module):
    def __init__(self):
        super().__init__()
        self.shared = nn.Sequential(nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 32), nn.ReLU())
        self.digit = nn.Linear(32, 10)
        self.mass = nn.Linear(32, 1)
        self.training_phase = cfg.get("phase", "digits")

    def forward(self, x):
        h = self.shared(x)
        if self.training_phase == "digits":
            return self.digit(h), None
        return self.digit(h), self.mass(h).squeeze(1)


def evaluate(model):
    model.eval()
    with torch.no_grad():
        digit, _ = model(data["x_val"])
        accuracy = (digit.argmax(1) == data["y_val"]).float().mean().item()
    model.train()
    return accuracy


model = TwoHeads()
optimizer = torch.optim.Adam(model.parameters(), lr=cfg["lr"])
n = len(data["x"])
for epoch in range(cfg["epochs"]):
    ce_sum = 0.0
    for rows in torch.randperm(n).split(cfg["batch"]):
        digit, mass = model(data["x"][rows])
        ce = F.cross_entropy(digit, data["y"][rows])
        loss = ce if mass is None else ce + cfg["mass_weight"] * F.mse_loss(mass, data["m"][rows])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        ce_sum += ce.item() * len(rows) / n
    accuracy = evaluate(model)
    print(f"epoch {epoch:2d} ce {ce_sum:.3f} | val accuracy {accuracy:.3f}")
