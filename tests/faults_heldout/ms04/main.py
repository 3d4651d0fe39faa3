import argparse
import time

import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader

from recognizer import MotionRecognizer, count_parameters
from windows import ACTIONS, MotionWindows


def get_args():
    p = argparse.ArgumentParser(description="motion recognition from wrist sensors")
    p.add_argument("--epochs", type=int, default=12)
    p.add_argument("--batch-size", type=int, default=32)
    p.add_argument("--max-lr", type=float, default=8e-3)
    p.add_argument("--seed", type=int, default=5)
    return p.parse_args()


def test(model, loader):
    model.eval()
    hits = torch.zeros(len(ACTIONS))
    seen = torch.zeros(len(ACTIONS))
    with torch.no_grad():
        for x, y in loader:
            pred = model(x).argmax(dim=1)
            for k in range(len(ACTIONS)):
                seen[k] += (y == k).sum()
                hits[k] += ((y == k) & (pred == k)).sum()
    return hits / seen, (hits.sum() / seen.sum()).item()


def main():
    args = get_args()
    torch.manual_seed(args.seed)
    train_data = MotionWindows(1200, seed=21)
    test_data = MotionWindows(400, seed=22, mean=train_data.mean, std=train_data.std)
    train_loader = DataLoader(train_data, batch_size=args.batch_size, shuffle=True, drop_last=True)
    test_loader = DataLoader(test_data, batch_size=100)

    model = MotionRecognizer(6, len(ACTIONS))
    print("parameters:", count_parameters(model))
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    scheduler = torch.optim.lr_scheduler.OneCycleLR(optimizer, max_lr=args.max_lr,
                                                    total_steps=args.epochs * len(train_loader))
    for epoch in range(args.epochs):
        model.train()
        start, running = time.time(), 0.0
        for x, y in train_loader:
            optimizer.zero_grad()
            loss = F.cross_entropy(model(x), y)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 5.0)
            optimizer.step()
            scheduler.step()
            running += loss.item()
        per_class, acc = test(model, test_loader)
        print(f"epoch {epoch:2d} loss {running / len(train_loader):.3f} test acc {acc:.3f} ({time.time() - start:.1f}s)")
    for name, a in zip(ACTIONS, per_class):
        print(f"  {name:14s} {a:.2f}")


if __name__ == "__main__":
    main()
