"""Segment cells on small microscopy crops."""
import configparser
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F

from nets import SmallUNet

ROOT = Path(__file__).resolve().parent


def load_plates():
    with np.load(ROOT / "plates.npz") as f:
        image = torch.from_numpy(f["image"].astype(np.float32))[:, None]
        n, _, h, w = image.shape
        bits = np.unpackbits(f["mask"], axis=1)[:, : h * w]
    mask = torch.from_numpy(bits.reshape(n, 1, h, w).astype(np.float32))
    image = (image - image.mean(dim=(1, 2, 3), keepdim=True)) / image.std(dim=(1, 2, 3), keepdim=True)
    return image, mask


def flip(image, mask):
    for dim in (2, 3):
        if torch.rand(()) < 0.5:
            image, mask = image.flip(dim), mask.flip(dim)
    if torch.rand(()) < 0.5:
        image, mask = image.transpose(2, 3), mask.transpose(2, 3)
    return image, mask


def loss_fn(logits, mask):
    p = torch.sigmoid(logits)
    overlap = (p * mask).sum(dim=(1, 2, 3))
    dice = 1 - (2 * overlap + 1) / (p.sum(dim=(1, 2, 3)) + mask.sum(dim=(1, 2, 3)) + 1)
    return F.binary_cross_entropy_with_logits(logits, mask) + 0.5 * dice.mean()


def iou(model, image, mask):
    model.eval()
    with torch.no_grad():
        pred = model(image) > 0
    truth = mask > 0.5
    return ((pred & truth).sum() / (pred | truth).sum().clamp(min=1)).item()


def main():
    ini = configparser.ConfigParser()
    ini.read(ROOT / "run.ini")
    cfg = ini["train"]
    torch.manual_seed(cfg.getint("seed"))

    image, mask = load_plates()
    perm = torch.randperm(len(image))
    held, used = perm[: cfg.getint("holdout")], perm[cfg.getint("holdout"):]
    model = SmallUNet(ini["model"].getint("width"), ini["model"].getfloat("dropout"))
    optimizer = torch.optim.Adam(model.parameters(), lr=cfg.getfloat("lr"))
    epochs, batch = cfg.getint("epochs"), cfg.getint("batch")
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, epochs)
    print(f"{len(used)} crops for training, {len(held)} held out, foreground {mask.mean():.2f}")

    for epoch in range(1, epochs + 1):
        model.train()
        total = 0.0
        for idx in used[torch.randperm(len(used))].split(batch):
            x, y = flip(image[idx], mask[idx])
            loss = loss_fn(model(x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss.item() * len(idx)
        scheduler.step()
        if epoch % 2 == 0:
            print(f"epoch {epoch:3d}  loss {total / len(used):.4f}  "
                  f"IoU train {iou(model, image[used], mask[used]):.3f}  held-out {iou(model, image[held], mask[held]):.3f}")


if __name__ == "__main__":
    main()
