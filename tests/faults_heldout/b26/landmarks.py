"""Single-object detector: one box (cx, cy, w, h) and a class for each scene, hand-written losses (GIoU + smooth L1 + CE)."""
import numpy as np
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, Dataset

SIZE = 28
CLASSES = ("disc", "frame", "cross")


class Scenes(Dataset):
    def __init__(self, n, seed):
        rng = np.random.default_rng(seed)
        yy, xx = (np.mgrid[:SIZE, :SIZE] + 0.5) / SIZE
        self.img, self.box, self.cls = [], [], []
        for _ in range(n):
            w, h = rng.uniform(0.25, 0.55, 2)
            cx, cy = rng.uniform(w / 2, 1 - w / 2), rng.uniform(h / 2, 1 - h / 2)
            u, v = np.abs(xx - cx) / (w / 2), np.abs(yy - cy) / (h / 2)
            k = int(rng.integers(3))
            m = [u ** 2 + v ** 2 < 1,
                 (np.maximum(u, v) < 1) & (np.maximum(u, v) > 0.6),
                 (np.maximum(u, v) < 1) & (np.minimum(u, v) < 0.3)][k]
            img = rng.normal(0, 0.25, (SIZE, SIZE)) + m * rng.uniform(0.7, 1.3)
            self.img.append(img[None].astype(np.float32))
            self.box.append(np.array([cx, cy, w, h], np.float32))
            self.cls.append(k)

    def __len__(self):
        return len(self.img)

    def __getitem__(self, i):
        return torch.from_numpy(self.img[i]), torch.from_numpy(self.box[i]), self.cls[i]


class Net(nn.Module):
    def __init__(self, c=16):
        super().__init__()
        blk = lambda i, o: nn.Sequential(nn.Conv2d(i, o, 3, stride=2, padding=1), nn.GroupNorm(4, o), nn.SiLU())
        self.trunk = nn.Sequential(blk(1, c), blk(c, 2 * c), blk(2 * c, 2 * c), nn.Flatten(), nn.Linear(2 * c * 16, 64), nn.SiLU())
        self.box, self.cls = nn.Linear(64, 4), nn.Linear(64, len(CLASSES))

    def forward(self, x):
        f = self.trunk(x)
        return self.box(f).sigmoid(), self.cls(f)


def corners(b):
    return torch.cat([b[:, :2] - b[:, 2:] / 2, b[:, :2] + b[:, 2:] / 2], 1)


def iou_terms(p, t):
    a, b = corners(p), corners(t)
    inter = (torch.minimum(a[:, 2:], b[:, 2:]) - torch.maximum(a[:, :2], b[:, :2])).clamp(min=0).prod(1)
    union = p[:, 2:].prod(1) + t[:, 2:].prod(1) - inter
    hull = (torch.maximum(a[:, 2:], b[:, 2:]) - torch.minimum(a[:, :2], b[:, :2])).prod(1)
    iou = inter / union
    return iou, iou - (hull - union) / hull


def smooth_l1(d, beta=0.1):
    d = d.abs()
    return torch.where(d < beta, 0.5 * d * d / beta, d - 0.5 * beta)


def cross_entropy(z, y):
    return (z.logsumexp(1) - z.gather(1, y[:, None]).squeeze(1)).mean()


def evaluate(net, loader):
    net.eval()
    iou, hit, n = 0.0, 0, 0
    with torch.no_grad():
        for x, b, y in loader:
            pb, pc = net(x)
            iou += iou_terms(pb, b)[0].sum().item()
            hit += (pc.argmax(1) == y).sum().item()
            n += len(y)
    return iou / n, hit / n


def main():
    torch.manual_seed(90)
    train, val = Scenes(2400, 10), Scenes(500, 11)
    tl, vl = DataLoader(train, batch_size=48, shuffle=True, drop_last=True), DataLoader(val, batch_size=250)
    net = Net()
    opt = torch.optim.AdamW(net.parameters(), lr=2e-3, weight_decay=1e-2)
    epochs = 10
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, epochs * len(tl))
    mean_box = torch.tensor(np.mean(train.box, 0))
    base = iou_terms(mean_box.expand(len(val), 4), torch.tensor(np.stack(val.box)))[0].mean().item()
    print(f"mean-box baseline IoU {base:.3f}")
    for ep in range(epochs):
        net.train()
        sums = np.zeros(3)
        for x, b, y in tl:
            pb, pc = net(x)
            parts = torch.stack([(1 - iou_terms(pb, b)[1]).mean(), smooth_l1(pb - b).sum(1).mean(), cross_entropy(pc, y)])
            opt.zero_grad()
            parts.sum().backward()
            opt.step()
            sched.step()
            sums += parts.detach().numpy()
        iou, acc = evaluate(net, vl)
        print(f"epoch {ep+1:2d} giou {sums[0]/len(tl):.3f} l1 {sums[1]/len(tl):.3f} ce {sums[2]/len(tl):.3f} | val IoU {iou:.3f} acc {acc:.3f}", flush=True)


if __name__ == "__main__":
    main()
