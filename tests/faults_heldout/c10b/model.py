import torch
from torch import nn


class Encoder(nn.Module):
    """1-d convolutional encoder for vibration envelopes, 96 samples -> 32 features."""

    def __init__(self, width=32):
        super().__init__()
        self.conv1 = nn.Conv1d(1, width, 9, padding=4)
        self.bn1 = nn.BatchNorm1d(width)
        self.conv2 = nn.Conv1d(width, width, 7, padding=3, stride=2)
        self.bn2 = nn.BatchNorm1d(width)
        self.conv3 = nn.Conv1d(width, 32, 5, padding=2, stride=2)
        self.bn3 = nn.BatchNorm1d(32)

    def forward(self, x):
        h = torch.relu(self.bn1(self.conv1(x[:, None])))
        h = torch.relu(self.bn2(self.conv2(h)))
        h = torch.relu(self.bn3(self.conv3(h)))
        return h.mean(-1)


class StateClassifier(nn.Module):
    def __init__(self, encoder, n_states):
        super().__init__()
        self.encoder = encoder
        self.head = nn.Sequential(nn.Linear(32, 48), nn.ReLU(), nn.Linear(48, n_states))

    def forward(self, x):
        return self.head(self.encoder(x))

    def train(self, mode=True):
        # the running statistics of the encoder belong to the large corpus
        super().train(mode)
        self.encoder.eval()
        return self
