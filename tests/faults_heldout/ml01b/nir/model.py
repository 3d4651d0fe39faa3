import torch
from torch import nn


class SpectrumEncoder(nn.Module):
    """Three dense layers; the weights come from the bench instrument."""

    def __init__(self, bands: int, hidden: int, embed: int):
        super().__init__()
        self.fc1 = nn.Linear(bands, hidden)
        self.fc2 = nn.Linear(hidden, hidden)
        self.fc3 = nn.Linear(hidden, embed)

    def forward(self, x):
        x = torch.relu(self.fc1(x))
        x = torch.relu(self.fc2(x))
        return torch.relu(self.fc3(x))


class Calibration(nn.Module):
    def __init__(self, encoder: SpectrumEncoder, embed: int, targets: int):
        super().__init__()
        self.encoder = encoder
        self.head = nn.Linear(embed, targets)

    def forward(self, x):
        return self.head(self.encoder(x))


def build(cfg: dict) -> Calibration:
    encoder = SpectrumEncoder(cfg["bands"], cfg["hidden"], cfg["embed"])
    encoder.load_state_dict(torch.load(cfg["encoder"], map_location="cpu"))
    return Calibration(encoder, cfg["embed"], cfg["targets"])
