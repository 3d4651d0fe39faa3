import random

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

from transforms import Compose, Jitter, Mirror, Scale, Shift

NAMES = ("swipe-left", "swipe-right", "push", "pull", "circle-cw", "circle-ccw")


class Wrist(Dataset):
    def __init__(self, acc, gesture, transform=None):
        self.acc, self.gesture, self.transform = acc, gesture, transform

    def __len__(self):
        return len(self.gesture)

    def __getitem__(self, i):
        x = self.acc[i]
        return (self.transform(x) if self.transform else x), self.gesture[i]


def split():
    z = np.load("wrist.npz")
    acc = torch.from_numpy(z["acc"].astype(np.float32) / 20).transpose(1, 2)
    gesture = torch.from_numpy(z["gesture"].astype(np.int64))
    held = torch.from_numpy(z["subject"] >= 15)
    mean = acc[~held].mean((0, 2), keepdim=True)[0]
    std = acc[~held].std((0, 2), keepdim=True)[0]
    acc = (acc - mean) / std
    aug = Compose(Scale(0.8, 1.2), Shift(3), Mirror(0.5), Jitter(0.1))
    return Wrist(acc[~held], gesture[~held], aug), Wrist(acc[held], gesture[held])


def network():
    def unit(i, o):
        return nn.Sequential(nn.Conv1d(i, o, 5, padding=2), nn.BatchNorm1d(o), nn.ReLU(), nn.MaxPool1d(2))
    return nn.Sequential(unit(3, 24), unit(24, 32), nn.Flatten(), nn.Dropout(0.4), nn.Linear(32 * 8, len(NAMES)))


def main():
    torch.manual_seed(31)
    random.seed(31)
    train, test = split()
    net, ce = network(), nn.CrossEntropyLoss()
    opt = torch.optim.Adam(net.parameters(), lr=1e-3)
    for epoch in range(15):
        net.train()
        s = 0.0
        for x, y in DataLoader(train, batch_size=32, shuffle=True):
            opt.zero_grad()
            loss = ce(net(x), y)
            loss.backward()
            opt.step()
            s += loss.item() * len(y)
        net.eval()
        with torch.no_grad():
            x, y = test.acc, test.gesture
            out = net(x)
            print(f"epoch {epoch:2d} train {s / len(train):.4f} test {ce(out, y):.4f} "
                  f"acc {(out.argmax(1) == y).float().mean():.3f}")


if __name__ == "__main__":
    main()
