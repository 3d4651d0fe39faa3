import logging

import torch
from torch import nn, optim
from torch.utils.data import DataLoader

from plant.dataset import SensorWindows, simulate
from plant.nets import conv_classifier

logging.basicConfig(format="%(message)s", level=logging.INFO)
log = logging.getLogger()


def get_data():
    # first months: all regimes equally often; the hold-out month ran mostly at high load
    xa, ya = simulate(1200, [1 / 3, 1 / 3, 1 / 3], seed=0)
    xb, yb = simulate(400, [0.05, 0.2, 0.75], seed=1)
    train = SensorWindows(xa, ya)
    val = SensorWindows(xb, yb)
    return DataLoader(train, batch_size=32, shuffle=True), DataLoader(val, batch_size=100)


def score(model, dl, crit):
    model.eval()
    loss, hit, n = 0.0, 0, 0
    with torch.inference_mode():
        for x, y in dl:
            out = model(x)
            loss += crit(out, y).item() * len(y)
            hit += (out.argmax(1) == y).sum().item()
            n += len(y)
    return loss / n, hit / n


def main():
    torch.manual_seed(10)
    train_dl, val_dl = get_data()
    model, crit = conv_classifier(), nn.CrossEntropyLoss()
    opt = optim.AdamW(model.parameters(), lr=2e-3)
    best = 0.0
    for epoch in range(1, 11):
        model.train()
        for x, y in train_dl:
            opt.zero_grad()
            loss = crit(model(x), y)
            loss.backward()
            opt.step()
        (tl, ta), (vl, va) = score(model, train_dl, crit), score(model, val_dl, crit)
        best = max(best, va)
        log.info("epoch %d train %.3f/%.3f val %.3f/%.3f best %.3f", epoch, tl, ta, vl, va, best)


main()
