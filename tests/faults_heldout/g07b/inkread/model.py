import torch
from torch import nn


def make_encoder(n_in=64, width=96, code=48):
    return nn.Sequential(
        nn.Linear(n_in, width), nn.ReLU(),
        nn.Linear(width, width), nn.ReLU(),
        nn.Linear(width, code), nn.ReLU(),
    )


class Reader(nn.Module):
    """Encoder from the denoising stage plus a fresh classification layer."""

    def __init__(self, n_classes=10, code=48):
        super().__init__()
        self.encoder = make_encoder(code=code)
        self.classifier = nn.Linear(code, n_classes)

    def forward(self, x):
        return self.classifier(self.encoder(x))

    def load_encoder(self, path):
        state = torch.load(path, map_location="cpu", weights_only=True)
        self.encoder.load_state_dict(state["encoder"])
        return state.get("epoch")
