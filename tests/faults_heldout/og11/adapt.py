import argparse

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

from adapters import attach
from encoder import IntentEncoder


def parse():
    p = argparse.ArgumentParser(description="adapt the intent encoder to a new customer")
    p.add_argument("--rank", type=int, default=6)
    p.add_argument("--alpha", type=float, default=12.0)
    p.add_argument("--targets", nargs="+", default=["up", "down", "head"])
    p.add_argument("--lr", type=float, default=3e-3)
    p.add_argument("--epochs", type=int, default=10)
    return p.parse_args()


def accuracy(model, loader):
    model.eval()
    good = n = 0
    with torch.no_grad():
        for ids, y in loader:
            good += (model(ids).argmax(1) == y).sum().item()
            n += len(y)
    return good / n


def main():
    a = parse()
    torch.manual_seed(23)
    z = np.load("customer.npz")
    ids, y = torch.from_numpy(z["tokens"]).long(), torch.from_numpy(z["intent"]).long()
    n = int(0.75 * len(ids))
    train = DataLoader(TensorDataset(ids[:n], y[:n]), batch_size=48, shuffle=True)
    dev = DataLoader(TensorDataset(ids[n:], y[n:]), batch_size=256)

    model = IntentEncoder()
    model.load_state_dict(torch.load("encoder.pt", weights_only=True))
    print(f"pretrained, as is: dev acc {accuracy(model, dev):.3f}")
    trainable = attach(model, a.targets, a.rank, a.alpha)
    print(f"{sum(p.numel() for p in trainable)} adapter weights")
    opt = torch.optim.AdamW(trainable, lr=a.lr, weight_decay=0.01)
    ce = nn.CrossEntropyLoss()
    for epoch in range(a.epochs):
        model.train()
        total = 0.0
        for b, t in train:
            loss = ce(model(b), t)
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item()
        print(f"epoch {epoch}: loss {total / len(train):.4f} dev acc {accuracy(model, dev):.3f}")


if __name__ == "__main__":
    main()
