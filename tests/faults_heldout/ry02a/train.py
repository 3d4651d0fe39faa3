import json

import numpy as np
import torch

from recsys import RatingNet, build_optimizer

with open("params.json") as fh:
    P = json.load(fh)

torch.manual_seed(P["seed"])
rng = np.random.default_rng(P["seed"])

z = np.load("ratings.npz")
user = torch.from_numpy(z["user"].astype(np.int64))
item = torch.from_numpy(z["item"].astype(np.int64))
stars = torch.from_numpy(z["half_stars"].astype(np.float32)) / 2
genres = torch.from_numpy(z["genres"].astype(np.float32))

order = torch.from_numpy(rng.permutation(len(stars)))
n_test = int(len(order) * P["test_fraction"])
test, train = order[:n_test], order[n_test:]

model = RatingNet(
    n_users=int(user.max()) + 1,
    n_items=len(genres),
    n_genres=genres.shape[1],
    dim=P["dim"],
    hidden=P["hidden"],
    mean=stars[train].mean(),
)
opt = build_optimizer(model, P["groups"], P["adamw"])
decay = torch.optim.lr_scheduler.CosineAnnealingLR(opt, P["epochs"])


def batches(index, size):
    index = index[torch.randperm(len(index))]
    for chunk in index.split(size):
        yield {"user": user[chunk], "item": item[chunk], "genres": genres[item[chunk]]}, stars[chunk]


@torch.no_grad()
def rmse(index):
    model.eval()
    pred = model(user=user[index], item=item[index], genres=genres[item[index]])
    return (pred - stars[index]).pow(2).mean().sqrt().item()


for epoch in range(1, P["epochs"] + 1):
    model.train()
    for batch, y in batches(train, P["batch_size"]):
        loss = torch.nn.functional.mse_loss(model(**batch), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
    decay.step()
    if epoch % 5 == 0 or epoch == 1:
        print(f"[{epoch:02d}] train rmse {rmse(train):.4f} | test rmse {rmse(test):.4f}")
