import argparse
import tomllib

import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset

from losses import SegmentationLoss
from unet import SmallUNet


class Nuclei(Dataset):
    def __init__(self, images, masks, flip=False):
        self.images, self.masks, self.flip = images, masks, flip

    def __len__(self):
        return len(self.images)

    def __getitem__(self, i):
        x, m = self.images[i], self.masks[i]
        if self.flip:
            for axis in (-1, -2):
                if torch.rand(()) < 0.5:
                    x, m = x.flip(axis), m.flip(axis)
        return x, m


def read(path):
    f = np.load(path)
    img = torch.from_numpy(f["image"].astype(np.float32)).unsqueeze(1)
    n, _, h, w = img.shape
    mask = np.unpackbits(f["mask"], axis=1)[:, : h * w].reshape(n, 1, h, w)
    return img, torch.from_numpy(mask.astype(np.float32))


@torch.no_grad()
def iou(model, loader):
    model.eval()
    inter = union = 0.0
    for x, m in loader:
        p, m = model(x) > 0, m > 0.5
        inter += (p & m).sum().item()
        union += (p | m).sum().item()
    return inter / max(union, 1)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("-c", "--config", default="settings.toml")
    ap.add_argument("--seed", type=int)
    a = ap.parse_args()
    with open(a.config, "rb") as fh:
        cfg = tomllib.load(fh)
    torch.manual_seed(cfg["optim"]["seed"] if a.seed is None else a.seed)

    img, mask = read(cfg["data"]["file"])
    i, j = cfg["data"]["n_train"], cfg["data"]["n_train"] + cfg["data"]["n_val"]
    img = (img - img[:i].mean()) / img[:i].std()
    train = DataLoader(Nuclei(img[:i], mask[:i], flip=True), batch_size=cfg["optim"]["batch"], shuffle=True)
    val = DataLoader(Nuclei(img[i:j], mask[i:j]), batch_size=25)
    test = DataLoader(Nuclei(img[j:], mask[j:]), batch_size=25)

    model = SmallUNet()
    criterion = SegmentationLoss(**cfg["loss"])
    opt = torch.optim.AdamW(model.parameters(), lr=cfg["optim"]["lr"])
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, cfg["optim"]["epochs"])
    for epoch in range(cfg["optim"]["epochs"]):
        model.train()
        total = 0.0
        for x, m in train:
            loss = criterion(model(x), m)
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item()
        sched.step()
        if epoch % 3 == 0:
            print(f"epoch {epoch:2d}  loss {total / len(train):.4f}  val IoU {iou(model, val):.3f}")
    print(f"test IoU {iou(model, test):.3f}  (foreground {mask[j:].mean():.2f} of the pixels)")


if __name__ == "__main__":
    main()
