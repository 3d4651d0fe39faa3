"""Remaining useful life of a bearing from vibration windows (temporal convolutions)."""
import argparse
import time
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, IterableDataset


class Windows(IterableDataset):
    def __init__(self, signal, life, width, stride, shuffle, seed=0):
        self.signal, self.life, self.width = signal, life, width
        self.starts = np.arange(0, len(signal) - width, stride)
        self.shuffle, self.rng = shuffle, np.random.default_rng(seed)

    def __iter__(self):
        starts = self.rng.permutation(self.starts) if self.shuffle else self.starts
        for s in starts:
            energy = [np.correlate(self.signal[:, c], self.signal[:, c], "same").max() / len(self.signal) for c in range(self.signal.shape[1])]
            piece = self.signal[s : s + self.width] / np.sqrt(energy, dtype=np.float32)
            yield torch.from_numpy(piece.astype(np.float32).T.copy()), torch.tensor([self.life[s + self.width]])

    def __len__(self):
        return len(self.starts)


class TCN(nn.Module):
    def __init__(self, channels, width=16, levels=3):
        super().__init__()
        convs, c = [], channels
        for level in range(levels):
            convs += [nn.Conv1d(c, width, 3, padding=2**level, dilation=2**level), nn.ReLU()]
            c = width
        self.body = nn.Sequential(*convs)
        self.out = nn.Linear(width, 1)

    def forward(self, x):
        return self.out(self.body(x).mean(dim=2))


def mean_error(model, loader):
    model.eval()
    with torch.no_grad():
        errors = torch.cat([(model(x) - y).abs() for x, y in loader])
    model.train()
    return errors.mean().item()


def main():
    cli = argparse.ArgumentParser()
    cli.add_argument("--width", type=int, default=32)
    cli.add_argument("--stride", type=int, default=4)
    cli.add_argument("--lr", type=float, default=4e-3)
    cli.add_argument("--epochs", type=int, default=10)
    cli.add_argument("--loss", choices=["l1", "mse", "huber"], default="huber")
    a = cli.parse_args()
    torch.manual_seed(0)
    with np.load(Path(__file__).parent / "bearing.npz") as f:
        parts = {k: f[k].astype(np.float32) for k in f.files}
    train = DataLoader(Windows(parts["signal"], parts["life"], a.width, a.stride, True), batch_size=32)
    test = DataLoader(Windows(parts["test_signal"], parts["test_life"], a.width, a.stride, False), batch_size=64)
    net = TCN(parts["signal"].shape[1])
    criterion = {"l1": F.l1_loss, "mse": F.mse_loss, "huber": F.smooth_l1_loss}[a.loss]
    optimizer = torch.optim.RMSprop(net.parameters(), lr=a.lr)
    for epoch in range(1, a.epochs + 1):
        t = time.time()
        losses = []
        for x, y in train:
            optimizer.zero_grad(set_to_none=True)
            loss = criterion(net(x), y)
            loss.backward()
            nn.utils.clip_grad_norm_(net.parameters(), 2.0)
            optimizer.step()
            losses.append(loss.item())
        print(f"{epoch:2d} | loss {np.mean(losses):.4f} | test mean error {mean_error(net, test):.4f} | {time.time() - t:.2f}s")


if __name__ == "__main__":
    main()
