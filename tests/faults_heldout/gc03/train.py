import csv
import logging
from pathlib import Path

import numpy as np
import torch
from torch import nn

logging.basicConfig(format="%(asctime)s %(message)s", datefmt="%H:%M:%S", level=logging.INFO)
log = logging.getLogger("minerals")
ROOT = Path(__file__).resolve().parent
EPOCHS, BATCH, LR = 40, 50, 0.02


def load():
    archive = np.load(ROOT / "spectra.npz")
    with open(ROOT / "annotations.csv", newline="") as fh:
        table = list(csv.DictReader(fh))
    classes = sorted({row["mineral"] for row in table})
    index = {name: i for i, name in enumerate(classes)}
    y = np.array([index[row["mineral"]] for row in table])
    x = archive["x"]
    assert len(x) == len(y)
    return x, y, classes


class Classifier(nn.Module):
    def __init__(self, bands, classes):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(bands, 80), nn.GELU(), nn.Dropout(0.1), nn.Linear(80, 80), nn.GELU())
        self.head = nn.Linear(80, classes)

    def forward(self, x):
        return self.head(self.trunk(x))


def batches(x, y, size, gen):
    perm = torch.randperm(len(x), generator=gen)
    for i in range(0, len(x), size):
        j = perm[i:i + size]
        yield x[j], y[j]


def accuracy(model, x, y):
    model.eval()
    with torch.inference_mode():
        return (model(x).argmax(-1) == y).float().mean().item()


def main():
    torch.manual_seed(0)
    gen = torch.Generator().manual_seed(1)
    x, y, classes = load()
    cut = int(0.8 * len(x))
    mean, std = x[:cut].mean(0), x[:cut].std(0)
    x = torch.from_numpy((x - mean) / std)
    y = torch.from_numpy(y)
    x_train, y_train, x_val, y_val = x[:cut], y[:cut], x[cut:], y[cut:]

    model = Classifier(x.shape[1], len(classes))
    opt = torch.optim.SGD(model.parameters(), lr=LR, momentum=0.9, nesterov=True)
    loss_fn = nn.CrossEntropyLoss()
    for epoch in range(EPOCHS):
        model.train()
        losses = []
        for xb, yb in batches(x_train, y_train, BATCH, gen):
            opt.zero_grad()
            loss = loss_fn(model(xb), yb)
            loss.backward()
            opt.step()
            losses.append(loss.item())
        if epoch % 4 == 3:
            log.info("epoch %d  loss %.4f  train acc %.3f  val acc %.3f", epoch + 1, np.mean(losses),
                     accuracy(model, x_train, y_train), accuracy(model, x_val, y_val))


if __name__ == "__main__":
    main()
