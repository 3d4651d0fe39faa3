"""SimCLR pre-training on sensor windows (three-axis), mixed precision, k-NN evaluation."""
import logging
import math

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

from losses import NTXent

logging.basicConfig(level=logging.INFO, format="%(message)s")
log = logging.getLogger(__name__)
DEVICE = "cpu"


class Windows(Dataset):
    """Activities: base frequency, harmonic content and axis mix depend on the class."""

    def __init__(self, n, seed, length=64, n_classes=6):
        world = np.random.default_rng(0)
        freq = world.uniform(2, 9, n_classes)
        harm = world.uniform(0, 0.9, (n_classes, 3))
        mix = world.normal(0, 1, (n_classes, 3))
        rng = np.random.default_rng(seed)
        self.y = rng.integers(0, n_classes, n)
        t = np.linspace(0, 1, length)
        ph = rng.uniform(0, 2 * np.pi, (n, 1, 1))
        f = (freq[self.y] * rng.uniform(0.93, 1.07, n))[:, None, None]
        base = np.sin(2 * np.pi * f * t + ph) * mix[self.y][:, :, None]
        over = np.sin(4 * np.pi * f * t + 2 * ph) * harm[self.y][:, :, None]
        self.x = (base + over + 1.8 * rng.normal(size=(n, 3, length))).astype("float32")

    def __len__(self):
        return len(self.y)

    def __getitem__(self, i):
        return torch.from_numpy(self.x[i])


def view(x):
    """Random circular shift and gain of each window, small jitter."""
    b, c, length = x.shape
    shift = torch.randint(length, (b, 1, 1))
    idx = (torch.arange(length).view(1, 1, -1) + shift) % length
    x = x.gather(2, idx.expand(b, c, length))
    return x * torch.empty(b, 1, 1).uniform_(0.7, 1.4) + 0.3 * torch.randn_like(x)


class Encoder(nn.Module):
    def __init__(self, dim=64):
        super().__init__()
        self.conv = nn.Sequential(
            nn.Conv1d(3, 32, 7, padding=3), nn.ReLU(), nn.MaxPool1d(2),
            nn.Conv1d(32, dim, 5, padding=2), nn.ReLU(),
        )
        self.proj = nn.Sequential(nn.Linear(dim, dim), nn.ReLU(), nn.Linear(dim, 32))

    def features(self, x):
        return self.conv(x).mean(2)

    def forward(self, x):
        return self.proj(self.features(x))


@torch.no_grad()
def knn_accuracy(model, bank, query, k=5):
    model.eval()
    fb = nn.functional.normalize(model.features(torch.from_numpy(bank.x)), dim=1)
    fq = nn.functional.normalize(model.features(torch.from_numpy(query.x)), dim=1)
    near = (fq @ fb.T).topk(k, 1).indices
    vote = torch.from_numpy(bank.y)[near].mode(1).values
    model.train()
    return (vote == torch.from_numpy(query.y)).float().mean().item()


def main(epochs=5, batch=64):
    torch.manual_seed(0)
    train, test = Windows(1600, 1), Windows(500, 2)
    loader = DataLoader(train, batch_size=batch, shuffle=True, drop_last=True)
    model = Encoder().to(DEVICE)
    criterion = NTXent()
    opt = torch.optim.AdamW(model.parameters(), lr=2e-3)
    scaler = torch.amp.GradScaler(DEVICE)
    log.info("chance loss %.3f, 5-NN accuracy before training %.3f", math.log(2 * batch - 1), knn_accuracy(model, train, test))
    for epoch in range(epochs):
        losses = []
        for x in loader:
            with torch.autocast(DEVICE, dtype=torch.float16):
                loss = criterion(model(view(x)), model(view(x)))
            opt.zero_grad()
            scaler.scale(loss).backward()
            scaler.step(opt)
            scaler.update()
            losses.append(loss.item())
        log.info("epoch %d loss %.4f 5-NN accuracy %.3f", epoch, np.mean(losses), knn_accuracy(model, train, test))


if __name__ == "__main__":
    main()
