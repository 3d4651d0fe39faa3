import torch


def sliced_distance(a, b, n=64):
    """Mean 1-d Wasserstein distance over random directions, equal sample sizes."""
    g = torch.Generator().manual_seed(0)
    d = torch.nn.functional.normalize(torch.randn(2, n, generator=g), dim=0)
    return ((a @ d).sort(0).values - (b @ d).sort(0).values).abs().mean().item()
