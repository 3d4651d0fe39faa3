import argparse
import configparser

import torch
import torch.nn as nn
from torch.utils.data import DataLoader

from dataset import ScanDataset


class SmallCNN(nn.Module):
    def __init__(self, width, drop):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(1, width, 3, padding=1), nn.ReLU(),
            nn.Conv2d(width, 2 * width, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
        )
        self.classifier = nn.Sequential(
            nn.Flatten(), nn.Linear(2 * width * 16, 128), nn.ReLU(), nn.Dropout(drop), nn.Linear(128, 10),
        )

    def forward(self, x):
        return self.classifier(self.features(x))


def run_epoch(model, loader, loss_fn, opt=None):
    model.train(opt is not None)
    total, right, n = 0.0, 0, 0
    with torch.set_grad_enabled(opt is not None):
        for x, y in loader:
            out = model(x)
            loss = loss_fn(out, y)
            if opt is not None:
                opt.zero_grad()
                loss.backward()
                opt.step()
            total += loss.item() * len(y)
            right += (out.argmax(1) == y).sum().item()
            n += len(y)
    return total / n, right / n


if __name__ == "__main__":
    ap = argparse.ArgumentParser()
    ap.add_argument("--seed", type=int, default=7)
    seed = ap.parse_args().seed
    ini = configparser.ConfigParser()
    ini.read("run.ini")
    t = ini["training"]

    torch.manual_seed(seed)
    train = DataLoader(ScanDataset(ini["data"]["sheet"], "train"), batch_size=t.getint("batch"), shuffle=True)
    valid = DataLoader(ScanDataset(ini["data"]["sheet"], "valid"), batch_size=200)
    model = SmallCNN(ini["model"].getint("width"), ini["model"].getfloat("dropout"))
    opt = torch.optim.Adam(model.parameters(), lr=t.getfloat("lr"))
    loss_fn = nn.CrossEntropyLoss()

    for epoch in range(1, t.getint("epochs") + 1):
        tl, ta = run_epoch(model, train, loss_fn, opt)
        vl, va = run_epoch(model, valid, loss_fn)
        print(f"{epoch:02d} train loss {tl:.3f} acc {ta:.3f} / valid loss {vl:.3f} acc {va:.3f}")
    print(f"valid accuracy after training: {va:.3f}")
