from torch import nn


def mlp(n_in, width, depth, n_out, act):
    mods = []
    for _ in range(depth):
        mods += [nn.Linear(n_in, width), act()]
        n_in = width
    return nn.Sequential(*mods, nn.Linear(n_in, n_out))


def generator(latent, width):
    return mlp(latent, width, 2, 2, nn.SiLU)


def critic(width):
    return mlp(2, width, 2, 1, lambda: nn.LeakyReLU(0.2))
