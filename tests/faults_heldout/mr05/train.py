import argparse

import torch

from data import digit_loaders
from elbo import negative_elbo
from vae import VAE


def parse():
    p = argparse.ArgumentParser(description="VAE on 8x8 digits")
    p.add_argument("--epochs", type=int, default=60)
    p.add_argument("--batch-size", type=int, default=50)
    p.add_argument("--latent", type=int, default=8)
    p.add_argument("--lr", type=float, default=1e-3)
    p.add_argument("--seed", type=int, default=8)
    return p.parse_args()


def main():
    args = parse()
    torch.manual_seed(args.seed)
    train_loader, val_loader = digit_loaders(args.batch_size, args.seed)
    model = VAE(d_latent=args.latent)
    optimizer = torch.optim.Adam(model.parameters(), lr=args.lr)

    for epoch in range(1, args.epochs + 1):
        model.train()
        sums = torch.zeros(3)
        for (x,) in train_loader:
            logits, q = model(x)
            loss, rec, kl = negative_elbo(logits, x, q)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            sums += torch.stack([loss.detach(), rec, kl]) * len(x)
        if epoch % 10 == 0 or epoch == 1:
            model.eval()
            (xv,) = next(iter(val_loader))
            mse = (model.reconstruct(xv) - xv).pow(2).mean().item()
            loss, rec, kl = (sums / len(train_loader.dataset)).tolist()
            print(f"epoch {epoch:3d}  -elbo {loss:7.3f}  rec {rec:7.3f}  kl {kl:6.3f}  val mse {mse:.4f}")


if __name__ == "__main__":
    main()
