import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits
from torch import nn


def load_data():
    """1200 scans without labels, 100 with labels, the rest for testing."""
    x, y = load_digits(return_X_y=True)
    x = torch.tensor(x, dtype=torch.float32).view(-1, 1, 8, 8) / 16 - 0.3
    y = torch.tensor(y)
    p = torch.randperm(len(x), generator=torch.Generator().manual_seed(0))
    return {"unlabelled": x[p[:1200]], "labelled": (x[p[1200:1300]], y[p[1200:1300]]),
            "test": (x[p[1300:]], y[p[1300:]])}


def view(x):
    """Random small rotation, scale, shear and shift, then contrast and noise."""
    n = len(x)
    angle = (torch.rand(n) - 0.5) * 0.6
    scale = 1 + (torch.rand(n) - 0.5) * 0.3
    theta = torch.zeros(n, 2, 3)
    theta[:, 0, 0] = theta[:, 1, 1] = torch.cos(angle) * scale
    theta[:, 0, 1] = -torch.sin(angle) * scale + (torch.rand(n) - 0.5) * 0.3
    theta[:, 1, 0] = torch.sin(angle) * scale
    theta[:, :, 2] = (torch.rand(n, 2) - 0.5) * 0.4
    x = F.grid_sample(x + 0.3, F.affine_grid(theta, x.shape, align_corners=False), align_corners=False) - 0.3
    return x * (0.8 + 0.4 * torch.rand(n, 1, 1, 1)) + 0.05 * torch.randn_like(x)


def two_views(x):
    return view(x), view(x)


class Encoder(nn.Module):
    def __init__(self, w=24):
        super().__init__()
        self.net = nn.Sequential(
            nn.Conv2d(1, w, 3, padding=1), nn.BatchNorm2d(w), nn.ReLU(),
            nn.Conv2d(w, 2 * w, 3, stride=2, padding=1), nn.BatchNorm2d(2 * w), nn.ReLU(),
            nn.Conv2d(2 * w, 3 * w, 3, stride=2, padding=1), nn.BatchNorm2d(3 * w), nn.ReLU(), nn.Flatten())
        self.dim = 3 * w * 4

    def forward(self, x):
        return self.net(x)


class Projector(nn.Sequential):
    def __init__(self, d_in=288, d=64):
        super().__init__(nn.Linear(d_in, d), nn.ReLU(), nn.Linear(d, d))
