"""Cox proportional hazards network for the follow-up cohort."""
import csv
import tomllib
from pathlib import Path

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

BASE = Path(__file__).parent


def read_cohort(name):
    with open(BASE / name, newline="") as f:
        rows = list(csv.reader(f))[1:]
    t = torch.tensor([[float(v) for v in r] for r in rows])
    return t[:, :-2], t[:, -2], t[:, -1]


def cox_loss(score, time, event):
    order = torch.argsort(time, descending=True)
    score, event = score[order], event[order]
    log_risk = torch.logcumsumexp(score, dim=0)
    return -((score - log_risk) * event).sum() / event.sum().clamp(min=1)


def concordance(score, time, event):
    earlier = (time[:, None] < time[None, :]) & (event[:, None] > 0)
    higher = (score[:, None] > score[None, :]).float() + 0.5 * (score[:, None] == score[None, :]).float()
    return (higher * earlier).sum().item() / earlier.sum().item()


def build(n_in, hidden, dropout):
    layers = []
    for h in hidden:
        layers += [nn.Linear(n_in, h), nn.ReLU(), nn.Dropout(dropout)]
        n_in = h
    return nn.Sequential(*layers, nn.Linear(n_in, 1))


class CoxTrainer:
    def __init__(self, model, o):
        self.model = model
        self.epochs = o["epochs"]
        self.opt = torch.optim.AdamW(model.parameters(), lr=o["lr"], weight_decay=o["weight_decay"])
        self.sched = torch.optim.lr_scheduler.MultiStepLR(self.opt, milestones=o["milestones"], gamma=o["gamma"])

    def training_step(self, x, time, event):
        loss = cox_loss(self.model(x).squeeze(1), time, event)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.sched.step()
        return loss.item()

    def fit(self, loader, held_out):
        for epoch in range(1, self.epochs + 1):
            self.model.train()
            losses = [self.training_step(*batch) for batch in loader]
            self.model.eval()
            with torch.no_grad():
                x, time, event = held_out
                score = self.model(x).squeeze(1)
            print(f"epoch {epoch:3d}  partial likelihood {sum(losses) / len(losses):.4f}  "
                  f"held-out {cox_loss(score, time, event).item():.4f}  c-index {concordance(score, time, event):.4f}")


def main():
    cfg = tomllib.loads((BASE / "settings.toml").read_text())
    torch.manual_seed(cfg["optim"]["seed"])
    x, time, event = read_cohort(cfg["data"]["file"])
    n = cfg["data"]["n_train"]
    x = (x - x[:n].mean(0)) / x[:n].std(0)
    loader = DataLoader(TensorDataset(x[:n], time[:n], event[:n]), cfg["optim"]["batch_size"], shuffle=True)
    model = build(x.shape[1], cfg["model"]["hidden"], cfg["model"]["dropout"])
    CoxTrainer(model, cfg["optim"]).fit(loader, (x[n:], time[n:], event[n:]))


if __name__ == "__main__":
    main()
