"""Tag bat echolocation pulses frame by frame: background, search call, approach call, feeding buzz.

A bidirectional GRU reads the filter-bank energies of a short recording.
"""
import argparse

import numpy as np
import torch
from accelerate import Accelerator
from accelerate.utils import set_seed
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

LABELS = ["background", "search", "approach", "buzz"]
FRAMES, BANDS = 36, 12


def recording(rng):
    energy = rng.normal(0, 0.55, (FRAMES, BANDS)) + rng.normal(0, 0.3, BANDS)
    label = np.zeros(FRAMES, dtype=np.int64)
    t = int(rng.integers(0, 4))
    while t < FRAMES - 4:
        kind = int(rng.integers(1, 4))
        length = int({1: rng.integers(7, 11), 2: rng.integers(5, 8), 3: rng.integers(6, 12)}[kind])
        level = rng.uniform(1.1, 2.2)
        top = rng.uniform(8.0, 10.5)
        for k in range(min(length, FRAMES - t)):
            u = k / max(length - 1, 1)
            if kind == 1:      # shallow sweep
                centre, width, gain = top - 2.5 * u, 1.1, 1.0
            elif kind == 2:    # steep sweep
                centre, width, gain = top - 7.0 * u, 1.3, 1.0
            else:              # pulse train
                centre, width, gain = top - 4.0 * (k % 2), 1.8, 0.75
            energy[t + k] += level * gain * np.exp(-0.5 * ((np.arange(BANDS) - centre) / width) ** 2)
            label[t + k] = kind
        t += length + int(rng.integers(2, 7))
    return energy, label


def make_split(n, seed):
    rng = np.random.default_rng(seed)
    pairs = [recording(rng) for _ in range(n)]
    x = torch.tensor(np.stack([p[0] for p in pairs]), dtype=torch.float32)
    y = torch.tensor(np.stack([p[1] for p in pairs]))
    return x, y


class Tagger(nn.Module):
    def __init__(self, hidden):
        super().__init__()
        self.gru = nn.GRU(BANDS, hidden, batch_first=True, bidirectional=True)
        self.out = nn.Linear(2 * hidden, len(LABELS))

    def forward(self, x):
        h, _ = self.gru(x)
        return self.out(h)


@torch.no_grad()
def evaluate(model, loader, criterion):
    model.eval()
    loss, confusion = 0.0, torch.zeros(len(LABELS), len(LABELS))
    for x, y in loader:
        logits = model(x)
        loss += criterion(logits.flatten(0, 1), y.flatten()).item() * len(x)
        cell = y.flatten() * len(LABELS) + logits.argmax(-1).flatten()
        confusion += torch.bincount(cell, minlength=len(LABELS) ** 2).view(len(LABELS), -1)
    tp = confusion.diag()
    f1 = 2 * tp / (confusion.sum(0) + confusion.sum(1)).clamp(min=1)
    return loss / len(loader.dataset), (tp.sum() / confusion.sum()).item(), f1


def main():
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("--recordings", type=int, default=900)
    ap.add_argument("--hidden", type=int, default=40)
    ap.add_argument("--epochs", type=int, default=8)
    ap.add_argument("--batch-size", type=int, default=16)
    ap.add_argument("--lr", type=float, default=0.15)
    ap.add_argument("--momentum", type=float, default=0.9)
    ap.add_argument("--max-norm", type=float, default=1.0)
    ap.add_argument("--seed", type=int, default=5)
    args = ap.parse_args()

    set_seed(args.seed)
    accelerator = Accelerator(cpu=True)
    xtr, ytr = make_split(args.recordings, args.seed)
    xva, yva = make_split(200, args.seed + 500)
    mean, std = xtr.mean((0, 1)), xtr.std((0, 1))
    train = DataLoader(TensorDataset((xtr - mean) / std, ytr), batch_size=args.batch_size, shuffle=True)
    valid = DataLoader(TensorDataset((xva - mean) / std, yva), batch_size=100)

    model = Tagger(args.hidden)
    optimizer = torch.optim.SGD(model.parameters(), lr=args.lr, momentum=args.momentum, nesterov=True)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, args.epochs)
    criterion = nn.CrossEntropyLoss()
    model, optimizer, train, valid = accelerator.prepare(model, optimizer, train, valid)

    for epoch in range(1, args.epochs + 1):
        model.train()
        total = 0.0
        for x, y in train:
            loss = criterion(model(x).flatten(0, 1), y.flatten())
            optimizer.zero_grad()
            accelerator.backward(loss)
            accelerator.clip_grad_norm_(model.parameters(), args.max_norm)
            optimizer.step()
            total += loss.item()
        scheduler.step()
        vloss, acc, f1 = evaluate(model, valid, criterion)
        accelerator.print(f"epoch {epoch:2d}  loss {total / len(train):.4f}  val {vloss:.4f}  "
                          f"frame acc {acc:.4f}  macro F1 {f1.mean():.4f}")
    accelerator.print("F1 " + "  ".join(f"{n} {v:.3f}" for n, v in zip(LABELS, f1.tolist())))


if __name__ == "__main__":
    main()
