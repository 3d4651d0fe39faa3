"""Accumulated micro-batches with an exponential weight average for evaluation."""
import copy

import torch
from sklearn.datasets import load_digits
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

MICRO, ACCUM, EPOCHS, DECAY = 16, 4, 14, 0.97


class Ema:
    def __init__(self, model, decay):
        self.decay, self.model = decay, copy.deepcopy(model).eval().requires_grad_(False)

    @torch.no_grad()
    def update(self, source):
        for avg, p in zip(self.model.parameters(), source.parameters()):
            avg.lerp_(p, 1.0 - self.decay)


def network():
    return nn.Sequential(nn.Linear(64, 128), nn.LayerNorm(128), nn.GELU(), nn.Dropout(0.2), nn.Linear(128, 64), nn.GELU(), nn.Linear(64, 10))


def accuracy(model, loader):
    was = model.training
    model.eval()
    with torch.no_grad():
        ok = sum((model(x).argmax(1) == y).sum().item() for x, y in loader)
    model.train(was)
    return ok / len(loader.dataset)


def main():
    torch.manual_seed(0)
    d = load_digits()
    order = torch.randperm(len(d.target))
    x = torch.tensor(d.data / 16.0, dtype=torch.float32)[order]
    y = torch.tensor(d.target)[order]
    train_loader = DataLoader(TensorDataset(x[:1408], y[:1408]), MICRO, shuffle=True)      # 88 micro-batches, 22 updates
    val_loader = DataLoader(TensorDataset(x[1408:], y[1408:]), 200)
    net = network()
    ema = Ema(net, DECAY)
    opt = torch.optim.AdamW(net.parameters(), lr=3e-3, weight_decay=0.02)
    criterion = nn.CrossEntropyLoss()
    for epoch in range(EPOCHS):
        net.train()
        total = 0.0
        for i, (xb, yb) in enumerate(train_loader, start=1):
            loss = criterion(net(xb), yb)
            (loss / ACCUM).backward()
            total += loss.item()
            if i % ACCUM == 0:
                nn.utils.clip_grad_norm_(net.parameters(), 5.0)
                opt.step()
                opt.zero_grad()
                ema.update(net)
        print(f"epoch {epoch} loss {total / len(train_loader):.4f} val acc raw {accuracy(net, val_loader):.4f} averaged {accuracy(ema.model, val_loader):.4f}")


if __name__ == "__main__":
    main()
