from dataclasses import dataclass

import torch
from sklearn.datasets import load_digits
from torch.utils.data import DataLoader, TensorDataset

from losses import elbo_terms
from vae import VAE


@dataclass
class Cfg:
    seed: int = 2
    batch: int = 64
    epochs: int = 40
    lr: float = 2e-3
    kl_warmup: int = 8


def main(cfg=Cfg()):
    torch.manual_seed(cfg.seed)
    x = torch.tensor(load_digits().data, dtype=torch.float32) / 16
    x = x[torch.randperm(len(x))]
    train, test = x[:1450], x[1450:]
    loader = DataLoader(TensorDataset(train), cfg.batch, shuffle=True)
    model = VAE()
    opt = torch.optim.Adam(model.parameters(), lr=cfg.lr)
    for epoch in range(1, cfg.epochs + 1):
        beta = min(1.0, epoch / cfg.kl_warmup)
        model.train()
        tot_r = tot_k = 0.0
        for (b,) in loader:
            rec, kl = elbo_terms(b, *model(b))
            loss = rec + beta * kl
            opt.zero_grad()
            loss.backward()
            opt.step()
            tot_r += rec.item()
            tot_k += kl.item()
        if epoch % 5 == 0:
            model.eval()
            with torch.no_grad():
                out, mu, lv = model(test)
                rec, kl = elbo_terms(test, out, mu, lv)
                mse = (out - test).pow(2).mean()
            print(f"epoch {epoch} rec {tot_r / len(loader):.4f} kl {tot_k / len(loader):.4f} | "
                  f"test rec {rec.item():.4f} kl {kl.item():.4f} pixel mse {mse.item():.5f}")


if __name__ == "__main__":
    main()
