import torch.nn as nn
import torch.nn.functional as F


class Block(nn.Module):
    def __init__(self, cin, cout, stride=1):
        super().__init__()
        self.c1 = nn.Conv2d(cin, cout, 3, stride, 1, bias=False)
        self.n1 = nn.GroupNorm(8, cout)
        self.c2 = nn.Conv2d(cout, cout, 3, 1, 1, bias=False)
        self.n2 = nn.GroupNorm(8, cout)
        self.skip = nn.Conv2d(cin, cout, 1, stride, bias=False) if cin != cout or stride != 1 else nn.Identity()

    def forward(self, x):
        h = F.relu(self.n1(self.c1(x)))
        return F.relu(self.n2(self.c2(h)) + self.skip(x))


class GlyphNet(nn.Module):
    def __init__(self, classes=10, width=24):
        super().__init__()
        self.stem = nn.Conv2d(1, width, 3, 1, 1)
        self.stage1 = Block(width, width)
        self.stage2 = Block(width, 2 * width, 2)
        self.head = nn.Linear(2 * width, classes)

    def forward(self, x):
        x = self.stage2(self.stage1(F.relu(self.stem(x))))
        return self.head(x.mean((2, 3)))
