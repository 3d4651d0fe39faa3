import copy
from dataclasses import dataclass

import numpy as np
import torch
from torch.utils.data import DataLoader, TensorDataset

from hazard import HazardNet, concordance, expected_event_score, survival_loss


@dataclass
class Settings:
    bins: int = 12
    batch: int = 64
    lr: float = 2e-3
    weight_decay: float = 1e-2
    max_epochs: int = 14
    patience: int = 4
    seed: int = 101


class Trainer:
    def __init__(self, cfg, table):
        self.cfg = cfg
        torch.manual_seed(cfg.seed)
        x = torch.tensor(table[:, :-2], dtype=torch.float32)
        months = torch.tensor(table[:, -2])
        event = torch.tensor(table[:, -1])
        order = torch.randperm(len(x))
        n = len(x)
        parts = {"test": order[: n // 5], "val": order[n // 5: 2 * n // 5], "train": order[2 * n // 5:]}
        tr = parts["train"]
        x = (x - x[tr].mean(0)) / x[tr].std(0)
        q = torch.linspace(0, 1, cfg.bins + 1, dtype=months.dtype)[1:-1]
        self.cuts = torch.quantile(months[tr][event[tr] > 0], q)
        bins = torch.bucketize(months, self.cuts)
        self.split = {k: TensorDataset(x[i], bins[i], event[i], months[i]) for k, i in parts.items()}
        self.net = HazardNet(x.shape[1], cfg.bins)
        self.opt = torch.optim.AdamW(self.net.parameters(), lr=cfg.lr, weight_decay=cfg.weight_decay)

    def epoch(self):
        self.net.train()
        losses = []
        for x, b, e, _ in DataLoader(self.split["train"], self.cfg.batch, shuffle=True):
            self.opt.zero_grad()
            loss = survival_loss(self.net(x), b, e)
            loss.backward()
            self.opt.step()
            losses.append(loss.item())
        return float(np.mean(losses))

    @torch.no_grad()
    def evaluate(self, part):
        self.net.eval()
        x, b, e, m = self.split[part].tensors
        out = self.net(x)
        return survival_loss(out, b, e).item(), concordance(m, e, expected_event_score(out))

    def fit(self):
        best, keep, waited = float("inf"), None, 0
        for ep in range(1, self.cfg.max_epochs + 1):
            tr = self.epoch()
            va, c = self.evaluate("val")
            print(f"{ep:3d} train {tr:.4f} val {va:.4f} C {c:.4f}")
            if va < best - 1e-4:
                best, keep, waited = va, copy.deepcopy(self.net.state_dict()), 0
            else:
                waited += 1
                if waited >= self.cfg.patience:
                    break
        self.net.load_state_dict(keep)
        print("test nll %.4f  C %.4f" % self.evaluate("test"))


if __name__ == "__main__":
    Trainer(Settings(), np.loadtxt("cohort.csv", delimiter=",", skiprows=1)).fit()
