import configparser
import random

import numpy as np
import torch
from sklearn.metrics import roc_auc_score
from torch import nn

import features


class Renewal(nn.Module):
    def __init__(self, n_in, hidden, dropout):
        super().__init__()
        dims = [n_in, *hidden]
        layers = []
        for a, b in zip(dims, dims[1:]):
            layers += [nn.Linear(a, b), nn.SiLU(), nn.Dropout(dropout)]
        self.trunk = nn.Sequential(*layers)
        self.out = nn.Linear(dims[-1], 1)

    def forward(self, x):
        return self.out(self.trunk(x)).squeeze(-1)


def batches(n, size, rng):
    order = rng.permutation(n)
    for i in range(0, n, size):
        yield torch.from_numpy(order[i:i + size])


def main():
    cp = configparser.ConfigParser()
    cp.read("renewal.ini")
    run, net = cp["run"], cp["net"]
    seed = run.getint("seed")
    random.seed(seed)
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)

    table, renewed = features.load(cp["data"]["events"], cp["data"]["accounts"])
    perm = rng.permutation(len(table))
    n_val = len(perm) // 4
    val, tr = perm[:n_val], perm[n_val:]
    mean, std = table[tr].mean(0), table[tr].std(0)
    x = torch.from_numpy((table - mean) / std)
    y = torch.from_numpy(renewed)
    xt, yt, xv, yv = x[tr], y[tr], x[val], y[val]

    model = Renewal(x.shape[1], [int(h) for h in net["hidden"].split()], net.getfloat("dropout"))
    optimizer = torch.optim.AdamW(model.parameters(), lr=run.getfloat("lr"), weight_decay=run.getfloat("weight_decay"))
    criterion = nn.BCEWithLogitsLoss()

    for epoch in range(1, run.getint("epochs") + 1):
        model.train()
        losses = []
        for rows in batches(len(xt), run.getint("batch"), rng):
            loss = criterion(model(xt[rows]), yt[rows])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
        if epoch % 5 == 0:
            model.eval()
            with torch.no_grad():
                logit = model(xv)
            print("epoch %3d  loss %.4f  val loss %.4f  val auc %.3f"
                  % (epoch, np.mean(losses), criterion(logit, yv).item(), roc_auc_score(yv, logit)))


if __name__ == "__main__":
    main()
