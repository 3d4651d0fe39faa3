"""One-step prediction on long sensor streams, cut into short windows; the state is carried along."""
import argparse
from pathlib import Path

import numpy as np
import torch
import torch.nn as nn

parser = argparse.ArgumentParser()
parser.add_argument("--window", type=int, default=4)
parser.add_argument("--epochs", type=int, default=8)
parser.add_argument("--detach-every", type=int, default=1)
args = parser.parse_args()

torch.manual_seed(12)
with np.load(Path(__file__).parent / "streams.npz") as f:
    train = torch.from_numpy(f["train"].astype(np.float32))  # windows, streams, window + 1
    test = torch.from_numpy(f["test"].astype(np.float32))


class Predictor(nn.Module):
    def __init__(self, hidden=32):
        super().__init__()
        self.cell = nn.LSTM(1, hidden, batch_first=True)
        self.out = nn.Linear(hidden, 1)

    def forward(self, x, state):
        y, state = self.cell(x.unsqueeze(-1), state)
        return self.out(y).squeeze(-1), state


def detach(state):
    return tuple(s.detach() for s in state)


def evaluate(model):
    model.eval()
    state, total = None, 0.0
    with torch.no_grad():
        for w in test:
            pred, state = model(w[:, :-1], state)
            total += (pred - w[:, 1:]).pow(2).mean().item()
    return total / len(test)


model = Predictor()
optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
for epoch in range(args.epochs):
    model.train()
    state, total = None, 0.0
    for i, w in enumerate(train):
        pred, state = model(w[:, :-1], state)
        loss = (pred - w[:, 1:]).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        if (i + 1) % args.detach_every == 0:
            state = detach(state)
        total += loss.item()
    print(f"epoch {epoch} train mse {total / len(train):.4f} test mse {evaluate(model):.4f}")
