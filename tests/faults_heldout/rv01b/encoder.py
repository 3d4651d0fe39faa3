import torch
from torch import nn


def block(c_in, c_out, k):
    return nn.Sequential(
        nn.Conv1d(c_in, c_out, k, stride=2, padding=k // 2, bias=False),
        nn.BatchNorm1d(c_out),
        nn.ReLU(inplace=True),
    )


class WaveEncoder(nn.Module):
    """Small strided encoder for one-channel accelerometer snippets."""

    width = 32

    def __init__(self):
        super().__init__()
        self.stem = block(1, 16, 9)
        self.mid = block(16, 32, 7)
        self.top = block(32, self.width, 5)

    def forward(self, wave):
        z = self.top(self.mid(self.stem(wave.unsqueeze(1))))
        return torch.cat([z.mean(-1), z.amax(-1)], dim=1)


class BearingClassifier(nn.Module):
    def __init__(self, n_states):
        super().__init__()
        self.encoder = WaveEncoder()
        self.head = nn.Sequential(nn.Dropout(0.2), nn.Linear(2 * WaveEncoder.width, n_states))

    def forward(self, wave):
        return self.head(self.encoder(wave))
