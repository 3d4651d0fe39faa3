import torch
from torch import nn
from torch.distributions import Normal


class Encoder(nn.Module):
    def __init__(self, n_in, n_hidden, n_latent):
        super().__init__()
        self.body = nn.Sequential(
            nn.Linear(n_in, n_hidden), nn.SiLU(),
            nn.Linear(n_hidden, n_hidden), nn.SiLU(),
        )
        self.loc = nn.Linear(n_hidden, n_latent)
        self.log_scale = nn.Linear(n_hidden, n_latent)

    def forward(self, x):
        h = self.body(x)
        return Normal(self.loc(h), self.log_scale(h).clamp(-6, 3).exp())


class Decoder(nn.Module):
    def __init__(self, n_out, n_hidden, n_latent):
        super().__init__()
        self.body = nn.Sequential(
            nn.Linear(n_latent, n_hidden), nn.SiLU(),
            nn.Linear(n_hidden, n_hidden), nn.SiLU(),
            nn.Linear(n_hidden, n_out),
        )

    def forward(self, z):
        return self.body(z)


class DigitVAE(nn.Module):
    def __init__(self, n_in=64, n_hidden=128, n_latent=8):
        super().__init__()
        self.enc = Encoder(n_in, n_hidden, n_latent)
        self.dec = Decoder(n_in, n_hidden, n_latent)

    def forward(self, x):
        q = self.enc(x)
        z = q.sample()
        return self.dec(z), q
