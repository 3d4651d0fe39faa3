import torch
import torch.nn as nn


class RandomShift(nn.Module):
    """Shift the whole batch by up to one pixel in both directions."""

    def __init__(self, amount=1):
        super().__init__()
        self.amount = amount
        self.enabled = True

    def forward(self, x):
        if not self.enabled:
            return x
        dy, dx = torch.randint(-self.amount, self.amount + 1, (2,)).tolist()
        return torch.roll(x, shifts=(dy, dx), dims=(2, 3))


def conv_block(cin, cout, drop):
    return nn.Sequential(
        nn.Conv2d(cin, cout, 3, padding=1, bias=False),
        nn.BatchNorm2d(cout),
        nn.ReLU(inplace=True),
        nn.Dropout2d(drop),
    )


class DigitNet(nn.Module):
    def __init__(self, width=24, drop=0.2, head_drop=0.5, n_classes=10):
        super().__init__()
        self.augment = RandomShift(1)
        self.features = nn.Sequential(
            conv_block(1, width, drop),
            conv_block(width, width, drop),
            nn.MaxPool2d(2),
            conv_block(width, 2 * width, drop),
            nn.MaxPool2d(2),
        )
        self.head = nn.Sequential(
            nn.Flatten(),
            nn.Linear(2 * width * 4, 48),
            nn.ReLU(inplace=True),
            nn.Dropout(head_drop),
            nn.Linear(48, n_classes),
        )

    def train(self, mode=True):
        # the augmentation lives inside the model, so it follows the mode
        super().train()
        self.augment.enabled = mode
        return self

    def forward(self, x):
        return self.head(self.features(self.augment(x)))
