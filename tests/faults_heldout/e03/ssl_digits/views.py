import torch
import torch.nn.functional as F


class TwoViews:
    """Random affine warp + contrast + noise, drawn twice per image."""

    def __init__(self, rot=0.25, shift=0.18, scale=0.15, noise=0.08):
        self.rot, self.shift, self.scale, self.noise = rot, shift, scale, noise

    def one(self, x):
        n = x.size(0)
        a = (torch.rand(n) * 2 - 1) * self.rot
        s = 1 + (torch.rand(n) * 2 - 1) * self.scale
        t = (torch.rand(n, 2) * 2 - 1) * self.shift
        m = torch.stack([torch.stack([a.cos() * s, -a.sin() * s, t[:, 0]], 1),
                         torch.stack([a.sin() * s, a.cos() * s, t[:, 1]], 1)], 1)
        y = F.grid_sample(x, F.affine_grid(m, x.shape, align_corners=False), align_corners=False)
        gain = 0.7 + 0.6 * torch.rand(n, 1, 1, 1)
        return y * gain + self.noise * torch.randn_like(y)

    def __call__(self, x):
        return self.one(x), self.one(x)
