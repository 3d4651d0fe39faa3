import torch
from torch import nn
from torch.nn import functional as F


class MultVAE(nn.Module):
    def __init__(self, items, hid=200, latent=32, drop=0.65):
        super().__init__()
        self.drop = nn.Dropout(drop)
        self.enc = nn.Sequential(nn.Linear(items, hid), nn.Tanh(), nn.Linear(hid, 2 * latent))
        self.dec = nn.Sequential(nn.Linear(latent, hid), nn.Tanh(), nn.Linear(hid, items))

    def forward(self, x):
        h = self.drop(F.normalize(x, dim=1))
        mu, logvar = self.enc(h).chunk(2, 1)
        z = mu + torch.randn_like(mu) * (0.5 * logvar).exp() if self.training else mu
        return self.dec(z), mu, logvar


def objective(logits, x, mu, logvar, beta):
    rec = -(x * logits.log_softmax(1)).sum(1).mean()
    kl = 0.5 * (mu ** 2 + logvar.exp() - 1 - logvar).sum(1).mean()
    return rec + beta * kl, rec, kl
