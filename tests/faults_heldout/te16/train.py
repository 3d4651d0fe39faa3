"""Amount paid on a freight damage claim."""
import numpy as np
import pandas as pd
import torch
from torch import nn

N_CARRIERS = 500
SEED = 4


class ClaimNet(nn.Module):
    def __init__(self, n_num):
        super().__init__()
        self.carrier = nn.Embedding(N_CARRIERS, 6)
        self.body = nn.Sequential(nn.Linear(n_num + 6, 32), nn.ReLU(), nn.Linear(32, 32), nn.ReLU())
        self.loc = nn.Linear(32, 1)
        self.log_scale = nn.Parameter(torch.zeros(1))
        self.log_dof = nn.Parameter(torch.tensor([1.4]))

    def forward(self, num, carrier):
        loc = self.loc(self.body(torch.cat([num, self.carrier(carrier)], 1))).squeeze(1)
        return torch.distributions.StudentT(self.log_dof.exp() + 1.0, loc, self.log_scale.exp())


def load():
    df = pd.read_csv("data/claims.csv")
    num = np.stack([np.log(df["weight_kg"] + 1), np.log(df["declared_value"] + 1), df["distance_km"], df["fragile"]], 1)
    return (torch.tensor(num, dtype=torch.float32), torch.tensor(df["carrier"].to_numpy()),
            torch.tensor(df["paid"].to_numpy(), dtype=torch.float32))


def batches(n, size):
    yield from torch.randperm(n).split(size)


def main():
    torch.manual_seed(SEED)
    num, carrier, paid = load()
    k = 3000
    num = (num - num[:k].mean(0)) / num[:k].std(0)
    y = paid.clamp_min(0.01).log()
    m, s = y[:k].mean(), y[:k].std()
    y = (y - m) / s

    net = ClaimNet(num.shape[1])
    opt = torch.optim.AdamW(net.parameters(), lr=2e-3, weight_decay=1e-2)
    epochs = 30
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, epochs)
    for epoch in range(epochs):
        net.train()
        tot = 0.0
        for i in batches(k, 64):
            loss = -net(num[i], carrier[i]).log_prob(y[i]).mean()
            opt.zero_grad()
            loss.backward()
            opt.step()
            tot += loss.item() * len(i)
        sched.step()
        net.eval()
        with torch.no_grad():
            dist = net(num[k:], carrier[k:])
            nll = -dist.log_prob(y[k:]).mean().item()
            pred = (dist.loc * s + m).exp()
            log_mae = ((dist.loc - y[k:]) * s).abs().mean().item()
            rmse = (pred - paid[k:]).pow(2).mean().sqrt().item()
            mae = (pred - paid[k:]).abs().mean().item()
        if epoch % 3 == 2:
            print(f"epoch {epoch:2d} nll {tot / k:.4f} held-out nll {nll:.4f} | log mae {log_mae:.3f} "
                  f"| mae {mae:.0f} EUR rmse {rmse:.0f} EUR")
    print(f"median paid {paid[k:].median():.0f} EUR, mean paid {paid[k:].mean():.0f} EUR")


if __name__ == "__main__":
    main()
