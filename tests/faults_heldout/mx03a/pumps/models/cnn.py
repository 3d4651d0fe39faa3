from torch import nn


def block(c_in, c_out, k, stride):
    return nn.Sequential(
        nn.Conv1d(c_in, c_out, k, stride=stride, padding=k // 2),
        nn.BatchNorm1d(c_out),
        nn.ReLU(),
    )


class WaveCNN(nn.Module):
    def __init__(self, axes=3, width=16, classes=2):
        super().__init__()
        self.blocks = nn.Sequential(
            block(axes, width, 5, 1),
            block(width, 2 * width, 5, 2),
            block(2 * width, 2 * width, 3, 2),
        )
        self.out = nn.Linear(2 * width, classes)

    def forward(self, x):
        return self.out(self.blocks(x).mean(dim=-1))
