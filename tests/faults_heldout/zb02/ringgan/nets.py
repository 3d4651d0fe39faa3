import torch.nn as nn


def mlp(sizes, act):
    mods = []
    for i in range(len(sizes) - 1):
        mods.append(nn.Linear(sizes[i], sizes[i + 1]))
        if i < len(sizes) - 2:
            mods.append(act())
    return nn.Sequential(*mods)


class Generator(nn.Module):
    def __init__(self, latent=8, hidden=96):
        super().__init__()
        self.latent = latent
        self.net = mlp([latent, hidden, hidden, 2], nn.ReLU)

    def forward(self, z):
        return self.net(z)


class Critic(nn.Module):
    def __init__(self, hidden=96):
        super().__init__()
        self.net = mlp([2, hidden, hidden, 1], lambda: nn.LeakyReLU(0.2))

    def forward(self, x):
        return self.net(x).squeeze(-1)
