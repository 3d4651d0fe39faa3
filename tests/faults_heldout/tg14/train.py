import argparse

import numpy as np
import pandas as pd
import torch
from sklearn.model_selection import train_test_split
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

NUMERIC = ["log_area", "rooms", "built", "km_to_centre", "floor", "garden", "asking_markup"]


class ListingNet(nn.Module):
    """Price in thousand euro and the chance of a quick sale. Each task carries its own log-variance weight."""

    def __init__(self, n_in, price_mean, price_std):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(n_in, 64), nn.SiLU(), nn.Linear(64, 64), nn.SiLU())
        self.price = nn.Linear(64, 1)
        self.quick = nn.Linear(64, 1)
        self.register_buffer("mean", torch.tensor(price_mean))
        self.register_buffer("std", torch.tensor(price_std))
        self.log_var = nn.Parameter(torch.tensor(2 * np.log(price_std), dtype=torch.float32))

    def forward(self, x):
        z = self.trunk(x)
        return self.mean + self.std * self.price(z).squeeze(1), self.quick(z).squeeze(1)


def run(args):
    torch.manual_seed(args.seed)
    df = pd.read_csv(args.csv)
    df["log_area"] = np.log(df.area_m2)
    tr, te = train_test_split(df, test_size=0.2, random_state=args.seed)
    mu, sd = tr[NUMERIC].mean(), tr[NUMERIC].std()

    def tensors(d):
        return (torch.tensor(((d[NUMERIC] - mu) / sd).to_numpy(), dtype=torch.float32),
                torch.tensor(d.price_eur.to_numpy() / 1000.0, dtype=torch.float32),
                torch.tensor(d.sold_in_30d.to_numpy(), dtype=torch.float32))

    train, test = tensors(tr), tensors(te)
    net = ListingNet(len(NUMERIC), train[1].mean().item(), train[1].std().item())
    weights = [p for n, p in net.named_parameters() if n != "log_var"]
    opt = torch.optim.AdamW([{"params": weights, "weight_decay": 0.01},
                             {"params": [net.log_var], "lr": 10 * args.lr, "weight_decay": 0.0}], lr=args.lr)
    loader = DataLoader(TensorDataset(*train), batch_size=64, shuffle=True)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, args.epochs * len(loader))
    mse, bce = nn.MSELoss(), nn.BCEWithLogitsLoss()

    for epoch in range(1, args.epochs + 1):
        net.train()
        sums = np.zeros(2)
        clipped = 0
        for x, price, quick in loader:
            p, q = net(x)
            l_price, l_quick = mse(p, price), bce(q, quick)
            loss = 0.5 * torch.exp(-net.log_var) * l_price + 0.5 * net.log_var + l_quick
            opt.zero_grad()
            loss.backward()
            clipped += (nn.utils.clip_grad_norm_(net.parameters(), args.clip) > args.clip).item()
            opt.step()
            sched.step()
            sums += [l_price.item(), l_quick.item()]
        if epoch % 5 == 0:
            net.eval()
            with torch.no_grad():
                p, q = net(test[0])
            mae = (p - test[1]).abs().mean().item()
            acc = ((q > 0).float() == test[2]).float().mean().item()
            print(f"epoch {epoch:3d} price mse {sums[0] / len(loader):9.1f} quick bce {sums[1] / len(loader):.3f} "
                  f"clipped {clipped / len(loader):.0%} | test price MAE {mae:.1f}k quick-sale acc {acc:.3f} "
                  f"bce {bce(q, test[2]).item():.3f}")


if __name__ == "__main__":
    ap = argparse.ArgumentParser()
    ap.add_argument("--csv", default="listings.csv")
    ap.add_argument("--epochs", type=int, default=40)
    ap.add_argument("--lr", type=float, default=3e-3)
    ap.add_argument("--clip", type=float, default=2.0)
    ap.add_argument("--seed", type=int, default=27)
    run(ap.parse_args())
