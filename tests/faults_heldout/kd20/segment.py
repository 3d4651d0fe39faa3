"""Cell masks on small microscope crops."""
from types import SimpleNamespace

import numpy as np
import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset

from unet import UNet

hp = SimpleNamespace(epochs=16, batch=10, max_lr=6e-3, seed=27, base=12)


class Cells(Dataset):
    def __init__(self, images, masks, mean, std, augment):
        self.x = (torch.from_numpy(images).float()[:, None] - mean) / std
        self.y = torch.from_numpy(masks).float()[:, None]
        self.augment = augment

    def __len__(self):
        return len(self.x)

    def __getitem__(self, i):
        x, y = self.x[i], self.y[i]
        if self.augment:  # same flip / quarter turn for image and mask
            k = int(torch.randint(4, (1,)))
            x, y = torch.rot90(x, k, (1, 2)), torch.rot90(y, k, (1, 2))
            if torch.rand(()) < 0.5:
                x, y = x.flip(2), y.flip(2)
        return x, y


def dice_loss(logits, y):
    p = torch.sigmoid(logits)
    inter = (p * y).sum((1, 2, 3))
    return 1 - ((2 * inter + 1) / (p.sum((1, 2, 3)) + y.sum((1, 2, 3)) + 1)).mean()


def criterion(logits, y):
    return 0.5 * F.binary_cross_entropy_with_logits(logits, y) + 0.5 * dice_loss(logits, y)


@torch.no_grad()
def validate(net, loader):
    net.eval()
    loss, inter, union = 0.0, 0.0, 0.0
    for x, y in loader:
        out = net(x)
        loss += criterion(out, y).item() * len(x)
        p = (out > 0).float()
        inter += (p * y).sum().item()
        union += ((p + y) > 0).sum().item()
    return loss / len(loader.dataset), inter / union


torch.manual_seed(hp.seed)
z = np.load("cells.npz")
images, masks = z["images"], np.unpackbits(z["masks"], axis=-1)
order = np.random.default_rng(hp.seed).permutation(len(images))
tr, va = order[70:], order[:70]
mean, std = float(images[tr].mean()), float(images[tr].std())
train_dl = DataLoader(Cells(images[tr], masks[tr], mean, std, True), hp.batch, shuffle=True)
val_dl = DataLoader(Cells(images[va], masks[va], mean, std, False), 35)
print("foreground %.3f (IoU of 'all cell')" % masks[va].mean())

net = UNet(hp.base)
opt = torch.optim.AdamW(net.parameters(), lr=hp.max_lr, weight_decay=1e-3)
sched = torch.optim.lr_scheduler.OneCycleLR(opt, hp.max_lr, epochs=hp.epochs, steps_per_epoch=len(train_dl))
for epoch in range(1, hp.epochs + 1):
    net.train()
    seen = 0.0
    for x, y in train_dl:
        loss = criterion(net(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
        seen += loss.item() * len(x)
    vl, iou = validate(net, val_dl)
    print(f"{epoch:2d}/{hp.epochs} lr {sched.get_last_lr()[0]:.5f} train {seen / len(tr):.4f} val {vl:.4f} IoU {iou:.3f}")
