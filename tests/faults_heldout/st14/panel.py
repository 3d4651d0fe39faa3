import torch

N_SENSORS = 80
INFORMATIVE = 6


def nose(n, seed):
    """Electronic nose: resistive sensors answer to four gases; most of the array sees only humidity."""
    g = torch.Generator().manual_seed(seed)
    world = torch.Generator().manual_seed(404)
    where = torch.randperm(N_SENSORS, generator=world)[:INFORMATIVE]
    pattern = torch.randn(4, INFORMATIVE, generator=world)
    y = torch.randint(4, (n,), generator=g)
    level = 0.8 + 0.6 * torch.rand(n, 1, generator=g)
    humid = torch.randn(n, 3, generator=g) @ torch.randn(3, N_SENSORS, generator=world)
    x = 0.5 * humid + torch.randn(n, N_SENSORS, generator=g)
    x[:, where] = 0.25 * x[:, where] + 1.5 * level * pattern[y] + 0.7 * torch.randn(n, INFORMATIVE, generator=g)
    return x, y
