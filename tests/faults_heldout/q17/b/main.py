import argparse
import json
import pathlib
import time

import torch
import torch.nn as nn
from torch.utils.data import DataLoader

from audio import Clips

here = pathlib.Path(__file__).resolve().parent


class KeywordNet(nn.Module):
    def __init__(self, classes):
        super().__init__()
        self.net = nn.Sequential(
            nn.Conv2d(1, 24, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
            nn.Conv2d(24, 48, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
            nn.Conv2d(48, 64, 3, padding=1), nn.ReLU(),
            nn.AdaptiveAvgPool2d((2, 4)), nn.Flatten(),
            nn.Linear(64 * 8, classes),
        )

    def forward(self, x):
        return self.net(x)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--config", default="audio.json")
    a = ap.parse_args()
    cfg = json.loads((here / a.config).read_text())
    torch.set_num_threads(1)
    torch.manual_seed(cfg["seed"])
    train = Clips(here / cfg["file"], "train", cfg["features"], True)
    val = Clips(here / cfg["file"], "val", cfg["features"], False)
    loader = DataLoader(train, batch_size=cfg["batch"], shuffle=True, num_workers=0)
    val_loader = DataLoader(val, batch_size=100)
    net = KeywordNet(int(train.label.max()) + 1)
    opt = torch.optim.RMSprop(net.parameters(), lr=cfg["lr"])
    ce = nn.CrossEntropyLoss()
    start = time.time()
    for epoch in range(cfg["epochs"]):
        net.train()
        s = 0.0
        for x, y in loader:
            loss = ce(net(x), y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            s += loss.item()
        net.eval()
        right, vl = 0, 0.0
        with torch.no_grad():
            for x, y in val_loader:
                out = net(x)
                vl += ce(out, y).item() * len(y)
                right += (out.argmax(1) == y).sum().item()
        print(f"epoch {epoch + 1} train {s / len(loader):.4f} val {vl / len(val):.4f} acc {right / len(val):.3f} {time.time() - start:.1f}s")
    torch.save(net.state_dict(), here / "keyword.pt")


if __name__ == "__main__":
    main()
