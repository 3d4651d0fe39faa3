import torch.nn as nn


def mlp(sizes, act):
    layers = []
    for i, (a, b) in enumerate(zip(sizes, sizes[1:])):
        layers.append(nn.Linear(a, b))
        if i < len(sizes) - 2:
            layers.append(act())
    return nn.Sequential(*layers)


def generator(noise, width):
    return mlp([noise, width, width, 2], nn.ReLU)


def discriminator(width):
    return mlp([2, width, width, 1], lambda: nn.LeakyReLU(0.2))
