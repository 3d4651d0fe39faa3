"""Image + tabular fusion: estimate the yield of a cell from a micrograph and two process readings."""
import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Cells(Dataset):
    def __init__(self, n, seed):
        rng = np.random.default_rng(seed)
        yy, xx = np.mgrid[:24, :24]
        self.img, self.tab, self.y = [], [], []
        for _ in range(n):
            k = rng.integers(1, 7)
            im = rng.normal(0, .25, (24, 24))
            for _ in range(k):
                cy, cx = rng.uniform(3, 21, 2)
                im += np.exp(-((yy - cy) ** 2 + (xx - cx) ** 2) / 3.0)
            # bright background gradients of random strength carry no information
            im += rng.uniform(-.7, .7) * xx / 24 + rng.uniform(-.7, .7)
            t = rng.normal(size=2)
            self.img.append(im)
            self.tab.append(t)
            self.y.append((k - 3.5) / 1.7 + .5 * t[0] - .2 * t[1])
        self.img = torch.tensor(np.array(self.img), dtype=torch.float32)[:, None]
        self.tab = torch.tensor(np.array(self.tab), dtype=torch.float32)
        self.y = torch.tensor(np.array(self.y), dtype=torch.float32)

    def __len__(self):
        return len(self.y)

    def __getitem__(self, i):
        return self.img[i], self.tab[i], self.y[i]


class ImageEncoder(nn.Module):
    def __init__(self, dim=16):
        super().__init__()
        self.net = nn.Sequential(nn.Conv2d(1, 16, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
                                 nn.Conv2d(16, 16, 3, padding=1), nn.ReLU(), nn.AdaptiveAvgPool2d(3),
                                 nn.Flatten(), nn.Linear(144, dim))

    def forward(self, x):
        return self.net(x)


class Fusion(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = ImageEncoder()
        self.head = nn.Sequential(nn.Linear(18, 64), nn.ReLU(), nn.Linear(64, 1))

    def join(self, feats, tab):
        # one row per cell: image features followed by readings
        rows = [f + t for f, t in zip(feats.tolist(), tab.tolist())]
        return torch.tensor(rows)

    def forward(self, img, tab):
        return self.head(self.join(self.encoder(img), tab)).squeeze(1)


def run_epoch(model, dl, opt=None):
    model.train(opt is not None)
    s, ys = 0.0, []
    for img, tab, y in dl:
        with torch.set_grad_enabled(opt is not None):
            loss = nn.functional.smooth_l1_loss(model(img, tab), y)
        if opt is not None:
            opt.zero_grad()
            loss.backward()
            opt.step()
        s += loss.item() * len(y)
    return s / len(dl.dataset)


if __name__ == "__main__":
    torch.manual_seed(0)
    train = DataLoader(Cells(1600, 0), batch_size=32, shuffle=True)
    val = DataLoader(Cells(400, 1), batch_size=100)
    model = Fusion()
    opt = torch.optim.Adam(model.parameters(), lr=3e-3)
    for epoch in range(14):
        tr = run_epoch(model, train, opt)
        print(f"epoch {epoch:2d} train {tr:.4f} val {run_epoch(model, val):.4f}")
