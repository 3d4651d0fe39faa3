"""Continue the nightly recommender on this week's interactions."""
import configparser
import pathlib

import numpy as np
import torch

from recsys import TwoTower, pairwise_auc

root = pathlib.Path(__file__).parent
cp = configparser.ConfigParser()
cp.read(root / "nightly.ini")
run, files = cp["run"], cp["files"]
torch.manual_seed(run.getint("seed"))

log = np.load(root / files["interactions"])
users, items = int(log["n_users"]), int(log["n_items"])
fit = torch.from_numpy(log["fit"].astype(np.int64))
hold = torch.from_numpy(log["hold"].astype(np.int64))
hold_neg = torch.from_numpy(log["hold_neg"].astype(np.int64))

model = TwoTower(users, items, run.getint("dim"))
optimizer = torch.optim.Adam(model.parameters(), lr=run.getfloat("lr"))
bs, epochs = run.getint("batch"), run.getint("epochs")
steps = epochs * (len(fit) // bs)
scheduler = torch.optim.lr_scheduler.LinearLR(optimizer, start_factor=1.0, end_factor=0.01, total_iters=steps)

snap = torch.load(root / files["snapshot"], weights_only=True)
model.load_state_dict(snap["model"])
if "optimizer" in snap:
    optimizer.load_state_dict(snap["optimizer"])
if "scheduler" in snap:
    scheduler.load_state_dict(snap["scheduler"])


def holdout():
    with torch.no_grad():
        nll = model.bpr(hold[:, 0], hold[:, 1], hold_neg).item()
    return nll, pairwise_auc(model, hold[:, 0], hold[:, 1], hold_neg)


owned = torch.zeros(users, items, dtype=torch.bool)
owned[fit[:, 0], fit[:, 1]] = True
print("start    holdout bpr %.4f auc %.4f" % holdout())
for epoch in range(epochs):
    acc = 0.0
    order = torch.randperm(len(fit))[: len(fit) // bs * bs].view(-1, bs)
    for rows in order:
        u, pos = fit[rows].unbind(1)
        neg = torch.randint(items, (bs,))
        clash = owned[u, neg]
        neg = torch.where(clash, torch.randint(items, (bs,)), neg)
        loss = model.bpr(u, pos, neg)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        scheduler.step()
        acc += loss.item()
    print("epoch %2d train bpr %.4f | holdout bpr %.4f auc %.4f" % (epoch + 1, acc / len(order), *holdout()))
