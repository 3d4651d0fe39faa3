import torch
from torch import nn
from torch.distributions import Normal


class Encoder(nn.Module):
    def __init__(self, d_in, d_hidden, d_latent):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(d_in, d_hidden), nn.ReLU(), nn.Linear(d_hidden, d_hidden), nn.ReLU())
        self.mu = nn.Linear(d_hidden, d_latent)
        self.log_sigma = nn.Linear(d_hidden, d_latent)

    def forward(self, x):
        h = self.net(x)
        return Normal(self.mu(h), self.log_sigma(h).exp())


class Decoder(nn.Module):
    def __init__(self, d_latent, d_hidden, d_out):
        super().__init__()
        self.net = nn.Sequential(
            nn.Linear(d_latent, d_hidden), nn.ReLU(),
            nn.Linear(d_hidden, d_hidden), nn.ReLU(),
            nn.Linear(d_hidden, d_out),
        )

    def forward(self, z):
        return self.net(z)


class VAE(nn.Module):
    def __init__(self, d_in=64, d_hidden=128, d_latent=8):
        super().__init__()
        self.encoder = Encoder(d_in, d_hidden, d_latent)
        self.decoder = Decoder(d_latent, d_hidden, d_in)

    def forward(self, x):
        q = self.encoder(x)
        z = q.sample()
        return self.decoder(z), q

    @torch.no_grad()
    def reconstruct(self, x):
        return torch.sigmoid(self.decoder(self.encoder(x).mean))
