from pathlib import Path

import numpy as np
import torch
from torch import nn

BATCH, EPOCHS, LR = 40, 15, 3e-3
ACTIVITIES = ["walk", "stairs", "cycle", "rest", "run"]


def load_recordings(split):
    z = np.load(Path(__file__).with_name("wrist_accel.npz"))
    return torch.from_numpy(z[f"{split}_xyz"]).float(), torch.from_numpy(z[f"{split}_act"]).long()


class ActivityGRU(nn.Module):
    def __init__(self, hidden=40):
        super().__init__()
        self.rnn = nn.GRU(3, hidden, batch_first=True)
        self.cls = nn.Linear(2 * hidden, len(ACTIVITIES))

    def forward(self, x):
        h, _ = self.rnn(x)
        return self.cls(torch.cat([h.mean(1), h.amax(1)], dim=1))


def batches(n, size):
    order = torch.randperm(n)
    for i in range(0, n, size):
        yield order[i:i + size]


def train_epoch(model, opt, x, y):
    model.train()
    total = 0.0
    for idx in batches(len(x), BATCH):
        loss = nn.functional.cross_entropy(model(x[idx]), y[idx])
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        total += loss.item() * len(idx)
    return total / len(x)


def evaluate(model, x, y):
    model.eval()
    with torch.inference_mode():
        pred = model(x).argmax(1)
    per_class = [(pred[y == k] == k).float().mean().item() for k in range(len(ACTIVITIES))]
    return (pred == y).float().mean().item(), per_class


def main():
    torch.manual_seed(2024)
    xt, yt = load_recordings("train")
    xv, yv = load_recordings("valid")
    model = ActivityGRU()
    opt = torch.optim.Adam(model.parameters(), lr=LR)
    for epoch in range(EPOCHS):
        loss = train_epoch(model, opt, xt, yt)
        acc, per = evaluate(model, xv, yv)
        print(f"{epoch + 1:3d} {loss:.4f} acc={acc:.3f} " +
              " ".join(f"{n}={p:.2f}" for n, p in zip(ACTIVITIES, per)))


if __name__ == "__main__":
    main()
