from dataclasses import dataclass

import torch
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


@dataclass
class Config:
    latent: int = 8
    hidden: int = 128
    epochs: int = 40
    batch_size: int = 64
    lr: float = 2e-3
    kl_warmup_epochs: int = 10
    dropout: float = 0.1
    seed: int = 17


class Encoder(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.body = nn.Sequential(
            nn.Linear(64, cfg.hidden), nn.SiLU(), nn.Dropout(cfg.dropout),
            nn.Linear(cfg.hidden, cfg.hidden), nn.SiLU(),
        )
        self.mu = nn.Linear(cfg.hidden, cfg.latent)
        self.log_var = nn.Linear(cfg.hidden, cfg.latent)

    def forward(self, x):
        h = self.body(x)
        return self.mu(h), self.log_var(h).clamp(-8.0, 4.0)


class Decoder(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.body = nn.Sequential(
            nn.Linear(cfg.latent, cfg.hidden), nn.SiLU(),
            nn.Linear(cfg.hidden, cfg.hidden), nn.SiLU(), nn.Dropout(cfg.dropout),
            nn.Linear(cfg.hidden, 64),
        )
        # one noise level shared by all pixels
        self.log_sigma = nn.Parameter(torch.tensor(-1.3))

    def forward(self, z):
        return self.body(z)


class VAE(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.encoder, self.decoder = Encoder(cfg), Decoder(cfg)

    def forward(self, x):
        mu, log_var = self.encoder(x)
        z = mu + torch.randn_like(mu) * (0.5 * log_var).exp()
        mean = self.decoder(z)
        nll = -torch.distributions.Normal(mean, self.decoder.log_sigma.exp()).log_prob(x).sum(1)
        kl = 0.5 * (mu.pow(2) + log_var.exp() - 1.0 - log_var).sum(1)
        return nll.mean(), kl.mean()


class Trainer:
    def __init__(self, cfg):
        self.cfg = cfg
        torch.manual_seed(cfg.seed)
        images = load_digits().data.astype("float32") / 16.0
        train, val = train_test_split(images, test_size=300, random_state=cfg.seed)
        self.train_dl = DataLoader(TensorDataset(torch.from_numpy(train)), cfg.batch_size,
                                   shuffle=True, drop_last=True)
        self.val = torch.from_numpy(val)
        self.model = VAE(cfg)
        sigma = [self.model.decoder.log_sigma]
        weights = [p for n, p in self.model.named_parameters() if n != "decoder.log_sigma"]
        self.opt = torch.optim.Adam([{"params": weights}, {"params": sigma, "lr": 5 * cfg.lr}], lr=cfg.lr)
        self.sched = torch.optim.lr_scheduler.CosineAnnealingLR(
            self.opt, T_max=cfg.epochs * len(self.train_dl), eta_min=1e-5)

    def train_epoch(self, beta):
        self.model.train()
        tot_nll = tot_kl = 0.0
        for (x,) in self.train_dl:
            nll, kl = self.model(x)
            loss = nll + beta * kl
            self.opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(self.model.parameters(), 100.0)
            self.opt.step()
            self.sched.step()
            tot_nll += nll.item()
            tot_kl += kl.item()
        n = len(self.train_dl)
        return tot_nll / n, tot_kl / n

    @torch.no_grad()
    def validate(self, samples=4):
        self.model.eval()
        parts = [self.model(self.val) for _ in range(samples)]
        return sum(p[0].item() for p in parts) / samples, sum(p[1].item() for p in parts) / samples

    def fit(self):
        for epoch in range(1, self.cfg.epochs + 1):
            beta = min(1.0, epoch / self.cfg.kl_warmup_epochs)
            nll, kl = self.train_epoch(beta)
            if epoch % 5 == 0 or epoch == 1:
                v_nll, v_kl = self.validate()
                print(f"epoch {epoch:3d} beta {beta:.2f} | train -elbo {nll + kl:8.2f} (nll {nll:8.2f} kl {kl:6.2f})"
                      f" | val -elbo {v_nll + v_kl:8.2f} (nll {v_nll:8.2f} kl {v_kl:6.2f})")


if __name__ == "__main__":
    Trainer(Config()).fit()
