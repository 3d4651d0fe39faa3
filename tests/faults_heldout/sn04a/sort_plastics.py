"""Near-infrared sorting line: which of eight polymers is on the belt."""
import argparse
from pathlib import Path

import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader

from net import build
from shards import ShardReader

KINDS = ["PET", "HDPE", "PVC", "LDPE", "PP", "PS", "ABS", "PLA"]


def check(model, loader):
    model.eval()
    n = ok = 0
    nll = 0.0
    with torch.no_grad():
        for x, k in loader:
            out = model(x)
            nll += F.cross_entropy(out, k, reduction="sum").item()
            ok += (out.argmax(1) == k).sum().item()
            n += len(k)
    return nll / n, ok / n


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--shards", default=str(Path(__file__).parent / "shards"))
    ap.add_argument("--epochs", type=int, default=14)
    ap.add_argument("--batch", type=int, default=32)
    ap.add_argument("--lr", type=float, default=1e-3)
    ap.add_argument("--seed", type=int, default=6)
    a = ap.parse_args()

    torch.manual_seed(a.seed)
    train = DataLoader(ShardReader(a.shards, "train-*.npz", True, a.seed), batch_size=a.batch)
    test = DataLoader(ShardReader(a.shards, "test-*.npz", False), batch_size=200)
    model = build(len(KINDS))
    opt = torch.optim.AdamW(model.parameters(), lr=a.lr, weight_decay=0.01)

    for epoch in range(1, a.epochs + 1):
        model.train()
        seen, running = 0, 0.0
        for x, k in train:
            loss = F.cross_entropy(model(x), k)
            opt.zero_grad()
            loss.backward()
            opt.step()
            running += loss.item() * len(k)
            seen += len(k)
        nll, acc = check(model, test)
        print(f"epoch {epoch:2d}  {seen} spectra  loss {running / seen:.4f}  test {nll:.4f}  accuracy {acc:.3f}")


if __name__ == "__main__":
    main()
