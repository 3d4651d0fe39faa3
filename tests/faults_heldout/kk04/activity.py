import argparse
import numpy as np
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset, random_split

ACTIVITIES = ["walk", "run", "stairs", "cycle", "rest"]
FREQ = {"walk": 1.8, "run": 2.8, "stairs": 1.4, "cycle": 1.1, "rest": 0.2}
AMP = {"walk": 1.0, "run": 1.9, "stairs": 1.2, "cycle": 0.7, "rest": 0.1}


def make_windows(n, length=50, hz=25, seed=0):
    """Wrist accelerometer windows, two seconds at 25 Hz, three axes."""
    g = np.random.default_rng(seed)
    t = np.arange(length) / hz
    xs, ys = [], []
    for _ in range(n):
        k = g.integers(len(ACTIVITIES))
        name = ACTIVITIES[k]
        f = FREQ[name] * g.uniform(0.92, 1.08)
        a = AMP[name] * g.uniform(0.7, 1.3)
        ph = g.uniform(0, 2 * np.pi)
        base = np.stack([a * np.sin(2 * np.pi * f * t + ph),
                         0.6 * a * np.sin(4 * np.pi * f * t + 2 * ph),
                         0.4 * a * np.cos(2 * np.pi * f * t + ph)], axis=1)
        xs.append(base + g.normal(0, 0.25, base.shape))
        ys.append(k)
    return torch.tensor(np.array(xs), dtype=torch.float32), torch.tensor(ys)


class ActivityNet(nn.Module):
    def __init__(self, channels=3, hidden=40, classes=len(ACTIVITIES)):
        super().__init__()
        self.lstm = nn.LSTM(channels, hidden, num_layers=1)
        self.norm = nn.LayerNorm(hidden)
        self.fc = nn.Linear(hidden, classes)

    def forward(self, x):
        # x: (batch, time, channels)
        out, _ = self.lstm(x)
        return self.fc(self.norm(out[:, -1]))


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("-n", type=int, default=1500)
    ap.add_argument("--epochs", type=int, default=14)
    ap.add_argument("--batch", type=int, default=50)
    ap.add_argument("--lr", type=float, default=5e-3)
    a = ap.parse_args()

    torch.manual_seed(19)
    x, y = make_windows(a.n)
    x = (x - x.mean((0, 1))) / x.std((0, 1))
    train, val = random_split(TensorDataset(x, y), [a.n - 300, 300])
    train_dl = DataLoader(train, a.batch, shuffle=True)
    val_dl = DataLoader(val, a.batch)

    net = ActivityNet()
    opt = torch.optim.Adam(net.parameters(), lr=a.lr)
    ce = nn.CrossEntropyLoss()
    for ep in range(a.epochs):
        net.train()
        tot = 0
        for xb, yb in train_dl:
            opt.zero_grad()
            loss = ce(net(xb), yb)
            loss.backward()
            opt.step()
            tot += loss.item()
        net.eval()
        conf = torch.zeros(len(ACTIVITIES), len(ACTIVITIES), dtype=torch.long)
        with torch.no_grad():
            for xb, yb in val_dl:
                for t, p in zip(yb, net(xb).argmax(1)):
                    conf[t, p] += 1
        print(f"ep {ep:2d} loss {tot / len(train_dl):.3f} val acc {conf.diag().sum().item() / conf.sum().item():.3f}")
    for name, row in zip(ACTIVITIES, conf):
        print(f"{name:8s}", row.tolist())


if __name__ == "__main__":
    main()
