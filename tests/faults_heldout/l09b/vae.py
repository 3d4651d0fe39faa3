"""Small VAE over 8x8 digit images; the latent code feeds the anomaly scorer downstream."""
from configparser import ConfigParser
from pathlib import Path

import torch
from sklearn.datasets import load_digits
from torch import nn
from torch.distributions import Normal, kl_divergence

cfg = ConfigParser()
cfg.read(Path(__file__).with_name("vae.ini"))
SIGMA = cfg.getfloat("objective", "recon_sigma")


class VAE(nn.Module):
    def __init__(self, hidden, latent, act):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(64, hidden), act(), nn.Linear(hidden, hidden), act())
        self.mu, self.log_sigma = nn.Linear(hidden, latent), nn.Linear(hidden, latent)
        self.dec = nn.Sequential(nn.Linear(latent, hidden), act(), nn.Linear(hidden, hidden), act(), nn.Linear(hidden, 64))

    def forward(self, x):
        h = self.enc(x)
        q = Normal(self.mu(h), self.log_sigma(h).clamp(-6, 3).exp())
        z = q.rsample() if self.training else q.mean
        return self.dec(z), q


def terms(model, x):
    out, q = model(x)
    recon = ((out - x) / SIGMA).square().sum(1).mean() / 2
    kl = kl_divergence(q, Normal(0.0, 1.0)).sum(1).mean()
    return recon, kl, out


def main():
    o = cfg["objective"]
    torch.manual_seed(cfg.getint("data", "seed"))
    x = torch.tensor(load_digits().images / 16.0, dtype=torch.float32).flatten(1)
    x = x[torch.randperm(len(x))]
    k = int(len(x) * cfg.getfloat("data", "val_fraction"))
    xv, x = x[:k], x[k:]
    act = {"elu": nn.ELU, "relu": nn.ReLU}[cfg["model"]["activation"]]
    model = VAE(cfg.getint("model", "hidden"), cfg.getint("model", "latent"), act)
    opt = torch.optim.Adam(model.parameters(), lr=cfg.getfloat("optim", "lr"),
                           betas=(cfg.getfloat("optim", "beta1"), cfg.getfloat("optim", "beta2")))
    epochs, warm = cfg.getint("optim", "epochs"), o.getint("kl_warmup_epochs")
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, epochs)
    for ep in range(epochs):
        w_kl = o.getfloat("kl_weight") * min(1.0, (ep + 1) / max(1, warm))
        model.train()
        for idx in torch.randperm(len(x)).split(cfg.getint("optim", "batch_size")):
            recon, kl, _ = terms(model, x[idx])
            loss = o.getfloat("recon_weight") * recon + w_kl * kl
            opt.zero_grad()
            loss.backward()
            opt.step()
        sched.step()
        model.eval()
        with torch.no_grad():
            rv, kv, out = terms(model, xv)
            rmse = (out - xv).pow(2).mean().sqrt()
        if ep % 5 == 4 or ep == 0:
            print(f"epoch {ep + 1:3d} | held-out recon {rv:.3f} nats, kl {kv:.3f} nats, pixel rmse {rmse:.4f}")


if __name__ == "__main__":
    main()
