import json
from dataclasses import dataclass

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader


@dataclass
class Options:
    latent: int
    hidden: int
    epochs: int
    batch_size: int
    lr: float
    kl_weight: float
    recon_reduction: str


class DigitVAE(nn.Module):
    def __init__(self, opt: Options, pixels=64):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(pixels, opt.hidden), nn.SiLU(), nn.Linear(opt.hidden, opt.hidden), nn.SiLU())
        self.mu = nn.Linear(opt.hidden, opt.latent)
        self.logvar = nn.Linear(opt.hidden, opt.latent)
        self.dec = nn.Sequential(nn.Linear(opt.latent, opt.hidden), nn.SiLU(),
                                 nn.Linear(opt.hidden, opt.hidden), nn.SiLU(), nn.Linear(opt.hidden, pixels))

    def forward(self, x):
        h = self.enc(x)
        mu, logvar = self.mu(h), self.logvar(h)
        z = mu
        if self.training:
            z = mu + torch.randn_like(mu) * (0.5 * logvar).exp()
        return self.dec(z), mu, logvar


def objective(x, logits, mu, logvar, opt):
    bce = F.binary_cross_entropy_with_logits(logits, x, reduction="none")
    if opt.recon_reduction == "sum":
        recon = bce.sum(1).mean()
    else:
        recon = bce.mean()
    kl = -0.5 * (1 + logvar - mu.pow(2) - logvar.exp()).sum(1).mean()
    return recon + opt.kl_weight * kl, recon, kl


@torch.no_grad()
def pixel_error(model, x):
    model.eval()
    logits, _, _ = model(x)
    return F.mse_loss(torch.sigmoid(logits), x).item()


def main():
    opt = Options(**json.load(open("options.json")))
    torch.manual_seed(7)
    scans = torch.from_numpy(np.load("scans.npy").astype(np.float32)) / 16
    train, test = scans[:1500], scans[1500:]
    loader = DataLoader(train, batch_size=opt.batch_size, shuffle=True, drop_last=True)
    model = DigitVAE(opt)
    optim = torch.optim.Adam(model.parameters(), lr=opt.lr)
    for epoch in range(opt.epochs):
        model.train()
        sums = np.zeros(3)
        for x in loader:
            terms = objective(x, *model(x), opt)
            optim.zero_grad()
            terms[0].backward()
            optim.step()
            sums += [t.item() for t in terms]
        if (epoch + 1) % 5 == 0:
            loss, recon, kl = sums / len(loader)
            print(f"{epoch + 1:3d}  loss {loss:8.3f}  recon {recon:8.3f}  kl {kl:7.4f}  test pixel mse {pixel_error(model, test):.4f}")
    print("mean-image mse", round(F.mse_loss(train.mean(0).expand_as(test), test).item(), 4))


if __name__ == "__main__":
    main()
