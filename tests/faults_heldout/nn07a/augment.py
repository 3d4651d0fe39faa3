import torch


class Augment:
    def __init__(self, hflip=0.0, max_shift=0, gain=0.0, noise=0.0):
        self.hflip, self.max_shift, self.gain, self.noise = hflip, max_shift, gain, noise

    def __call__(self, x):
        n = len(x)
        flip = torch.rand(n) < self.hflip
        x = torch.where(flip[:, None, None, None], x.flip(-1), x)
        if self.max_shift:
            dy, dx = torch.randint(-self.max_shift, self.max_shift + 1, (2,)).tolist()
            x = torch.roll(x, (dy, dx), dims=(2, 3))
        x = x * (1 + self.gain * (2 * torch.rand(n, 1, 1, 1) - 1))
        return x + self.noise * torch.randn_like(x)
