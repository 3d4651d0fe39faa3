import argparse
from collections import Counter

import torch
from torch.utils.data import DataLoader, TensorDataset

from detector import SingleObjectDetector, detection_loss, iou
from shapes import make


@torch.no_grad()
def evaluate(model, data):
    model.eval()
    x, obj, kind, box = data
    o, c, b = model(x)
    present = obj > 0
    overlap = iou(b[present], box[present])
    right = c[present].argmax(1) == kind[present]
    found = o[present] > 0
    return {
        "obj_acc": ((o > 0).float() == obj).float().mean().item(),
        "cls_acc": right.float().mean().item(),
        "mean_iou": overlap.mean().item(),
        "recall@.5": (found & right & (overlap > 0.5)).float().mean().item(),
    }


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--epochs", type=int, default=15)
    ap.add_argument("--lr", type=float, default=4e-3)
    ap.add_argument("--batch", type=int, default=50)
    ap.add_argument("--train-size", type=int, default=3000)
    args = ap.parse_args()

    torch.manual_seed(12)
    train = TensorDataset(*make(args.train_size, seed=100))
    val = make(600, seed=101)
    loader = DataLoader(train, batch_size=args.batch, shuffle=True)

    model = SingleObjectDetector()
    opt = torch.optim.AdamW(model.parameters(), lr=args.lr, weight_decay=0.01)
    sched = torch.optim.lr_scheduler.MultiStepLR(opt, [int(args.epochs * 0.6), int(args.epochs * 0.85)], gamma=0.2)

    for epoch in range(args.epochs):
        model.train()
        parts = Counter()
        for x, obj, kind, box in loader:
            loss, terms = detection_loss(model(x), obj, kind, box)
            opt.zero_grad()
            loss.backward()
            opt.step()
            parts.update({"total": loss.item(), **terms})
        sched.step()
        left = " ".join(f"{k}={v / len(loader):.4f}" for k, v in parts.items())
        right = " ".join(f"{k}={v:.3f}" for k, v in evaluate(model, val).items())
        print(f"epoch {epoch:2d} {left} || {right}")


if __name__ == "__main__":
    main()
