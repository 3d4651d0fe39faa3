import torch
from sklearn.datasets import load_digits


def load():
    d = load_digits()
    x = torch.tensor(d.images / 16.0, dtype=torch.float32).unsqueeze(1)
    y = torch.tensor(d.target)
    order = torch.randperm(len(y), generator=torch.Generator().manual_seed(42))
    x, y = x[order], y[order]
    # first 700: source scanner, the rest: target scanner
    return (x[:700], y[:700]), (x[700:1400], y[700:1400]), (x[1400:], y[1400:])


def target_scanner(x, seed):
    """Faded, slightly blurred and noisy images of the second device."""
    g = torch.Generator().manual_seed(seed)
    blurred = torch.nn.functional.avg_pool2d(x, 3, stride=1, padding=1)
    mixed = 0.75 * (0.7 * x + 0.3 * blurred) + 0.1
    return mixed + 0.06 * torch.randn(x.shape, generator=g)
