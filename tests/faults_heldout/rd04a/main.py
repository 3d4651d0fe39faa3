import copy
import csv
import tomllib

import torch
from torch import nn

from survival import concordance, cox_loss


def load(path):
    with open(path, newline="") as fh:
        rows = [[float(v) for v in row] for row in list(csv.reader(fh))[1:]]
    table = torch.tensor(rows)
    return table[:, :-2], table[:, -2], table[:, -1]


def make_net(n_in, hidden, dropout):
    layers = []
    for width in hidden:
        layers += [nn.Linear(n_in, width), nn.GELU(), nn.Dropout(dropout)]
        n_in = width
    return nn.Sequential(*layers, nn.Linear(n_in, 1))


def score(net, split):
    x, months, event = split
    net.eval()
    with torch.no_grad():
        risk = net(x).squeeze(1)
    return cox_loss(risk, months, event).item(), concordance(risk, months, event)


with open("config.toml", "rb") as fh:
    cfg = tomllib.load(fh)
torch.manual_seed(cfg["seed"])

splits = {name: load(f"{cfg['folder']}/{name}.csv") for name in ("train", "valid", "test")}
mu, sd = splits["train"][0].mean(0), splits["train"][0].std(0)
splits = {name: ((x - mu) / sd, m, e) for name, (x, m, e) in splits.items()}

x, months, event = splits["train"]
net = make_net(x.shape[1], **cfg["model"])
fit = cfg["fit"]
opt = torch.optim.AdamW(net.parameters(), lr=fit["lr"], weight_decay=fit["weight_decay"])

best, best_state, waited = float("inf"), None, 0
for epoch in range(fit["max_epochs"]):
    net.train()
    total, batches = 0.0, torch.randperm(len(x)).split(fit["batch"])
    for idx in batches:
        loss = cox_loss(net(x[idx]).squeeze(1), months[idx], event[idx])
        opt.zero_grad()
        loss.backward()
        opt.step()
        total += loss.item()
    val_loss, val_c = score(net, splits["valid"])
    if epoch % 10 == 0:
        print(f"epoch {epoch:3d}  train {total / len(batches):.4f}  valid {val_loss:.4f}  c-index {val_c:.4f}")
    if val_loss < best - 1e-4:
        best, best_state, waited = val_loss, copy.deepcopy(net.state_dict()), 0
    else:
        waited += 1
        if waited >= fit["patience"]:
            break

net.load_state_dict(best_state)
test_loss, test_c = score(net, splits["test"])
print(f"stopped after epoch {epoch}; test loss {test_loss:.4f}  test c-index {test_c:.4f}")
