"""Fine-tune the digit encoder on the small labelled subset of the customer."""
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F

from net import DigitNet

ROOT = Path(__file__).resolve().parent
EPOCHS = 40
BATCH = 32
HEAD_LR = 3e-3
BODY_LR = 2e-5


def load(split):
    z = np.load(ROOT / "digits_small.npz")
    x = torch.from_numpy(z[f"x_{split}"].astype(np.float32)) / 16.0
    y = torch.from_numpy(z[f"y_{split}"].astype(np.int64))
    return (x - 0.3).unsqueeze(1) / 0.38, y


def accuracy(model, x, y):
    model.eval()
    with torch.no_grad():
        out = model(x)
    model.train()
    return F.cross_entropy(out, y).item(), (out.argmax(1) == y).float().mean().item()


def main():
    torch.manual_seed(3)
    torch.set_num_threads(1)
    x, y = load("train")
    xv, yv = load("val")

    model = DigitNet()
    state = torch.load(ROOT / "encoder.pt", map_location="cpu")
    model.load_state_dict(state, strict=False)

    opt = torch.optim.Adam([
        {"params": model.encoder.parameters(), "lr": BODY_LR},
        {"params": model.classifier.parameters(), "lr": HEAD_LR},
    ])
    for epoch in range(1, EPOCHS + 1):
        perm = torch.randperm(len(x))
        run = 0.0
        for idx in perm.split(BATCH):
            loss = F.cross_entropy(model(x[idx]), y[idx])
            opt.zero_grad()
            loss.backward()
            opt.step()
            run += loss.item() * len(idx)
        if epoch % 4 == 0 or epoch == 1:
            vl, va = accuracy(model, xv, yv)
            print(f"{epoch:3d} | train {run / len(x):.4f} | val {vl:.4f} | acc {va:.3f}")
    torch.save({"model": model.state_dict(), "epochs": EPOCHS}, ROOT / "finetuned.pt")


if __name__ == "__main__":
    main()
