from torch import nn


class Block(nn.Module):
    def __init__(self, cin, cout):
        super().__init__()
        self.conv = nn.Conv2d(cin, cout, 3, padding=1, bias=False)
        self.norm = nn.GroupNorm(4, cout)
        self.act = nn.SiLU()

    def forward(self, x):
        return self.act(self.norm(self.conv(x)))


class DigitReader(nn.Module):
    def __init__(self, n_classes=10):
        super().__init__()
        self.stem = Block(1, 16)
        self.stage1 = nn.Sequential(Block(16, 32), nn.MaxPool2d(2))
        self.stage2 = nn.Sequential(Block(32, 32), nn.MaxPool2d(2))
        self.head = nn.Linear(32 * 4, n_classes)

    def forward(self, x):
        return self.head(self.stage2(self.stage1(self.stem(x))).flatten(1))
