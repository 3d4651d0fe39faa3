import torch
from torch import nn


def block(c_in, c_out):
    return nn.Sequential(
        nn.Conv2d(c_in, c_out, 3, padding=1, bias=False), nn.GroupNorm(4, c_out), nn.ReLU(inplace=True),
        nn.Conv2d(c_out, c_out, 3, padding=1, bias=False), nn.GroupNorm(4, c_out), nn.ReLU(inplace=True))


class UNet(nn.Module):
    def __init__(self, base=8):
        super().__init__()
        self.e1, self.e2, self.mid = block(1, base), block(base, 2 * base), block(2 * base, 4 * base)
        self.pool = nn.MaxPool2d(2)
        self.up = nn.Upsample(scale_factor=2, mode="bilinear", align_corners=False)
        self.d2, self.d1 = block(6 * base, 2 * base), block(3 * base, base)
        self.out = nn.Conv2d(base, 1, 1)
        nn.init.constant_(self.out.bias, -2.3)   # foreground covers roughly a tenth

    def forward(self, x):
        a = self.e1(x)
        b = self.e2(self.pool(a))
        c = self.mid(self.pool(b))
        b = self.d2(torch.cat([self.up(c), b], 1))
        a = self.d1(torch.cat([self.up(b), a], 1))
        return self.out(a)


class DiceBCELoss(nn.Module):
    def __init__(self, dice_weight=0.5, smooth=1.0):
        super().__init__()
        self.dice_weight = dice_weight
        self.smooth = smooth
        self.bce = nn.BCEWithLogitsLoss()

    def forward(self, logits, mask):
        prob = logits.sigmoid().flatten(1)
        m = mask.flatten(1)
        inter = (prob * m).sum(1)
        dice = (2 * inter + self.smooth) / (prob.sum(1) + m.sum(1) + self.smooth)
        return self.dice_weight * (1 - dice.mean()) + (1 - self.dice_weight) * self.bce(logits, mask)


class IoU(nn.Module):
    """Running intersection over union of the foreground."""

    def __init__(self, threshold=0.5):
        super().__init__()
        self.threshold = threshold
        self.register_buffer("inter", torch.zeros(()))
        self.register_buffer("union", torch.zeros(()))

    def forward(self, logits, mask):
        pred = logits.sigmoid() > self.threshold
        true = mask > 0.5
        self.inter += (pred & true).sum()
        self.union += (pred | true).sum()

    def compute(self):
        value = (self.inter / self.union.clamp(min=1)).item()
        self.inter.zero_()
        self.union.zero_()
        return value
