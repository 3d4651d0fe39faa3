import torch
from torch import nn


class GlyphEncoder(nn.Module):
    """8x8 crop -> embedding."""

    def __init__(self, dim=32):
        super().__init__()
        self.stem = nn.Sequential(nn.Conv2d(1, 24, 3, padding=1), nn.ReLU())
        self.block = nn.Sequential(nn.Conv2d(24, 48, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2))
        self.proj = nn.Sequential(nn.Flatten(), nn.Linear(48 * 16, dim))

    def forward(self, x):
        return self.proj(self.block(self.stem(x)))


class Compare(nn.Module):
    """Logit from the cosine of two embeddings, with learned slope and threshold."""

    def __init__(self):
        super().__init__()
        self.slope = nn.Parameter(torch.tensor(6.0))
        self.threshold = nn.Parameter(torch.tensor(0.5))

    def forward(self, a, b):
        return self.slope * (torch.cosine_similarity(a, b, dim=-1) - self.threshold)


class Verifier(nn.Module):
    """Do two crops show the same character?"""

    def __init__(self, dim=32):
        super().__init__()
        self.encoder = GlyphEncoder(dim)
        self.compare = Compare()

    def forward(self, pairs):
        left, right = self.encoder(pairs.flatten(0, 1)).unflatten(0, pairs.shape[:2]).unbind(1)
        return self.compare(left, right)


def load_pretrained(model, path):
    saved = torch.load(path, map_location="cpu", weights_only=True)
    model.load_state_dict(saved["state_dict"], strict=False)
    return saved.get("epoch")
