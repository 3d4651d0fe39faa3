"""Poisson regression of hourly visits; the trunk was trained on last year's table."""
import argparse
import os

import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

from data import load_counts
from networks import CountModel, Trunk

HERE = os.path.dirname(os.path.abspath(__file__))


def deviance(log_rate, y):
    mu = log_rate.exp()
    return 2 * (torch.xlogy(y, y / mu) - (y - mu)).mean().item()


def main(a):
    torch.manual_seed(a.seed)
    (x, y), (xt, yt) = load_counts(os.path.join(HERE, "visits.csv"), a.n_train)
    trunk = Trunk(x.shape[1])
    trunk.load_state_dict(torch.load(os.path.join(HERE, "trunk_2023.pt"), weights_only=True))
    model = CountModel(trunk)
    with torch.no_grad():
        model.log_rate.bias.fill_(y.mean().log())
    opt = torch.optim.Adam(model.parameters(), lr=a.lr)
    loader = DataLoader(TensorDataset(x, y), batch_size=a.batch, shuffle=True)
    null_dev = deviance(y.mean().log().expand(len(yt)), yt)
    for epoch in range(a.epochs):
        model.train()
        s = 0.0
        for xb, yb in loader:
            loss = F.poisson_nll_loss(model(xb), yb, log_input=True)
            opt.zero_grad()
            loss.backward()
            opt.step()
            s += loss.item() * len(yb)
        model.eval()
        with torch.no_grad():
            dev = deviance(model(xt), yt)
        print("epoch {:2d} | nll {:.4f} | test deviance {:.3f} | explained {:.1%}".format(
            epoch, s / len(x), dev, 1 - dev / null_dev))


if __name__ == "__main__":
    p = argparse.ArgumentParser()
    p.add_argument("--lr", type=float, default=1e-3)
    p.add_argument("--batch", type=int, default=64)
    p.add_argument("--epochs", type=int, default=12)
    p.add_argument("--n-train", type=int, default=2400)
    p.add_argument("--seed", type=int, default=1)
    main(p.parse_args())
