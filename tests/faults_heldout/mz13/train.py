import argparse

import torch
from sklearn.datasets import load_digits
from torch.utils.data import DataLoader

from vae import DigitVAE, ELBOLoss


def get_args():
    p = argparse.ArgumentParser(description="compress scanned digits to a few numbers")
    p.add_argument("--epochs", type=int, default=60)
    p.add_argument("--lr", type=float, default=2e-3)
    p.add_argument("--batch-size", type=int, default=32)
    p.add_argument("--seed", type=int, default=4)
    return p.parse_args()


def main(args):
    torch.manual_seed(args.seed)
    x = torch.tensor(load_digits().data / 16.0, dtype=torch.float32)
    x = x[torch.randperm(len(x), generator=torch.Generator().manual_seed(0))]
    train, val = x[:1400], x[1400:]
    loader = DataLoader(train, batch_size=args.batch_size, shuffle=True)
    print(f"pixel mse of the mean image {(val - train.mean(0)).pow(2).mean():.4f}")

    model, criterion = DigitVAE(), ELBOLoss()
    optimizer = torch.optim.Adam(model.parameters(), lr=args.lr)
    for epoch in range(1, args.epochs + 1):
        model.train()
        criterion.train()
        sums = torch.zeros(3)
        for xb in loader:
            logits, mu, log_var = model(xb)
            loss, recon, kl = criterion(logits, xb, mu, log_var)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            sums += torch.stack([loss.detach(), recon, kl])
        if epoch % 5 == 0 or epoch == 1:
            model.eval()
            criterion.eval()
            with torch.no_grad():
                logits, mu, log_var = model(val)
                v, _, _ = criterion(logits, val, mu, log_var)
                mse = (torch.sigmoid(logits) - val).pow(2).mean()
            l, r, k = (sums / len(loader)).tolist()
            print(f"epoch {epoch:2d}  loss {l:.4f} (recon {r:.4f}, kl {k:.4f})  val {v:.4f}  val pixel mse {mse:.4f}")


if __name__ == "__main__":
    main(get_args())
