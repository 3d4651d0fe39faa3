import torch


def rotate(x, max_deg=180.0):
    """random rotation of the sensor frame about a random axis"""
    axis = torch.nn.functional.normalize(torch.randn(len(x), 3), dim=1)
    ang = torch.deg2rad(torch.empty(len(x)).uniform_(-max_deg, max_deg))
    k = torch.zeros(len(x), 3, 3)
    k[:, 0, 1], k[:, 0, 2], k[:, 1, 2] = -axis[:, 2], axis[:, 1], -axis[:, 0]
    k = k - k.transpose(1, 2)
    r = torch.eye(3) + ang.sin()[:, None, None] * k + (1 - ang.cos())[:, None, None] * (k @ k)
    return r @ x


def shift(x):
    s = torch.randint(0, x.shape[-1], (len(x), 1, 1))
    idx = (torch.arange(x.shape[-1]) + s) % x.shape[-1]
    return x.gather(2, idx.expand(-1, x.shape[1], -1))


def view(x):
    x = shift(rotate(x))
    x = x * torch.empty(len(x), 1, 1).uniform_(0.85, 1.2)
    return x + 0.05 * torch.randn_like(x)
