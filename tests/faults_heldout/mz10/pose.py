import torch
import torch.nn as nn
from torch.utils.data import DataLoader

from mice import Mice, NAMES, SIZE


class SoftArgmax2d(nn.Module):
    """Heat maps (B, K, H, W) to expected pixel positions (B, K, 2)."""

    def forward(self, heat):
        b, k, h, w = heat.shape
        p = heat.flatten(2).softmax(-1).view(b, k, h, w)
        x = (p.sum(2) * torch.arange(w, dtype=p.dtype, device=p.device)).sum(-1)
        y = (p.sum(3) * torch.arange(h, dtype=p.dtype, device=p.device)).sum(-1)
        return torch.stack([x, y], dim=-1)


class HeatMaps(nn.Module):
    def __init__(self, keypoints, c=16):
        super().__init__()
        conv = lambda i, o, d=1: nn.Sequential(nn.Conv2d(i, o, 3, padding=d, dilation=d, bias=False),
                                               nn.BatchNorm2d(o), nn.ReLU())
        self.body = nn.Sequential(conv(1, c), nn.MaxPool2d(2), conv(c, 2 * c), conv(2 * c, 2 * c, 2), conv(2 * c, 2 * c, 4))
        self.out = nn.Conv2d(2 * c, keypoints, 1)
        self.up = nn.Upsample(size=(SIZE, SIZE), mode="bilinear", align_corners=True)

    def forward(self, x):
        return self.up(self.out(self.body(x)))


class Trainer:
    def __init__(self, seed=2, epochs=12):
        torch.manual_seed(seed)
        self.epochs = epochs
        self.train_loader = DataLoader(Mice(900, 1, augment=True), batch_size=24, shuffle=True)
        self.val_loader = DataLoader(Mice(250, 2, augment=False), batch_size=125)
        self.net, self.decode = HeatMaps(len(NAMES)), SoftArgmax2d()
        self.opt = torch.optim.Adam(self.net.parameters(), lr=3e-3)
        self.sched = torch.optim.lr_scheduler.CosineAnnealingLR(self.opt, epochs)
        self.loss = nn.SmoothL1Loss()

    def train_epoch(self):
        self.net.train()
        total = 0.0
        for image, points in self.train_loader:
            self.opt.zero_grad()
            loss = self.loss(self.decode(self.net(image)), points)
            loss.backward()
            self.opt.step()
            total += loss.item() * len(image)
        self.sched.step()
        return total / len(self.train_loader.dataset)

    @torch.no_grad()
    def validate(self):
        self.net.eval()
        total, dist = 0.0, []
        for image, points in self.val_loader:
            pred = self.decode(self.net(image))
            total += self.loss(pred, points).item() * len(image)
            dist.append((pred - points).norm(dim=-1))
        return total / len(self.val_loader.dataset), torch.cat(dist).mean(0)

    def fit(self):
        for epoch in range(1, self.epochs + 1):
            train = self.train_epoch()
            val, dist = self.validate()
            per = "  ".join(f"{n} {d:.2f}" for n, d in zip(NAMES, dist.tolist()))
            print(f"epoch {epoch:2d}  train {train:.3f}  val {val:.3f}  error in px: {per}")


if __name__ == "__main__":
    Trainer().fit()
