"""Touch-screen gesture classifier: swipes in four directions, circles in both senses, and a zig-zag."""
import math

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, Dataset

CLASSES = ["left", "right", "up", "down", "circle_cw", "circle_ccw", "zigzag"]
T = 24


def draw(label, g):
    u = torch.linspace(0, 1, T)
    size = 0.7 + 0.6 * torch.rand((), generator=g)
    wobble = 0.15 * torch.randn(T, generator=g).cumsum(0) / math.sqrt(T)
    name = CLASSES[label]
    if name in ("left", "right"):
        x, y = (u if name == "right" else -u) * size, wobble
    elif name in ("up", "down"):
        x, y = wobble, (u if name == "up" else -u) * size
    elif name.startswith("circle"):
        sense = -1.0 if name.endswith("_cw") else 1.0
        a = 2 * math.pi * (torch.rand((), generator=g) + sense * u)
        x, y = size * a.cos() / 2, size * a.sin() / 2
    else:
        x, y = (6 * math.pi * u).sin() * size / 2, (u - 0.5) * size * (1 if torch.rand((), generator=g) < 0.5 else -1)
    path = torch.stack([x, y], 1)
    return path - path.mean(0) + 0.04 * torch.randn(T, 2, generator=g)


class Gestures(Dataset):
    def __init__(self, n, seed, augment=False):
        g = torch.Generator().manual_seed(seed)
        self.labels = torch.randint(len(CLASSES), (n,), generator=g)
        self.paths = torch.stack([draw(int(c), g) for c in self.labels])
        self.augment = augment

    def __len__(self):
        return len(self.labels)

    def transform(self, xy):
        angle = math.radians(10) * (2 * torch.rand(()) - 1)
        c, s = angle.cos(), angle.sin()
        xy = xy @ torch.stack([torch.stack([c, -s]), torch.stack([s, c])])
        # left- and right-handed users
        if torch.rand(()) < 0.5:
            xy = xy * torch.tensor([-1.0, 1.0])
        return xy * (0.8 + 0.4 * torch.rand(()))

    def __getitem__(self, k):
        xy = self.paths[k]
        return (self.transform(xy) if self.augment else xy), self.labels[k]


class Net(nn.Module):
    def __init__(self, width=48):
        super().__init__()
        self.gru = nn.GRU(4, width, batch_first=True)
        self.head = nn.Linear(width, len(CLASSES))

    def forward(self, x):
        v = torch.diff(x, dim=1, prepend=x[:, :1])
        h, _ = self.gru(torch.cat([x, 5 * v], dim=-1))
        return self.head(h.mean(1))


def main():
    torch.manual_seed(6)
    train = DataLoader(Gestures(2000, 1, augment=True), batch_size=50, shuffle=True)
    test_set = Gestures(700, 2)
    net = Net()
    opt = torch.optim.Adam(net.parameters(), lr=5e-3)
    crit = nn.CrossEntropyLoss()
    for epoch in range(12):
        net.train()
        seen = hits = 0
        loss_sum = 0.0
        for x, y in train:
            out = net(x)
            loss = crit(out, y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            seen += len(y)
            hits += (out.argmax(1) == y).sum().item()
            loss_sum += loss.item() * len(y)
        net.eval()
        with torch.no_grad():
            acc = (net(test_set.paths).argmax(1) == test_set.labels).float().mean().item()
        print(f"{epoch:02d} loss={loss_sum / seen:.4f} train_acc={hits / seen:.3f} test_acc={acc:.3f}")


if __name__ == "__main__":
    main()
