import torch.nn as nn


def conv(cin, cout, stride):
    return nn.Sequential(
        nn.Conv1d(cin, cout, 7, stride=stride, padding=3),
        nn.GroupNorm(4, cout),
        nn.SiLU(),
    )


class WaveNetLite(nn.Module):
    def __init__(self, kinds, width):
        super().__init__()
        self.body = nn.Sequential(conv(1, width, 2), conv(width, width, 2), conv(width, 2 * width, 2))
        self.head = nn.Sequential(nn.Flatten(), nn.Dropout(0.3), nn.Linear(2 * width * 8, kinds))

    def forward(self, w):
        return self.head(self.body(w))
