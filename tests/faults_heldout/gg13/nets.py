import torch
from torch import nn
from torch.nn.utils.parametrizations import spectral_norm


def generator(z=8, h=64):
    return nn.Sequential(nn.Linear(z, h), nn.LeakyReLU(0.2), nn.Linear(h, h), nn.LeakyReLU(0.2),
                         nn.Linear(h, h), nn.LeakyReLU(0.2), nn.Linear(h, 2))


class Critic(nn.Module):
    def __init__(self, h=64):
        super().__init__()
        self.lift = nn.Linear(2, 32)
        self.body = nn.Sequential(
            spectral_norm(nn.Linear(66, h)), nn.LeakyReLU(0.2),
            spectral_norm(nn.Linear(h, h)), nn.LeakyReLU(0.2))
        self.out = spectral_norm(nn.Linear(h, 1))
        nn.init.normal_(self.lift.weight, std=2.0)
        for p in self.lift.parameters():
            p.requires_grad_(False)

    def forward(self, x):
        a = self.lift(x)
        return self.out(self.body(torch.cat([x, a.sin(), a.cos()], 1)) * 4).squeeze(1)
