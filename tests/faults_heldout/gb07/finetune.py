import configparser
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

from digitnet.model import DigitNet
from digitnet.weights import init_encoder

ROOT = Path(__file__).resolve().parent
cfg = configparser.ConfigParser()
cfg.read(ROOT / "config.ini")


def tensors(blob, split):
    x = torch.from_numpy(blob[f"x_{split}"]).float().view(-1, 1, 8, 8) / 8.0 - 1.0
    return TensorDataset(x, torch.from_numpy(blob[f"y_{split}"]).long())


def main():
    tr = cfg["train"]
    torch.manual_seed(tr.getint("seed"))
    blob = np.load(ROOT / cfg["data"]["labelled"])
    train_set, test_set = tensors(blob, "train"), tensors(blob, "test")
    loader = DataLoader(train_set, batch_size=tr.getint("batch_size"), shuffle=True)

    model = DigitNet(cfg["model"].getint("width"))
    model = init_encoder(model, ROOT / cfg["model"]["init_from"])
    optimizer = torch.optim.AdamW([
        {"params": model.encoder.parameters(), "lr": tr.getfloat("encoder_lr")},
        {"params": model.classifier.parameters(), "lr": tr.getfloat("head_lr")},
    ], weight_decay=1e-2)

    xt, yt = test_set.tensors
    for epoch in range(1, tr.getint("epochs") + 1):
        model.train()
        total = 0.0
        for x, y in loader:
            loss = F.cross_entropy(model(x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss.item()
        model.eval()
        with torch.no_grad():
            acc = (model(xt).argmax(1) == yt).float().mean().item()
        print(f"epoch {epoch:2d}  train loss {total / len(loader):.4f}  test acc {acc:.4f}")


if __name__ == "__main__":
    main()
