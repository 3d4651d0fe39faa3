import argparse

import torch
from sklearn.datasets import load_digits
from torch.utils.data import DataLoader, random_split

from objective import elbo_loss
from vae import DigitVAE


def get_data(batch_size, seed):
    images = torch.tensor(load_digits().data, dtype=torch.float32) / 16
    gen = torch.Generator().manual_seed(seed)
    train, test = random_split(images, [1500, len(images) - 1500], generator=gen)
    return DataLoader(train, batch_size, shuffle=True), DataLoader(test, len(test))


def train_epoch(model, loader, opt):
    model.train()
    sums = [0.0, 0.0, 0.0]
    for x in loader:
        logits, mu, logvar = model(x)
        parts = elbo_loss(logits, x, mu, logvar)
        opt.zero_grad()
        parts[0].backward()
        opt.step()
        sums = [s + p.item() for s, p in zip(sums, parts)]
    return [s / len(loader) for s in sums]


@torch.no_grad()
def reconstruction_error(model, loader):
    model.eval()
    x = next(iter(loader))
    return (torch.sigmoid(model(x)[0]) - x).pow(2).mean().item()


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--epochs", type=int, default=40)
    ap.add_argument("--batch-size", type=int, default=64)
    ap.add_argument("--lr", type=float, default=2e-3)
    ap.add_argument("--seed", type=int, default=9)
    a = ap.parse_args()
    torch.manual_seed(a.seed)
    train, test = get_data(a.batch_size, a.seed)
    model = DigitVAE()
    opt = torch.optim.Adam(model.parameters(), lr=a.lr)
    for ep in range(a.epochs):
        total, recon, kl = train_epoch(model, train, opt)
        if (ep + 1) % 8 == 0:
            print(f"epoch {ep + 1}  total {total:.4f}  recon {recon:.4f}  kl {kl:.4f}  "
                  f"test mse {reconstruction_error(model, test):.4f}")


if __name__ == "__main__":
    main()
