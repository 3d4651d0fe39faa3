"""DeepSurv-style Cox model: neural log-risk, Breslow partial likelihood, early stopping."""
import os

import numpy as np
import torch
from torch import nn


def cox_loss(log_risk, time, event):
    order = torch.argsort(time, descending=True)
    log_risk, event = log_risk[order], event[order]
    log_cum = torch.logcumsumexp(log_risk, dim=0)
    return -((log_risk - log_cum) * event).sum() / event.sum().clamp(min=1)


def c_index(log_risk, time, event):
    r, t, e = (np.asarray(a) for a in (log_risk, time, event))
    comparable = (t[:, None] < t[None, :]) & (e[:, None] == 1)
    conc = (r[:, None] > r[None, :]) + 0.5 * (r[:, None] == r[None, :])
    return (conc * comparable).sum() / comparable.sum()


class EarlyStop:
    def __init__(self, patience):
        self.patience, self.best, self.bad, self.state = patience, -np.inf, 0, None

    def update(self, score, model):
        if score > self.best:
            self.best, self.bad = score, 0
            self.state = {k: v.clone() for k, v in model.state_dict().items()}
        else:
            self.bad += 1
        return self.bad >= self.patience


def load():
    raw = np.genfromtxt(os.path.join(os.path.dirname(os.path.abspath(__file__)), "patients.csv"),
                        delimiter=",", skip_header=1)
    x, time, event = raw[:, :-2], raw[:, -2], raw[:, -1]
    x[:, 3] = np.log(x[:, 3])
    perm = np.random.default_rng(0).permutation(len(x))
    a, b = int(0.6 * len(x)), int(0.8 * len(x))
    tr = perm[:a]
    x = (x - x[tr].mean(0)) / x[tr].std(0)
    return [tuple(torch.tensor(v[i], dtype=torch.float32) for v in (x, time, event))
            for i in (tr, perm[a:b], perm[b:])]


def main():
    torch.manual_seed(4)
    train, val, test = load()
    net = nn.Sequential(nn.Linear(train[0].shape[1], 32), nn.SELU(), nn.Dropout(0.2),
                        nn.Linear(32, 16), nn.SELU(), nn.Linear(16, 1, bias=False))
    opt = torch.optim.Adam(net.parameters(), lr=2e-3, weight_decay=1e-4)
    stop = EarlyStop(patience=15)
    n, bs = len(train[0]), 120
    for epoch in range(80):
        net.train()
        losses = []
        perm = torch.randperm(n)
        for i in range(0, n, bs):
            j = perm[i:i + bs]
            loss = cox_loss(net(train[0][j]).squeeze(1), train[1][j], train[2][j])
            opt.zero_grad()
            loss.backward()
            opt.step()
            losses.append(loss.item())
        net.eval()
        with torch.no_grad():
            rv = net(val[0]).squeeze(1)
            ci = c_index(rv, val[1], val[2])
        print(f"epoch {epoch:2d} partial nll {np.mean(losses):.4f}  val c-index {ci:.4f}")
        if stop.update(ci, net):
            print("stopping, best val c-index", round(float(stop.best), 4))
            break
    net.load_state_dict(stop.state)
    net.eval()
    with torch.no_grad():
        rt = net(test[0]).squeeze(1)
        rtr = net(train[0]).squeeze(1)
    print(f"test c-index {c_index(rt, test[1], test[2]):.4f}  (train {c_index(rtr, train[1], train[2]):.4f})")


if __name__ == "__main__":
    main()
