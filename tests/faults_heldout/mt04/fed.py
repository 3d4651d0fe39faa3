"""Federated averaging over phones: activity recognition from accelerometer windows."""
import argparse
import copy

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

CLASSES = ["rest", "walk", "run", "stairs", "cycle"]


def windows(n, gen, tilt):
    y = gen.integers(0, len(CLASSES), n)
    t = np.arange(64) / 32.0
    freq = np.array([0.0, 1.8, 2.9, 1.5, 1.1])[y] * gen.normal(1, 0.06, n)
    amp = np.array([0.02, 0.5, 1.1, 0.55, 0.3])[y] * gen.normal(1, 0.1, n)
    second = np.array([0.0, 0.35, 0.5, 0.9, 0.05])[y]
    phase = gen.uniform(0, 2 * np.pi, n)
    w = 2 * np.pi * freq[:, None] * t + phase[:, None]
    base = amp[:, None] * (np.sin(w) + second[:, None] * np.sin(2 * w + 0.7))
    side = 0.5 * amp[:, None] * np.cos(w / 2)
    x = np.stack([base, side, 0.6 * base * np.cos(tilt) + side * np.sin(tilt)], 1)
    x = x + gen.normal(0, 0.15, x.shape)
    return torch.tensor(x, dtype=torch.float32), torch.tensor(y)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.c1 = nn.Conv1d(3, 16, 7, stride=2, padding=3)
        self.n1 = nn.GroupNorm(4, 16)
        self.c2 = nn.Conv1d(16, 32, 5, stride=2, padding=2)
        self.n2 = nn.GroupNorm(4, 32)
        self.out = nn.Linear(32, len(CLASSES))

    def forward(self, x):
        x = F.relu(self.n1(self.c1(x)))
        x = F.relu(self.n2(self.c2(x)))
        return self.out(x.mean(-1))


def local_update(server, loader, epochs, lr):
    model = copy.deepcopy(server)
    model.train()
    opt = torch.optim.SGD(model.parameters(), lr=lr, momentum=0.9)
    losses = []
    for _ in range(epochs):
        for x, y in loader:
            opt.zero_grad()
            loss = F.cross_entropy(model(x), y)
            loss.backward()
            opt.step()
            losses.append(loss.item())
    return model.state_dict(), float(np.mean(losses))


def average(states, sizes):
    total = sum(sizes)
    return {k: sum(s[k] * (n / total) for s, n in zip(states, sizes)) for k in states[0]}


@torch.no_grad()
def test(model, x, y):
    model.eval()
    logits = model(x)
    return F.cross_entropy(logits, y).item(), (logits.argmax(1) == y).float().mean().item()


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--clients", type=int, default=8)
    ap.add_argument("--rounds", type=int, default=25)
    ap.add_argument("--local-epochs", type=int, default=1)
    ap.add_argument("--lr", type=float, default=0.05)
    ap.add_argument("--seed", type=int, default=5)
    a = ap.parse_args()
    torch.manual_seed(a.seed)
    gen = np.random.default_rng(a.seed)

    loaders, sizes = [], []
    for _ in range(a.clients):
        n = int(gen.integers(250, 500))
        x, y = windows(n, gen, gen.uniform(-0.6, 0.6))
        loaders.append(DataLoader(TensorDataset(x, y), batch_size=32, shuffle=True))
        sizes.append(n)
    test_x, test_y = windows(1500, gen, 0.3)

    server = Net()
    for r in range(1, a.rounds + 1):
        lr = a.lr * 0.93 ** (r - 1)
        states, losses = zip(*(local_update(server, dl, a.local_epochs, lr) for dl in loaders))
        server.load_state_dict(average(states, sizes))
        loss, acc = test(server, test_x, test_y)
        print(f"round {r:2d}  client loss {np.mean(losses):.4f}  new-phone loss {loss:.4f}  acc {acc:.4f}")


if __name__ == "__main__":
    main()
