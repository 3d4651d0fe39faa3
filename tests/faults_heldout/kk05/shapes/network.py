import torch.nn as nn


def conv_block(c_in, c_out, stride):
    return nn.Sequential(nn.Conv2d(c_in, c_out, 3, stride=stride, padding=1), nn.GroupNorm(4, c_out), nn.ReLU(inplace=True))


class ShapeNet(nn.Module):
    def __init__(self, width, classes):
        super().__init__()
        self.features = nn.Sequential(
            conv_block(1, width, 1),
            conv_block(width, width * 2, 2),
            conv_block(width * 2, width * 2, 2),
        )
        self.head = nn.Sequential(nn.Flatten(), nn.Linear(width * 2 * 16, 48), nn.ReLU(), nn.Linear(48, classes))

    def forward(self, x):
        return self.head(self.features(x))
