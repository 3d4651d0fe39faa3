import torch


def gaussian_nll(mean, log_var, target):
    """Negative log-likelihood of a diagonal Gaussian, constant dropped."""
    sq = (target - mean).pow(2)
    return 0.5 * (sq * torch.exp(-log_var) - log_var).mean()


def coverage(mean, log_var, target, z=1.645):
    half = z * torch.exp(0.5 * log_var)
    return ((target - mean).abs() <= half).float().mean().item()
