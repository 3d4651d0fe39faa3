# Bearing condition from short vibration windows
import sys
from pathlib import Path

import numpy as np
import torch
import torch.nn as nn

seed = int(sys.argv[1]) if len(sys.argv) > 1 else 0
torch.manual_seed(seed)

STATES = ["ok", "inner_race", "outer_race", "imbalance"]

raw = np.load(Path(__file__).parent / "windows.npz")
signal = torch.tensor(raw["signal"].astype(np.float32))
state = torch.tensor(raw["state"].astype(np.int64))
print("windows", tuple(signal.shape), "classes", torch.bincount(state).tolist())

n_train = int(0.75 * len(state))
x_train, y_train = signal[:n_train], state[:n_train]
x_val, y_val = signal[n_train:], state[n_train:]

# standardise with the statistics of the training part
mean, std = x_train.mean(), x_train.std()
x_train = ((x_train - mean) / (std + 1e-6)).unsqueeze(1)
x_val = ((x_val - mean) / (std + 1e-6)).unsqueeze(1)


class Block(nn.Module):
    def __init__(self, c_in, c_out, stride):
        super().__init__()
        self.conv = nn.Conv1d(c_in, c_out, 7, stride=stride, padding=3)
        self.norm = nn.GroupNorm(4, c_out)
        self.act = nn.LeakyReLU(0.1)

    def forward(self, x):
        return self.act(self.norm(self.conv(x)))


model = nn.Sequential(
    Block(1, 16, 1),
    Block(16, 24, 2),
    Block(24, 32, 2),
    nn.AdaptiveAvgPool1d(1),
    nn.Flatten(),
    nn.Linear(32, len(STATES)),
)

criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.Adam(model.parameters(), lr=2e-3, weight_decay=1e-4)
scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=30)

for epoch in range(30):
    model.train()
    perm = torch.randperm(n_train)
    losses = []
    for i in range(0, n_train, 30):
        idx = perm[i:i + 30]
        optimizer.zero_grad()
        loss = criterion(model(x_train[idx]), y_train[idx])
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    scheduler.step()

    model.eval()
    with torch.no_grad():
        logits = model(x_val)
        val_loss = criterion(logits, y_val).item()
        acc = (logits.argmax(1) == y_val).float().mean().item()
    print(f"epoch {epoch:2d} loss {np.mean(losses):.4f} val_loss {val_loss:.4f} val_acc {acc:.3f}")
