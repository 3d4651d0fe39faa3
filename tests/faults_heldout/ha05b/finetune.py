"""Adapt the base digit reader to meter photos from a new site (few labelled crops)."""
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F

from nets import DigitReader
from weights import load_base

ROOT = Path(__file__).parent
EPOCHS, BATCH, LR = 10, 16, 1e-4


def tensors(blob, name):
    return (torch.from_numpy(blob[f"{name}_x"]).float().div(255).sub(0.5).unsqueeze(1),
            torch.from_numpy(blob[f"{name}_y"]).long())


def accuracy(model, x, y):
    model.eval()
    with torch.no_grad():
        out = model(x)
    return F.cross_entropy(out, y).item(), (out.argmax(1) == y).float().mean().item()


def run():
    torch.manual_seed(77)
    blob = np.load(ROOT / "site_b.npz")
    xt, yt = tensors(blob, "train")
    xv, yv = tensors(blob, "test")
    model = load_base(DigitReader(), ROOT / "base_reader.pt")
    opt = torch.optim.AdamW(model.parameters(), lr=LR, weight_decay=1e-3)
    for epoch in range(EPOCHS):
        model.train()
        seen = 0.0
        for sel in torch.randperm(len(xt)).split(BATCH):
            loss = F.cross_entropy(model(xt[sel]), yt[sel])
            opt.zero_grad()
            loss.backward()
            opt.step()
            seen += loss.item() * len(sel)
        vl, va = accuracy(model, xv, yv)
        print(f"{epoch + 1:3d} | train {seen / len(xt):.4f} | test {vl:.4f} | test acc {va:.3f}")


if __name__ == "__main__":
    run()
