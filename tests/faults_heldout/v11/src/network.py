from torch import nn


class ResBlock(nn.Module):
    def __init__(self, ch):
        super().__init__()
        self.body = nn.Sequential(nn.Conv2d(ch, ch, 3, padding=1, bias=False), nn.BatchNorm2d(ch), nn.ReLU(),
                                  nn.Conv2d(ch, ch, 3, padding=1, bias=False), nn.BatchNorm2d(ch))
        self.act = nn.ReLU()

    def forward(self, x):
        return self.act(x + self.body(x))


def small_resnet(classes=10, ch=16):
    return nn.Sequential(nn.Conv2d(1, ch, 3, padding=1), nn.ReLU(), ResBlock(ch), nn.MaxPool2d(2), ResBlock(ch),
                         nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(ch, classes))
