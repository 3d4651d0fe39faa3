import torch.nn as nn


def block(cin, cout):
    return nn.Sequential(
        nn.Conv2d(cin, cout, 3, padding=1, bias=False),
        nn.BatchNorm2d(cout),
        nn.ReLU(inplace=True),
        nn.MaxPool2d(2),
    )


class Encoder(nn.Module):
    def __init__(self, width=12):
        super().__init__()
        self.stage1 = block(1, width)
        self.stage2 = block(width, width * 2)
        self.proj = nn.Linear(width * 2 * 9, 64)

    def forward(self, x):
        x = self.stage2(self.stage1(x))
        return self.proj(x.flatten(1)).relu()


class Classifier(nn.Module):
    """Encoder plus a linear head for the task at hand."""

    def __init__(self, n_classes):
        super().__init__()
        self.encoder = Encoder()
        self.head = nn.Linear(64, n_classes)

    def forward(self, x):
        return self.head(self.encoder(x))
