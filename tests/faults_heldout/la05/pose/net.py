import torch.nn as nn
import torch.nn.functional as F


def block(i, o, stride=1, dilation=1):
    return nn.Sequential(nn.Conv2d(i, o, 3, stride, dilation, dilation), nn.GroupNorm(4, o), nn.ReLU())


class HeatmapNet(nn.Module):
    def __init__(self, n_joints, width=16):
        super().__init__()
        self.down = nn.Sequential(block(1, width, 2), block(width, 2 * width, 2))
        self.mid = nn.Sequential(block(2 * width, 2 * width, dilation=2), block(2 * width, 2 * width, dilation=4),
                                 block(2 * width, 2 * width))
        self.head = nn.Conv2d(2 * width, n_joints, 3, 1, 1)
        nn.init.constant_(self.head.bias, -3.0)

    def forward(self, x):
        h = self.mid(self.down(x))
        h = F.interpolate(self.head(h), scale_factor=4, mode="bilinear", align_corners=False)
        return h.sigmoid()
