import copy
import json
from pathlib import Path

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

BASE = Path(__file__).resolve().parent


class Averaged:
    def __init__(self, model, decay):
        self.decay = decay
        self.module = copy.deepcopy(model).eval()
        for p in self.module.parameters():
            p.requires_grad_(False)

    @torch.no_grad()
    def update(self, model):
        for e, p in zip(self.module.parameters(), model.parameters()):
            e.lerp_(p, 1.0 - self.decay)


class SpectraNet(nn.Module):
    """1-d convolutions over a reflectance spectrum, several materials may be present."""

    def __init__(self, n_labels):
        super().__init__()
        self.c1 = nn.Conv1d(1, 24, 7, padding=3)
        self.c2 = nn.Conv1d(24, 48, 5, padding=2)
        self.c3 = nn.Conv1d(48, 48, 3, padding=1)
        self.fc = nn.Linear(48 * 8, n_labels)

    def forward(self, x):
        x = F.avg_pool1d(F.silu(self.c1(x)), 2)
        x = F.avg_pool1d(F.silu(self.c2(x)), 2)
        x = F.avg_pool1d(F.silu(self.c3(x)), 2)
        return self.fc(x.flatten(1))


class Experiment:
    def __init__(self, cfg):
        self.cfg = cfg
        torch.manual_seed(cfg["seed"])
        z = np.load(BASE / "spectra.npz")
        x = torch.from_numpy(z["reflectance"].astype(np.float32))
        x = (x - x[: cfg["n_train"]].mean()) / x[: cfg["n_train"]].std()
        y = torch.from_numpy(z["materials"].astype(np.float32))
        n = cfg["n_train"]
        self.xt, self.yt, self.xv, self.yv = x[:n, None], y[:n], x[n:, None], y[n:]
        self.model = SpectraNet(y.shape[1])
        self.average = Averaged(self.model, cfg["average_decay"])
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=cfg["lr"], weight_decay=0.01)

    def evaluate(self, net):
        with torch.no_grad():
            out = net(self.xv)
        loss = F.binary_cross_entropy_with_logits(out, self.yv).item()
        pred, gold = out > 0, self.yv > 0.5
        f1 = 2 * (pred & gold).sum().item() / max((pred.sum() + gold.sum()).item(), 1)
        return loss, f1

    def run(self):
        for epoch in range(self.cfg["epochs"]):
            total = 0.0
            for idx in torch.randperm(len(self.xt)).split(self.cfg["batch"]):
                loss = F.binary_cross_entropy_with_logits(self.model(self.xt[idx]), self.yt[idx])
                self.optimizer.zero_grad()
                loss.backward()
                self.optimizer.step()
                self.average.update(self.model)
                total += loss.item() * len(idx)
            vl, f1 = self.evaluate(self.average.module)
            print(f"epoch {epoch + 1:2d}: train {total / len(self.xt):.4f}  valid {vl:.4f}  micro-f1 {f1:.3f}")
        torch.save(self.average.module.state_dict(), BASE / "spectra_model.pt")


if __name__ == "__main__":
    torch.set_num_threads(1)
    Experiment(json.loads((BASE / "experiment.json").read_text())).run()
