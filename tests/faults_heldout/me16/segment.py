import numpy as np
import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset

from unet import UNet


class Cells(Dataset):
    def __init__(self, images, masks, flip):
        self.images, self.masks, self.flip = images, masks, flip

    def __len__(self):
        return len(self.images)

    def __getitem__(self, i):
        x, m = self.images[i], self.masks[i]
        if self.flip:
            for axis in (1, 2):
                if torch.rand(()) < 0.5:
                    x, m = x.flip(axis), m.flip(axis)
            if torch.rand(()) < 0.5:
                x, m = x.transpose(1, 2), m.transpose(1, 2)
        return x, m


def overlap(logit, mask):
    p = logit.sigmoid()
    inter = (p * mask).sum((1, 2, 3))
    return 1 - (2 * inter + 1) / (p.sum((1, 2, 3)) + mask.sum((1, 2, 3)) + 1)


def criterion(logit, mask):
    return F.binary_cross_entropy_with_logits(logit, mask) + overlap(logit, mask).mean()


@torch.no_grad()
def validate(net, loader):
    net.eval()
    loss = n = inter = union = 0.0
    for x, m in loader:
        z = net(x)
        loss += criterion(z, m).item() * len(x)
        n += len(x)
        hit = (z > 0).float()
        inter += (hit * m).sum().item()
        union += ((hit + m) > 0).float().sum().item()
    return loss / n, inter / union


def main(epochs=24, lr=1.2e-2, batch=10):
    torch.manual_seed(23)
    z = np.load("cells.npz")
    images = torch.from_numpy(z["image"].astype("float32"))[:, None] / 31 - 0.3
    masks = torch.from_numpy(np.unpackbits(z["mask"], axis=1).reshape(-1, 1, 32, 32).astype("float32"))
    train = DataLoader(Cells(images[:200], masks[:200], True), batch, shuffle=True)
    val = DataLoader(Cells(images[200:240], masks[200:240], False), 40)
    test = DataLoader(Cells(images[240:], masks[240:], False), 60)
    net = UNet()
    opt = torch.optim.AdamW(net.parameters(), lr=lr, weight_decay=1e-3)
    sched = torch.optim.lr_scheduler.OneCycleLR(opt, lr, total_steps=epochs * len(train))
    for epoch in range(epochs):
        net.train()
        tot = 0.0
        for x, m in train:
            loss = criterion(net(x), m)
            opt.zero_grad()
            loss.backward()
            opt.step()
            sched.step()
            tot += loss.item()
        print(f"{epoch + 1:2d}  train {tot / len(train):.4f}  val %.4f  IoU %.4f" % validate(net, val))
    print("test %.4f  IoU %.4f" % validate(net, test))


if __name__ == "__main__":
    main()
