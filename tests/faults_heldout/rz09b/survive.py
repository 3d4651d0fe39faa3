import csv
import json
import sys

import torch
from torch import nn

from cox import concordance, partial_likelihood
from stopping import EarlyStopping


def cohort(path, seed):
    with open(path) as fh:
        rows = list(csv.reader(fh))[1:]
    t = torch.tensor([[float(v) for v in r] for r in rows])
    t = t[torch.randperm(len(t), generator=torch.Generator().manual_seed(seed))]
    x, months, event = t[:, :-2], t[:, -2], t[:, -1]
    a, b = int(0.6 * len(t)), int(0.8 * len(t))
    x = (x - x[:a].mean(0)) / x[:a].std(0)
    cut = lambda s: (x[s], months[s], event[s])
    return cut(slice(0, a)), cut(slice(a, b)), cut(slice(b, None))


def risk_net(n_in, width, dropout):
    return nn.Sequential(
        nn.Linear(n_in, width), nn.ELU(), nn.Dropout(dropout),
        nn.Linear(width, width), nn.ELU(), nn.Dropout(dropout),
        nn.Linear(width, 1), nn.Flatten(0),
    )


@torch.no_grad()
def scores(net, part):
    net.eval()
    x, months, event = part
    r = net(x)
    net.train()
    return {"nll": partial_likelihood(r, months, event).item(), "cindex": concordance(r, months, event)}


def main(path):
    cfg = json.load(open(path))
    torch.manual_seed(cfg["seed"])
    train, valid, test = cohort("cohort.csv", cfg["seed"])
    net = risk_net(train[0].shape[1], cfg["width"], cfg["dropout"])
    opt = torch.optim.AdamW(net.parameters(), lr=cfg["lr"], weight_decay=cfg["weight_decay"])
    stop = EarlyStopping(**cfg["early_stopping"])

    for epoch in range(1, cfg["max_epochs"] + 1):
        total = k = 0
        for idx in torch.randperm(len(train[0])).split(cfg["batch"]):
            x, months, event = (v[idx] for v in train)
            loss = partial_likelihood(net(x), months, event)
            opt.zero_grad()
            loss.backward()
            opt.step()
            total, k = total + loss.item(), k + 1
        s = scores(net, valid)
        if epoch % 3 == 0:
            print(f"epoch {epoch:3d}  train {total / k:.4f}  valid nll {s['nll']:.4f}  c-index {s['cindex']:.4f}")
        if stop.update(epoch, s, net):
            break

    net.load_state_dict(stop.state)
    s = scores(net, test)
    print(f"stopped after {epoch}, weights of epoch {stop.epoch}: test nll {s['nll']:.4f}  c-index {s['cindex']:.4f}")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "survival.json")
