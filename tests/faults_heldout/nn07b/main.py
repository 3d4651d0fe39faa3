import sys
import tomllib
from pathlib import Path

import torch
from torch import nn

from augment import Augment
from signs import CLASSES, render

HERE = Path(__file__).parent
conf = tomllib.loads((HERE / "settings.toml").read_text())


def conv(i, o):
    return nn.Sequential(nn.Conv2d(i, o, 3, padding=1, bias=False), nn.BatchNorm2d(o), nn.ReLU(inplace=True))


class PanelNet(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.body = nn.Sequential(conv(1, width), nn.MaxPool2d(2), conv(width, 2 * width), nn.MaxPool2d(2), conv(2 * width, 2 * width))
        self.fc = nn.Linear(2 * width * 36, len(CLASSES))

    def forward(self, x):
        return self.fc(self.body(x).flatten(1))


def confusion(model, x, y):
    model.eval()
    with torch.no_grad():
        logits = model(x)
    m = torch.zeros(len(CLASSES), len(CLASSES), dtype=torch.long)
    for t, p in zip(y.tolist(), logits.argmax(1).tolist()):
        m[t, p] += 1
    return nn.functional.cross_entropy(logits, y).item(), m


def main():
    torch.manual_seed(conf["train"]["seed"])
    torch.set_num_threads(1)
    xt, yt = map(torch.from_numpy, render(1200, seed=100))
    xv, yv = map(torch.from_numpy, render(400, seed=200))
    aug = Augment(**conf["augment"])
    model = PanelNet(conf["model"]["width"])
    opt = torch.optim.SGD(model.parameters(), lr=conf["train"]["lr"], momentum=0.9, nesterov=True, weight_decay=5e-4)
    epochs = conf["train"]["epochs"]
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, epochs)
    for ep in range(epochs):
        model.train()
        tot = 0.0
        for idx in torch.randperm(len(xt)).split(conf["train"]["batch_size"]):
            loss = nn.functional.cross_entropy(model(aug(xt[idx])), yt[idx])
            opt.zero_grad()
            loss.backward()
            opt.step()
            tot += loss.item() * len(idx)
        sched.step()
        vl, m = confusion(model, xv, yv)
        print(f"epoch {ep + 1}/{epochs} train {tot / len(xt):.4f} val {vl:.4f} acc {m.diag().sum().item() / len(yv):.3f}")
    for name, row in zip(CLASSES, m.tolist()):
        print(f"{name:>11}", row)


if __name__ == "__main__":
    sys.exit(main())
