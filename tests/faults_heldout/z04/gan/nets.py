from torch import nn


def mlp(sizes, act):
    layers = []
    for a, b in zip(sizes[:-2], sizes[1:-1]):
        layers += [nn.Linear(a, b), act()]
    layers.append(nn.Linear(sizes[-2], sizes[-1]))
    return nn.Sequential(*layers)


def generator(latent=8, width=96):
    return mlp([latent, width, width, 2], nn.ReLU)


def discriminator(width=96):
    return mlp([2, width, width, 1], lambda: nn.LeakyReLU(0.2))
