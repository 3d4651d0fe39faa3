"""Target task: digits 6-9 on top of the fixed source features."""
from pathlib import Path

import torch
import torch.nn.functional as F

from data import digits
from model import Backbone, Transfer


def accuracy(net, x, y):
    net.eval()
    with torch.no_grad():
        return (net(x).argmax(1) == y).float().mean().item()


def main(epochs=25, batch=24):
    torch.manual_seed(1)
    (x, y), (xv, yv) = digits([6, 7, 8, 9])
    backbone = Backbone()
    backbone.load_state_dict(torch.load(Path(__file__).with_name("backbone.pt"), weights_only=True))
    net = Transfer(backbone, classes=4)
    opt = torch.optim.Adam([p for p in net.parameters() if p.requires_grad], lr=3e-3)
    for epoch in range(epochs):
        net.train()
        total = 0.0
        for idx in torch.randperm(len(y)).split(batch):
            loss = F.cross_entropy(net(x[idx]), y[idx])
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item() * len(idx)
        print(f"epoch {epoch:2d}  loss {total / len(y):.4f}  val {accuracy(net, xv, yv):.4f}")


if __name__ == "__main__":
    main()
