import argparse
import time

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset


class MfccClips(Dataset):
    """Fixed-length MFCC clips, stored as int8 with one scale per coefficient."""

    def __init__(self, path, split, shift=0):
        with np.load(path) as z:
            self.clips = torch.from_numpy(z[f"{split}_mfcc"].astype(np.float32) * z["step"])
            self.words = torch.from_numpy(z[f"{split}_word"].astype(np.int64))
        self.shift = shift

    def __len__(self):
        return len(self.words)

    def __getitem__(self, i):
        clip = self.clips[i]
        if self.shift:
            k = int(torch.randint(-self.shift, self.shift + 1, ()))
            clip = torch.roll(clip, k, dims=0)
        return clip.T, self.words[i]


class TimeDelayNet(nn.Module):
    def __init__(self, n_coef, n_words, width=48):
        super().__init__()
        self.frames = nn.Sequential(
            nn.Conv1d(n_coef, width, 3, padding=1),
            nn.BatchNorm1d(width),
            nn.ReLU(),
            nn.Conv1d(width, width, 3, padding=2, dilation=2),
            nn.BatchNorm1d(width),
            nn.ReLU(),
        )
        self.word = nn.Sequential(nn.Linear(2 * width, width), nn.ReLU(), nn.Linear(width, n_words))

    def forward(self, x):
        h = self.frames(x)
        stats = torch.cat([h.mean(-1), h.amax(-1)], dim=1)
        return F.softmax(self.word(stats), dim=1)


class Meter:
    def __init__(self):
        self.loss = self.hit = self.n = 0

    def add(self, loss, out, y):
        self.loss += loss.item() * len(y)
        self.hit += (out.argmax(1) == y).sum().item()
        self.n += len(y)

    def __str__(self):
        return f"loss {self.loss / self.n:.4f} acc {100 * self.hit / self.n:.1f}%"


def train_epoch(net, loader, criterion, optimizer):
    net.train()
    meter = Meter()
    for x, y in loader:
        optimizer.zero_grad()
        out = net(x)
        loss = criterion(out, y)
        loss.backward()
        optimizer.step()
        meter.add(loss, out, y)
    return meter


@torch.no_grad()
def test_epoch(net, loader, criterion):
    net.eval()
    meter = Meter()
    for x, y in loader:
        out = net(x)
        meter.add(criterion(out, y), out, y)
    return meter


def main(opt):
    torch.manual_seed(opt.seed)
    train_set = MfccClips(opt.data, "train", shift=2)
    test_set = MfccClips(opt.data, "test")
    n_words = int(train_set.words.max()) + 1
    net = TimeDelayNet(train_set.clips.shape[2], n_words)
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.SGD(net.parameters(), lr=opt.lr, momentum=0.9, weight_decay=1e-4)
    scheduler = torch.optim.lr_scheduler.MultiStepLR(optimizer, [opt.epochs * 2 // 3], gamma=0.2)

    train_loader = DataLoader(train_set, batch_size=opt.batch, shuffle=True)
    test_loader = DataLoader(test_set, batch_size=256)
    t0 = time.time()
    for epoch in range(opt.epochs):
        tr = train_epoch(net, train_loader, criterion, optimizer)
        scheduler.step()
        print(f"{epoch + 1:2d} train {tr}", end="")
        print(f" | test {test_epoch(net, test_loader, criterion)}")
    print(f"done in {time.time() - t0:.0f}s")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", default="keywords.npz")
    parser.add_argument("--batch", type=int, default=32)
    parser.add_argument("--lr", type=float, default=0.02)
    parser.add_argument("--epochs", type=int, default=18)
    parser.add_argument("--seed", type=int, default=5)
    main(parser.parse_args())
