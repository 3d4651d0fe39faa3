import argparse
import json
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.distributions import Normal, kl_divergence
from torch.utils.data import DataLoader, TensorDataset
from sklearn.datasets import load_digits

HERE = Path(__file__).parent


class VAE(nn.Module):
    def __init__(self, d_in=64, hidden=128, latent=8):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(d_in, hidden), nn.SiLU(), nn.Linear(hidden, hidden), nn.SiLU())
        self.mu = nn.Linear(hidden, latent)
        self.log_sigma = nn.Linear(hidden, latent)
        self.decoder = nn.Sequential(nn.Linear(latent, hidden), nn.SiLU(), nn.Linear(hidden, hidden), nn.SiLU(),
                                     nn.Linear(hidden, d_in))
        self.log_noise = nn.Parameter(torch.tensor(-1.0))
        self.register_buffer("zero", torch.zeros(latent))
        self.register_buffer("one", torch.ones(latent))

    def posterior(self, x):
        h = self.trunk(x)
        return Normal(self.mu(h), self.log_sigma(h).clamp(-6, 3).exp())

    def log_likelihood(self, mean, x):
        return Normal(mean, self.log_noise.exp()).log_prob(x).sum(-1)

    def forward(self, x):
        q = self.posterior(x)
        rec = -self.log_likelihood(self.decoder(q.rsample()), x)
        kl = kl_divergence(q, Normal(self.zero, self.one)).sum(1)
        return rec, kl

    @torch.no_grad()
    def iwae_bound(self, x, k=32):
        q = self.posterior(x)
        z = q.rsample((k,))
        logpx = self.log_likelihood(self.decoder(z), x)
        logw = logpx + Normal(self.zero, self.one).log_prob(z).sum(-1) - q.log_prob(z).sum(-1)
        return (torch.logsumexp(logw, 0) - np.log(k)).mean().item()


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--epochs", type=int, default=60)
    ap.add_argument("--batch-size", type=int, default=64)
    ap.add_argument("--lr", type=float, default=2e-3)
    ap.add_argument("--warm-epochs", type=int, default=15)
    ap.add_argument("--seed", type=int, default=42)
    args = ap.parse_args()
    torch.manual_seed(args.seed)

    x = torch.tensor(load_digits().data / 16.0, dtype=torch.float32)
    perm = torch.randperm(len(x), generator=torch.Generator().manual_seed(args.seed))
    train, val = x[perm[:1450]], x[perm[1450:]]
    loader = DataLoader(TensorDataset(train), batch_size=args.batch_size, shuffle=True, drop_last=True)

    centre, spread = train.mean(0), (train - train.mean(0)).pow(2).mean().sqrt()
    base = -Normal(centre, spread).log_prob(val).sum(1).mean().item()
    print(f"mean-image baseline: {base:.2f} nats")

    model = VAE()
    opt = torch.optim.Adam(model.parameters(), lr=args.lr)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, T_max=args.epochs)
    history = []
    for ep in range(args.epochs):
        beta = min(1.0, (ep + 1) / args.warm_epochs)
        model.train()
        s_rec = s_kl = n = 0
        for (xb,) in loader:
            rec, kl = model(xb)
            loss = (rec + beta * kl).mean()
            opt.zero_grad()
            loss.backward()
            opt.step()
            s_rec += rec.sum().item()
            s_kl += kl.sum().item()
            n += len(xb)
        sched.step()
        model.eval()
        with torch.no_grad():
            rec, kl = model(val)
        history.append(dict(epoch=ep, beta=beta, rec=s_rec / n, kl=s_kl / n,
                            val_nelbo=(rec + kl).mean().item()))
        if ep % 6 == 0 or ep == args.epochs - 1:
            h = history[-1]
            print(f"ep {ep:02d} beta {beta:.2f} rec {h['rec']:.2f} kl {h['kl']:.2f} "
                  f"train -ELBO {h['rec'] + h['kl']:.2f} val -ELBO {h['val_nelbo']:.2f}")
    print(f"val log-likelihood (IWAE-32): {model.iwae_bound(val):.2f}")
    (HERE / "history.json").write_text(json.dumps(history))


if __name__ == "__main__":
    main()
