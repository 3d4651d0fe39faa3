"""Predicts how a crowd would spread its one to five stars over a photo."""
import argparse

import pandas as pd
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

STARS = torch.arange(1, 6, dtype=torch.float32)


def load(path):
    df = pd.read_csv(path)
    votes = torch.tensor(df.filter(like="stars_").to_numpy(), dtype=torch.float32)
    feats = torch.tensor(df.drop(columns=df.filter(like="stars_").columns).to_numpy(), dtype=torch.float32)
    return feats, votes / votes.sum(1, keepdim=True)


class StarModel(nn.Module):
    def __init__(self, n_in, width=48):
        super().__init__()
        self.layers = nn.Sequential(
            nn.Linear(n_in, width), nn.ReLU(),
            nn.Linear(width, width), nn.ReLU(),
            nn.Linear(width, 5),
        )

    def forward(self, x):
        return torch.softmax(self.layers(x), dim=1)


@torch.no_grad()
def report(model, x, votes):
    model.eval()
    p = model(x)
    gap = (p.cumsum(1) - votes.cumsum(1)).abs().sum(1).mean().item()
    mean_err = ((p @ STARS) - (votes @ STARS)).abs().mean().item()
    return gap, mean_err


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--csv", default="photo_ratings.csv")
    ap.add_argument("--epochs", type=int, default=30)
    ap.add_argument("--lr", type=float, default=3e-3)
    ap.add_argument("--seed", type=int, default=9)
    args = ap.parse_args()
    torch.manual_seed(args.seed)

    x, votes = load(args.csv)
    order = torch.randperm(len(x))
    cut = int(0.75 * len(x))
    tr, te = order[:cut], order[cut:]
    x = (x - x[tr].mean(0)) / x[tr].std(0)
    loader = DataLoader(TensorDataset(x[tr], votes[tr]), batch_size=32, shuffle=True)

    model = StarModel(x.shape[1])
    criterion = nn.KLDivLoss(reduction="batchmean")
    opt = torch.optim.AdamW(model.parameters(), lr=args.lr, weight_decay=0.01)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, args.epochs)
    for epoch in range(1, args.epochs + 1):
        model.train()
        total = 0.0
        for xb, vb in loader:
            opt.zero_grad()
            loss = criterion(model(xb), vb)
            loss.backward()
            opt.step()
            total += loss.item() * len(xb)
        sched.step()
        if epoch % 3 == 0:
            gap, err = report(model, x[te], votes[te])
            print(f"{epoch:3d}  loss {total / cut:.4f}  test: histogram distance {gap:.3f}  mean-star error {err:.3f}")


if __name__ == "__main__":
    main()
