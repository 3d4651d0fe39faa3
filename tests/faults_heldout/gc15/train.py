import argparse

import torch
from torch.utils.data import DataLoader

from losses import iou, seg_loss
from shapes import Blobs
from unet import SmallUNet


def parse():
    p = argparse.ArgumentParser()
    p.add_argument("--epochs", type=int, default=10)
    p.add_argument("--lr", type=float, default=3e-3)
    p.add_argument("--batch", type=int, default=16)
    return p.parse_args()


def main():
    args = parse()
    torch.manual_seed(15)
    train = DataLoader(Blobs(480, seed=0), args.batch, shuffle=True)
    val = DataLoader(Blobs(96, seed=1), 48)
    model = SmallUNet()
    opt = torch.optim.AdamW(model.parameters(), lr=args.lr, weight_decay=1e-2)
    sched = torch.optim.lr_scheduler.OneCycleLR(opt, max_lr=args.lr, total_steps=args.epochs * len(train))
    for epoch in range(args.epochs):
        model.train()
        for img, mask in train:
            opt.zero_grad(set_to_none=True)
            loss = seg_loss(model(img), mask)
            loss.backward()
            opt.step()
            sched.step()
        model.eval()
        score = vloss = 0.0
        with torch.no_grad():
            for img, mask in val:
                z = model(img)
                score += iou(z, mask)
                vloss += seg_loss(z, mask).item() * len(img)
        n = len(val.dataset)
        print(f"epoch {epoch + 1}/{args.epochs} last batch {loss.item():.4f} val loss {vloss / n:.4f} val IoU {score / n:.4f}")


if __name__ == "__main__":
    main()
