import sys
from pathlib import Path

import torch
from torch import nn

from locate.finder import Finder
from locate.options import Options
from locate.plates import iou, load

HERE = Path(__file__).resolve().parent


def run(options):
    torch.manual_seed(options.seed)
    x, y = load(HERE / "plates.npz")
    x_fit, y_fit, x_val, y_val = x[:850], y[:850], x[850:], y[850:]
    net = Finder(options.channels)
    criterion = nn.SmoothL1Loss(beta=0.05)
    optimizer = torch.optim.SGD(net.parameters(), options.rate, momentum=options.momentum,
                                weight_decay=options.decay, nesterov=True)
    for epoch in range(options.epochs):
        net.train()
        total = 0.0
        order = torch.randperm(len(x_fit))
        for rows in order.split(options.batch):
            loss = criterion(net(x_fit[rows]), y_fit[rows])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss.item() * len(rows)
        if (epoch + 1) % 3 == 0 or epoch + 1 == options.epochs:
            net.eval()
            with torch.no_grad():
                guess = net(x_val)
            print(f"{epoch + 1:3d} fit={total / len(x_fit):.5f} val={criterion(guess, y_val).item():.5f} "
                  f"iou={iou(guess, y_val).mean():.3f} iou>0.5: {(iou(guess, y_val) > 0.5).float().mean():.2f}")


if __name__ == "__main__":
    run(Options.read(sys.argv[1] if len(sys.argv) > 1 else HERE / "plates.ini"))
