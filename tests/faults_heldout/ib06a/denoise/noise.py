import torch

SIGMA_DATA = 0.5


def perturb(x, gen=None, p_mean=-0.8, p_std=1.0):
    sigma = (torch.randn(len(x), 1, generator=gen) * p_std + p_mean).exp()
    return x + sigma * torch.randn(x.shape, generator=gen), sigma


def weighting(sigma):
    return (sigma ** 2 + SIGMA_DATA ** 2) / (sigma * SIGMA_DATA) ** 2
