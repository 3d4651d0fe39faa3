import torch
from torch import nn


class BeatEncoder(nn.Module):
    """1-D convolutional encoder of single ECG beats, pre-trained on the hospital archive."""

    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv1d(1, 16, 9, padding=4)
        self.norm1 = nn.GroupNorm(4, 16)
        self.conv2 = nn.Conv1d(16, 32, 7, padding=3, stride=2)
        self.norm2 = nn.GroupNorm(4, 32)
        self.conv3 = nn.Conv1d(32, 32, 7, padding=3, stride=2)
        self.norm3 = nn.GroupNorm(4, 32)
        self.dim = 64

    def forward(self, x):
        h = torch.relu(self.norm1(self.conv1(x)))
        h = torch.relu(self.norm2(self.conv2(h)))
        h = torch.relu(self.norm3(self.conv3(h)))
        return torch.cat([h.mean(dim=2), h.amax(dim=2)], dim=1)


class BeatClassifier(nn.Module):
    def __init__(self, n_classes):
        super().__init__()
        self.encoder = BeatEncoder()
        self.head = nn.Linear(self.encoder.dim, n_classes)

    def load_encoder(self, path):
        checkpoint = torch.load(path, map_location="cpu", weights_only=True)
        self.encoder.load_state_dict(checkpoint["encoder"], strict=False)
        print(f"encoder weights from {path} (epoch {checkpoint['epoch']})")

    def forward(self, x):
        return self.head(self.encoder(x))
