"""Sensor traces whose calibration depends on the operating condition of the machine."""
import torch

CONDITIONS = 5
CHANNELS = 10


def world(seed):
    g = torch.Generator().manual_seed(seed)
    gain = torch.randn(CONDITIONS, 4, generator=g)
    mix = torch.randn(CHANNELS, 4, generator=g) / CHANNELS ** 0.5
    return gain, mix


def draw(n, gen, truth):
    gain, mix = truth
    x = torch.randn(n, CHANNELS, generator=gen)
    load = torch.rand(n, 1, generator=gen) * 2 - 1
    k = torch.randint(CONDITIONS, (n,), generator=gen)
    latent = torch.tanh(x @ mix)
    y = (latent * (gain[k] * (1.0 + 0.5 * load))).sum(1) + 0.05 * torch.randn(n, generator=gen)
    context = torch.cat([torch.nn.functional.one_hot(k, CONDITIONS).float(), load], 1)
    return x, context, y
