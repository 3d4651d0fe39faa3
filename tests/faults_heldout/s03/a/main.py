import json
import pathlib

import torch
from torch import nn, optim

from data import make_loaders

HERE = pathlib.Path(__file__).parent
cfg = json.loads((HERE / "config.json").read_text())


class ShapeNet(nn.Module):
    def __init__(self, n_cls, ch):
        super().__init__()
        def block(i, o):
            return nn.Sequential(nn.Conv2d(i, o, 3, padding=1, bias=False), nn.BatchNorm2d(o), nn.ReLU(), nn.MaxPool2d(2))
        self.features = nn.Sequential(block(1, ch), block(ch, 2 * ch), block(2 * ch, 4 * ch))
        self.fc = nn.Linear(4 * ch, n_cls)

    def forward(self, x):
        return self.fc(self.features(x).mean((2, 3)))


def validate(net, loader):
    net.eval()
    good = total = 0
    loss = 0.0
    with torch.no_grad():
        for x, y in loader:
            z = net(x)
            loss += nn.functional.cross_entropy(z, y, reduction="sum").item()
            good += (z.argmax(-1) == y).sum().item()
            total += y.numel()
    return loss / total, good / total


def main():
    torch.manual_seed(cfg["seed"])
    train, val = make_loaders(cfg["data"])
    net = ShapeNet(4, cfg["model"]["channels"])
    o = cfg["optim"]
    opt = optim.SGD(net.parameters(), lr=o["lr"], momentum=o["momentum"], weight_decay=o["weight_decay"])
    sched = optim.lr_scheduler.StepLR(opt, step_size=o["decay_every"], gamma=o["decay"])
    it = 0
    for epoch in range(cfg["epochs"]):
        net.train()
        for x, y in train:
            loss = nn.functional.cross_entropy(net(x), y)
            opt.zero_grad(set_to_none=True)
            loss.backward()
            opt.step()
            sched.step()
            it += 1
            if it % 50 == 0:
                print(f"iter {it:4d} loss {loss.item():.4f}")
        vl, va = validate(net, val)
        print(f"== epoch {epoch} val_loss {vl:.4f} val_acc {va:.3f}")


main()
