import json
import time

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

from watch import ClipWatch

BATCH, EPOCHS = 100, 10


class BandNet(nn.Module):
    """1-d convolutions along the frames of a log-mel patch, pooled over time."""

    def __init__(self, bands, classes):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv1d(bands, 20, 3, padding=1), nn.BatchNorm1d(20), nn.ReLU(),
            nn.Conv1d(20, 32, 3, padding=1), nn.BatchNorm1d(32), nn.ReLU(),
        )
        self.head = nn.Linear(32, classes)

    def forward(self, x):
        return self.head(self.features(x).amax(-1))


def epoch_batches(n, gen):
    order = torch.randperm(n, generator=gen)
    return order[: n - n % BATCH].view(-1, BATCH)


def main():
    torch.manual_seed(3)
    gen = torch.Generator().manual_seed(40)
    clips = np.load("clips.npz")
    x = torch.from_numpy(clips["mel"].astype(np.float32)) / 32.0
    y = torch.from_numpy(clips["label"].astype(np.int64))
    n_train = 2000
    shift, scale = x[:n_train].mean((0, 2), keepdim=True), x[:n_train].std((0, 2), keepdim=True)
    x = (x - shift) / scale

    with open("watchlist.json") as f:
        watch = ClipWatch(json.load(f))
    net = BandNet(x.shape[1], int(y.max()) + 1)
    opt = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9, weight_decay=5e-4)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, EPOCHS)

    step, start = 0, time.perf_counter()
    for epoch in range(EPOCHS):
        net.train()
        total = 0.0
        batches = epoch_batches(n_train, gen)
        for idx in batches:
            logits = net(x[idx])
            loss = F.cross_entropy(logits, y[idx])
            opt.zero_grad()
            loss.backward()
            opt.step()
            watch.note(step, idx, logits.detach().softmax(1), y[idx])
            total += loss.item()
            step += 1
        sched.step()
        net.eval()
        with torch.no_grad():
            out = net(x[n_train:])
        acc = (out.argmax(1) == y[n_train:]).float().mean().item()
        print(f"epoch {epoch:2d} loss {total / len(batches):.4f} "
              f"test {F.cross_entropy(out, y[n_train:]).item():.4f} acc {acc:.4f} "
              f"{(time.perf_counter() - start) / step * 1e3:.1f} ms/step")
    print("listen to:", watch.worst())


if __name__ == "__main__":
    main()
