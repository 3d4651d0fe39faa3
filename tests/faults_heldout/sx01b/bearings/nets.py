import torch
from torch import nn


class Encoder(nn.Module):
    """Convolutional encoder for 128-sample vibration windows."""

    def __init__(self, width=20):
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv1d(1, width, 9, stride=2, padding=4), nn.BatchNorm1d(width), nn.ReLU(),
            nn.Conv1d(width, 2 * width, 7, stride=2, padding=3), nn.BatchNorm1d(2 * width), nn.ReLU(),
            nn.Conv1d(2 * width, 2 * width, 5, stride=2, padding=2), nn.BatchNorm1d(2 * width), nn.ReLU(),
        )
        self.out_dim = 2 * width

    def forward(self, x):
        return self.body(x).mean(2)


class Diagnoser(nn.Module):
    def __init__(self, n_classes):
        super().__init__()
        self.encoder = Encoder()
        self.head = nn.Linear(self.encoder.out_dim, n_classes)

    def forward(self, x):
        return self.head(self.encoder(x))


def load_encoder(encoder, path):
    """Takes the encoder part of a pre-training checkpoint; its projection head is not needed."""
    ckpt = torch.load(path, map_location="cpu")
    encoder.load_state_dict(ckpt["model"], strict=False)
    print(f"encoder from {path.name} (pre-trained for {ckpt['epoch']} epochs)")
