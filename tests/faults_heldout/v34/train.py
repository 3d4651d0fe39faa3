"""Sequence regression: estimate the decay constant and the frequency of a noisy transient."""
import math

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

MOMENTUM = 0.9
ALPHA = 0.99


def transients(n, seed, steps=64):
    g = torch.Generator().manual_seed(seed)
    tau = 0.15 + 0.6 * torch.rand(n, 1, generator=g)
    freq = 2.0 + 5.0 * torch.rand(n, 1, generator=g)
    t = torch.linspace(0, 1, steps)
    x = torch.exp(-t / tau) * torch.cos(2 * math.pi * freq * t) + 0.05 * torch.randn(n, steps, generator=g)
    y = torch.cat([(tau - 0.45) / 0.17, (freq - 4.5) / 1.45], dim=1)
    return x.unsqueeze(1), y


class TransientNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Sequential(nn.Conv1d(1, 16, 7, stride=2, padding=3), nn.ReLU(),
                                  nn.Conv1d(16, 32, 5, stride=2, padding=2), nn.ReLU())
        self.fc = nn.Sequential(nn.Flatten(), nn.Linear(32 * 16, 64), nn.ReLU(), nn.Linear(64, 2))

    def forward(self, x):
        return self.fc(self.conv(x))


def configure(model, lr):
    return torch.optim.RMSprop(model.parameters(), lr, ALPHA, MOMENTUM)


def mean_loss(model, loader, criterion):
    model.eval()
    with torch.no_grad():
        parts = [(criterion(model(x), y).item() * len(y), len(y)) for x, y in loader]
    return sum(p[0] for p in parts) / sum(p[1] for p in parts)


def main():
    torch.manual_seed(0)
    train_loader = DataLoader(TensorDataset(*transients(3000, 1)), batch_size=64, shuffle=True)
    val_loader = DataLoader(TensorDataset(*transients(600, 2)), batch_size=200)
    model, criterion = TransientNet(), nn.MSELoss()
    opt = configure(model, lr=3e-4)
    for epoch in range(10):
        model.train()
        total = 0.0
        for x, y in train_loader:
            loss = criterion(model(x), y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item() * len(y)
        print(f"epoch {epoch} train mse {total / 3000:.4f} val mse {mean_loss(model, val_loader, criterion):.4f}")


if __name__ == "__main__":
    main()
