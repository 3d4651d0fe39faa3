import argparse
from pathlib import Path

import numpy as np
import torch
from sklearn.datasets import load_digits
from torch.utils.data import DataLoader, TensorDataset, random_split

from state import resume, save
from vae import DigitVAE, elbo_terms

HERE = Path(__file__).parent


def parse():
    p = argparse.ArgumentParser()
    p.add_argument("--epochs", type=int, default=60)
    p.add_argument("--stop-after", type=int, default=None)
    p.add_argument("--beta-epochs", type=int, default=8)
    p.add_argument("--lr", type=float, default=3e-3)
    p.add_argument("--batch", type=int, default=64)
    p.add_argument("--resume", default=str(HERE / "last.pt"))
    p.add_argument("--save", default=None)
    p.add_argument("--seed", type=int, default=19)
    return p.parse_args()


@torch.no_grad()
def validate(model, loader):
    model.eval()
    rec_sum = kl_sum = n = 0
    for (x,) in loader:
        logits, mu, log_var = model(x)
        rec, kl = elbo_terms(logits, x, mu, log_var)
        rec_sum += rec.sum().item()
        kl_sum += kl.sum().item()
        n += len(x)
    model.train()
    return rec_sum / n, kl_sum / n


def main():
    args = parse()
    pixels = torch.from_numpy((load_digits().data / 16.0).astype(np.float32))
    train, val = random_split(TensorDataset(pixels), [1500, 297], generator=torch.Generator().manual_seed(0))
    torch.manual_seed(args.seed)
    train_loader = DataLoader(train, args.batch, shuffle=True)
    val_loader = DataLoader(val, 297)

    model = DigitVAE()
    optimizer = torch.optim.Adam(model.parameters(), lr=args.lr)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, args.epochs, eta_min=1e-4)
    start, best = resume(args.resume, model, optimizer, scheduler)

    for epoch in range(start, args.epochs if args.stop_after is None else args.stop_after):
        beta = min(1.0, (epoch + 1) / args.beta_epochs)
        model.train()
        total = 0.0
        for (x,) in train_loader:
            logits, mu, log_var = model(x)
            rec, kl = elbo_terms(logits, x, mu, log_var)
            loss = (rec + beta * kl).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss.item() * len(x)
        scheduler.step()
        rec, kl = validate(model, val_loader)
        best = min(best, rec + kl)
        if (epoch + 1) % 5 == 0:
            print(f"epoch {epoch + 1:3d} beta {beta:.2f} loss {total / len(train):.3f} "
                  f"val -elbo {rec + kl:.3f} (rec {rec:.3f} kl {kl:.3f}) best {best:.3f} lr {scheduler.get_last_lr()[0]:.1e}")
        if args.save:
            save(args.save, epoch + 1, model, optimizer, scheduler, best)


if __name__ == "__main__":
    main()
