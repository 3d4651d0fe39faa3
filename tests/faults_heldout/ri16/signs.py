import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset

NAMES = ("right", "up", "left", "down")


class Signs(Dataset):
    def __init__(self, images, labels, augment=False):
        self.images, self.labels, self.augment = images, labels, augment

    def __len__(self):
        return len(self.images)

    def __getitem__(self, i):
        img = torch.from_numpy(self.images[i]).float()[None] / 127.5 - 1
        if self.augment:
            if torch.rand(1) < 0.5:
                img = img.flip(-1)
            if torch.rand(1) < 0.5:
                img = img.flip(-2)
            img = img + 0.05 * torch.randn_like(img)
        return img, int(self.labels[i])


def net():
    return nn.Sequential(
        nn.Conv2d(1, 12, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
        nn.Conv2d(12, 24, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
        nn.Flatten(), nn.Linear(24 * 16, 48), nn.ReLU(), nn.Linear(48, len(NAMES)),
    )


if __name__ == "__main__":
    torch.manual_seed(40)
    z = np.load("signs.npz")
    x, y = z["images"], z["direction"]
    p = np.random.default_rng(1).permutation(len(x))
    train = DataLoader(Signs(x[p[:700]], y[p[:700]], augment=True), 32, shuffle=True)
    test = DataLoader(Signs(x[p[700:]], y[p[700:]]), 100)
    model = net()
    opt = torch.optim.Adam(model.parameters(), lr=1.5e-3)
    for epoch in range(8):
        model.train()
        run = 0.0
        for xb, yb in train:
            loss = F.cross_entropy(model(xb), yb)
            opt.zero_grad()
            loss.backward()
            opt.step()
            run += loss.item()
        model.eval()
        with torch.no_grad():
            out, t = map(torch.cat, zip(*[(model(a), b) for a, b in test]))
        print(f"epoch {epoch} train {run / len(train):.4f} test {F.cross_entropy(out, t):.4f} "
              f"acc {(out.argmax(1) == t).float().mean():.3f}")
