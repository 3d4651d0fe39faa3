"""Library recommender: biased matrix factorisation with plain tensors."""
import json
import random

import torch

with open("factors.json") as fh:
    C = json.load(fh)

random.seed(C["seed"])
torch.manual_seed(C["seed"])


def table(path):
    readers, titles, stars = [], [], []
    with open(path) as fh:
        next(fh)
        for line in fh:
            u, i, s = line.rstrip("\n").split("\t")
            readers.append(int(u))
            titles.append(int(i))
            stars.append(float(s))
    return torch.tensor(readers), torch.tensor(titles), torch.tensor(stars)


train = table(C["train"])
check = table(C["check"])
n_reader = int(max(train[0].max(), check[0].max())) + 1
n_title = int(max(train[1].max(), check[1].max())) + 1
mean = train[2].mean()

theta = {
    "reader": torch.randn(n_reader, C["rank"]) * 0.1,
    "title": torch.randn(n_title, C["rank"]) * 0.1,
    "reader_bias": torch.zeros(n_reader),
    "title_bias": torch.zeros(n_title),
}
for t in theta.values():
    t.requires_grad_(True)


def predict(u, i):
    inner = (theta["reader"][u] * theta["title"][i]).sum(-1)
    return mean + theta["reader_bias"][u] + theta["title_bias"][i] + inner


def ridge(u, i):
    """Penalty on the rows in the batch (so frequent rows are shrunk in proportion)."""
    return (theta["reader"][u].square().sum(-1) + theta["title"][i].square().sum(-1)
            + theta["reader_bias"][u].square() + theta["title_bias"][i].square()).mean()


opt = torch.optim.Adam(theta.values(), lr=C["lr"])
decay = torch.optim.lr_scheduler.ExponentialLR(opt, C["decay"])

for sweep in range(1, C["sweeps"] + 1):
    squared = 0.0
    order = torch.randperm(len(train[0]))
    for rows in order.split(C["batch"]):
        u, i, s = (col[rows] for col in train)
        err = predict(u, i) - s
        loss = err.square().mean() + C["ridge"] * ridge(u, i)
        opt.zero_grad()
        loss.backward()
        opt.step()
        squared += err.detach().square().sum().item()
    decay.step()
    with torch.no_grad():
        gap = (predict(check[0], check[1]) - check[2]).square().mean().sqrt()
    if sweep % 3 == 0 or sweep == 1:
        print(f"sweep {sweep:3d}  rmse train {(squared / len(order)) ** 0.5:.4f}  check {gap:.4f}")
