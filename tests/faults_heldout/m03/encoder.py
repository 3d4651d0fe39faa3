import torch
import torch.nn as nn


class DigitEncoder(nn.Module):
    """Small conv encoder; used for the pair model and for the nearest-neighbour export."""

    def __init__(self, width=12, dim=6):
        super().__init__()
        self.conv1 = nn.Conv2d(1, width, 3, padding=1)
        self.conv2 = nn.Conv2d(width, 2 * width, 3, padding=1)
        self.pool = nn.MaxPool2d(2)
        self.proj = nn.Linear(2 * width * 4, dim)
        self.act = nn.ReLU()

    @torch.no_grad()
    def embed(self, img):
        h = self.pool(self.act(self.conv1(img)))
        h = self.pool(self.act(self.conv2(h)))
        return self.proj(h.flatten(1))

    def export(self, images, batch=512):
        return torch.cat([self.embed(b) for b in images.split(batch)]).detach().numpy()


class PairSum(nn.Module):
    def __init__(self, encoder, dim=6):
        super().__init__()
        self.encoder = encoder
        self.head = nn.Sequential(nn.Linear(2 * dim, 64), nn.ReLU(), nn.Linear(64, 19))

    def forward(self, a, b):
        return self.head(torch.cat([self.encoder.embed(a), self.encoder.embed(b)], dim=1))
