import torch.nn.functional as F
from torch import nn


class Residual(nn.Module):
    def __init__(self, c_in, c_out, stride):
        super().__init__()
        self.a = nn.Conv2d(c_in, c_out, 3, stride=stride, padding=1)
        self.na = nn.GroupNorm(4, c_out)
        self.b = nn.Conv2d(c_out, c_out, 3, padding=1)
        self.nb = nn.GroupNorm(4, c_out)
        self.skip = nn.Conv2d(c_in, c_out, 1, stride=stride) if (stride > 1 or c_in != c_out) else nn.Identity()

    def forward(self, x):
        h = F.relu(self.na(self.a(x)))
        return F.relu(self.nb(self.b(h)) + self.skip(x))


class MiniResNet(nn.Module):
    def __init__(self, n_classes, width=12):
        super().__init__()
        self.stem = nn.Conv2d(3, width, 3, padding=1)
        self.body = nn.Sequential(Residual(width, width, 1), Residual(width, 2 * width, 2), Residual(2 * width, 2 * width, 2))
        self.fc = nn.Linear(2 * width, n_classes)

    def forward(self, x):
        return self.fc(self.body(self.stem(x)).mean((2, 3)))
