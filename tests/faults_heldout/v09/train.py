"""Gesture recognition from 3-axis recordings (synthetic wrist band)."""
import math

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

GESTURES = 5


class Recordings(Dataset):
    def __init__(self, n, seed, steps=40):
        g = torch.Generator().manual_seed(seed)
        t = torch.linspace(0, 1, steps)
        self.labels = torch.randint(0, GESTURES, (n,), generator=g)
        onset = 0.1 + 0.4 * torch.rand(n, 1, generator=g)
        freq = (2.0 + 1.5 * self.labels.float()).unsqueeze(1)
        burst = torch.exp(-((t - onset) / 0.15) ** 2)
        phase = 2 * math.pi * torch.rand(n, 1, generator=g)
        wave = burst * torch.sin(2 * math.pi * freq * t + phase)
        gains = torch.tensor([1.0, 0.6, -0.8])
        self.x = wave.unsqueeze(2) * gains + 0.1 * torch.randn(n, steps, 3, generator=g)

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, i):
        return self.x[i], self.labels[i]     # (time, axis), class


class GestureNet(nn.Module):
    def __init__(self, hidden=48):
        super().__init__()
        self.inp = nn.Linear(3, 24)
        self.rnn = nn.GRU(24, hidden, num_layers=1)
        self.head = nn.Linear(hidden, GESTURES)

    def forward(self, x):
        h = torch.relu(self.inp(x))
        out, _ = self.rnn(h)
        return self.head(out.mean(dim=1))


class Trainer:
    def __init__(self, model, train, val):
        self.model = model
        self.train_loader = DataLoader(train, batch_size=64, shuffle=True)
        self.val_loader = DataLoader(val, batch_size=64)
        self.opt = torch.optim.Adam(model.parameters(), lr=4e-3)
        self.loss = nn.CrossEntropyLoss()

    def fit(self, epochs):
        for e in range(epochs):
            self.model.train()
            total, n = 0.0, 0
            for x, y in self.train_loader:
                loss = self.loss(self.model(x), y)
                self.opt.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(self.model.parameters(), 2.0)
                self.opt.step()
                total, n = total + loss.item() * len(y), n + len(y)
            print(f"epoch {e:2d} loss {total / n:.4f} val acc {self.accuracy():.4f}")

    @torch.no_grad()
    def accuracy(self):
        self.model.eval()
        ok = sum((self.model(x).argmax(1) == y).sum().item() for x, y in self.val_loader)
        return ok / len(self.val_loader.dataset)


if __name__ == "__main__":
    torch.manual_seed(0)
    Trainer(GestureNet(), Recordings(2000, 1), Recordings(400, 2)).fit(12)
