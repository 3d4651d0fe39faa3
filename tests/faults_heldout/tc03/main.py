from pathlib import Path

import torch
from torch import nn
from torch.utils.data import DataLoader

from langid.data import make_splits
from langid.model import SoftmaxRegression

CFG = dict(epochs=20, batch=32, lr=2.0, momentum=0.9, l2=1e-5, seed=0)


def score(model, loader):
    model.eval()
    hit = n = 0
    loss = 0.0
    with torch.no_grad():
        for x, y in loader:
            out = model(x)
            loss += nn.functional.cross_entropy(out, y, reduction="sum").item()
            hit += (out.argmax(-1) == y).sum().item()
            n += len(y)
    return loss / n, hit / n


def main():
    torch.manual_seed(CFG["seed"])
    train, val, names = make_splits(Path(__file__).parent / "phrases.csv", seed=CFG["seed"])
    print("languages", names, "train", len(train), "val", len(val))
    train_loader = DataLoader(train, batch_size=CFG["batch"], shuffle=True)
    val_loader = DataLoader(val, batch_size=256)

    model = SoftmaxRegression(train[0][0].numel(), len(names))
    # inputs have unit length, so the curvature is small and the rate can be large
    opt = torch.optim.SGD(model.parameters(), lr=CFG["lr"], momentum=CFG["momentum"], weight_decay=CFG["l2"])
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, CFG["epochs"])

    for epoch in range(1, CFG["epochs"] + 1):
        model.train()
        seen = total = 0
        for x, y in train_loader:
            opt.zero_grad()
            loss = nn.functional.cross_entropy(model(x), y)
            loss.backward()
            opt.step()
            total += loss.item() * len(y)
            seen += len(y)
        sched.step()
        val_loss, val_acc = score(model, val_loader)
        print(f"[{epoch:02d}] train {total / seen:.4f}  val {val_loss:.4f}  acc {val_acc:.4f}")


if __name__ == "__main__":
    main()
