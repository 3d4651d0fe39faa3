"""Fine-tune the digit encoder on a handful of labelled meter crops."""
import argparse
from pathlib import Path

import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader

from data import MeterDigits
from net import Classifier

HERE = Path(__file__).resolve().parent


def build(weights):
    model = Classifier(n_classes=10)
    ckpt = torch.load(weights, map_location="cpu")
    # the head of the source task has another size, keep only the rest
    state = {k: v for k, v in ckpt["state_dict"].items() if "head" not in k}
    model.load_state_dict(state, strict=False)
    print(f"weights from {Path(weights).name} (epoch {ckpt['epoch']})")
    return model


@torch.no_grad()
def accuracy(model, loader):
    model.eval()
    hit = n = 0
    for x, y in loader:
        hit += (model(x).argmax(1) == y).sum().item()
        n += len(y)
    return hit / n


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--weights", default=str(HERE / "encoder.pt"))
    ap.add_argument("--epochs", type=int, default=30)
    ap.add_argument("--lr", type=float, default=3e-3)
    ap.add_argument("--lr-encoder", type=float, default=1e-4)
    ap.add_argument("--seed", type=int, default=0)
    args = ap.parse_args()
    torch.manual_seed(args.seed)

    train = DataLoader(MeterDigits("train"), batch_size=10, shuffle=True)
    val = DataLoader(MeterDigits("val"), batch_size=200)

    model = build(args.weights)
    opt = torch.optim.AdamW(
        [
            {"params": model.encoder.parameters(), "lr": args.lr_encoder},
            {"params": model.head.parameters(), "lr": args.lr},
        ],
        weight_decay=1e-2,
    )

    for epoch in range(1, args.epochs + 1):
        model.train()
        running = 0.0
        for x, y in train:
            loss = F.cross_entropy(model(x), y)
            opt.zero_grad(set_to_none=True)
            loss.backward()
            opt.step()
            running += loss.item()
        if epoch % 3 == 0:
            print(f"[{epoch:02d}] loss {running / len(train):.3f}  val acc {accuracy(model, val):.3f}")


if __name__ == "__main__":
    main()
