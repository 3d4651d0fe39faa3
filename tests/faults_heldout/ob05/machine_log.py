"""Track the hidden operating level of a machine from its event log.

Every log starts with the machine switched off (level 0).  Events move the level up or
down; the target is the level after each event.
"""
import argparse

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

EVENTS = ["up", "down", "hold", "ping", "boost"]
LEVELS = 6


def simulate(n, length, rng):
    ev = rng.choice(len(EVENTS), size=(n, length), p=[0.2, 0.17, 0.3, 0.3, 0.03])
    level = np.zeros(n, dtype=np.int64)
    out = np.zeros((n, length), dtype=np.int64)
    for t in range(length):
        step = np.select([ev[:, t] == 0, ev[:, t] == 1, ev[:, t] == 4], [1, -1, 2], 0)
        level = np.clip(level + step, 0, LEVELS - 1)
        out[:, t] = level
    return torch.from_numpy(ev), torch.from_numpy(out)


class LevelTracker(nn.Module):
    def __init__(self, n_events, n_levels, emb=16, hidden=64):
        super().__init__()
        self.hidden_size = hidden
        self.embed = nn.Embedding(n_events, emb)
        self.gru = nn.GRU(emb, hidden, batch_first=True)
        self.head = nn.Linear(hidden, n_levels)
        self.state = None

    def forward(self, events):
        if self.state is None or self.state.size(1) != events.size(0):
            self.state = torch.zeros(1, events.size(0), self.hidden_size)
        out, state = self.gru(self.embed(events), self.state)
        self.state = state.detach()
        return self.head(out)


def accuracy(model, loader):
    model.eval()
    hit = tot = 0
    with torch.no_grad():
        for ev, lv in loader:
            hit += (model(ev).argmax(-1) == lv).sum().item()
            tot += lv.numel()
    return hit / tot


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--length", type=int, default=24)
    p.add_argument("--n-train", type=int, default=3200)
    p.add_argument("--n-val", type=int, default=640)
    p.add_argument("--batch-size", type=int, default=64)
    p.add_argument("--epochs", type=int, default=9)
    p.add_argument("--lr", type=float, default=4e-3)
    args = p.parse_args()

    torch.manual_seed(1)
    rng = np.random.default_rng(1)
    train = TensorDataset(*simulate(args.n_train, args.length, rng))
    val = TensorDataset(*simulate(args.n_val, args.length, rng))
    train_loader = DataLoader(train, batch_size=args.batch_size, shuffle=True)
    val_loader = DataLoader(val, batch_size=args.batch_size)

    model = LevelTracker(len(EVENTS), LEVELS)
    opt = torch.optim.Adam(model.parameters(), lr=args.lr)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, args.epochs * len(train_loader), eta_min=1e-5)
    loss_fn = nn.CrossEntropyLoss()

    for epoch in range(args.epochs):
        model.train()
        total = 0.0
        for ev, lv in train_loader:
            logits = model(ev)
            loss = loss_fn(logits.reshape(-1, LEVELS), lv.reshape(-1))
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            opt.step()
            sched.step()
            total += loss.item()
        print(f"epoch {epoch:2d} | loss {total / len(train_loader):.4f} | val acc {accuracy(model, val_loader):.4f}")


if __name__ == "__main__":
    main()
