import random
from dataclasses import dataclass

import numpy as np
import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset

from unet import TinyUNet


@dataclass
class Options:
    archive: str = "cells.npz"
    micro_batch: int = 2       # what fits on the microscope workstation
    accumulate: int = 8
    epochs: int = 10
    lr: float = 0.02
    momentum: float = 0.9
    val_images: int = 60
    seed: int = 19


class CellImages(Dataset):
    def __init__(self, img, mask, flip):
        self.img = img.astype(np.float32)
        self.mask = mask.astype(np.float32)
        self.flip = flip

    def __len__(self):
        return len(self.img)

    def __getitem__(self, i):
        img, mask = self.img[i], self.mask[i]
        img = (img - img.mean()) / (img.std() + 1e-6)
        if self.flip and random.random() < 0.5:
            img, mask = img[:, ::-1].copy(), mask[:, ::-1].copy()
        return torch.from_numpy(img)[None], torch.from_numpy(mask)[None]


def bce_dice(logits, mask):
    p = logits.sigmoid()
    inter = (p * mask).sum((1, 2, 3))
    dice = 1 - (2 * inter + 1) / (p.sum((1, 2, 3)) + mask.sum((1, 2, 3)) + 1)
    return F.binary_cross_entropy_with_logits(logits, mask) + dice.mean()


@torch.no_grad()
def iou(model, loader):
    model.eval()
    inter = union = 0
    for x, m in loader:
        p = model(x) > 0
        inter += (p & (m > 0)).sum().item()
        union += (p | (m > 0)).sum().item()
    return inter / max(union, 1)


def train_one_epoch(model, loader, optimizer, accumulate):
    model.train()
    total = 0.0
    for i, (x, m) in enumerate(loader):
        optimizer.zero_grad()
        loss = bce_dice(model(x), m)
        (loss / accumulate).backward()
        if (i + 1) % accumulate == 0:
            optimizer.step()
        total += loss.item()
    return total / len(loader)


if __name__ == "__main__":
    o = Options()
    random.seed(o.seed)
    torch.manual_seed(o.seed)
    z = np.load(o.archive)
    img, mask = z["img"], np.unpackbits(z["bits"], axis=-1)
    k = o.val_images
    train = DataLoader(CellImages(img[k:], mask[k:], True), o.micro_batch, shuffle=True)
    val = DataLoader(CellImages(img[:k], mask[:k], False), 20)

    model = TinyUNet()
    opt = torch.optim.SGD(model.parameters(), o.lr, o.momentum)
    for ep in range(o.epochs):
        loss = train_one_epoch(model, train, opt, o.accumulate)
        print("epoch", ep, "loss %.4f" % loss, "val IoU %.4f" % iou(model, val))
