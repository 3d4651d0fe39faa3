import torch


def sliced_distance(a, b, n_dirs=64):
    d = torch.randn(2, n_dirs)
    d = d / d.norm(dim=0)
    return ((a @ d).sort(dim=0).values - (b @ d).sort(dim=0).values).abs().mean().item()


def coverage(samples, data):
    dist = torch.cdist(samples, data.centers)
    near, which = dist.min(dim=1)
    good = near < 4 * data.std
    counts = torch.bincount(which[good], minlength=8)
    return int((counts > 0.02 * len(samples)).sum()), good.float().mean().item()
