import json

import numpy as np
import torch
import torch.nn.functional as F

from model import HybridRecommender, build_optimizers

cfg = json.load(open("settings.json"))
torch.manual_seed(cfg["seed"])

raw = np.load("ratings.npz")
user = torch.from_numpy(raw["user"].astype(np.int64))
item = torch.from_numpy(raw["item"].astype(np.int64))
rating = torch.from_numpy(raw["rating"])
bounds = np.append(raw["tag_offsets"], len(raw["tags"]))
item_tags = [torch.from_numpy(raw["tags"][a:b].astype(np.int64)) for a, b in zip(bounds[:-1], bounds[1:])]

perm = torch.randperm(len(rating))
cut = int(0.85 * len(perm))
tr, te = perm[:cut], perm[cut:]


def gather(idx):
    bags = [item_tags[i] for i in item[idx].tolist()]
    offsets = torch.tensor([0] + [len(b) for b in bags[:-1]]).cumsum(0)
    return user[idx], item[idx], torch.cat(bags), offsets


model = HybridRecommender(int(user.max()) + 1, int(item.max()) + 1, int(raw["tags"].max()) + 1,
                          cfg["dim"], rating[tr].mean().item())
optimizers = build_optimizers(model, cfg["lr"], cfg["sparse_lr"])

base = (rating[te] - rating[tr].mean()).pow(2).mean().sqrt().item()
print(f"{len(tr)} train ratings, {len(te)} held out, global-mean RMSE {base:.4f}")

for epoch in range(cfg["epochs"]):
    model.train()
    order = tr[torch.randperm(len(tr))]
    sq = 0.0
    for batch in order.split(cfg["batch_size"]):
        pred = model(*gather(batch))
        loss = F.mse_loss(pred, rating[batch])
        model.zero_grad(set_to_none=True)
        loss.backward()
        for opt in optimizers:
            opt.step()
        sq += loss.item() * len(batch)

    model.eval()
    with torch.no_grad():
        err = torch.cat([model(*gather(b)) - rating[b] for b in te.split(1024)])
    print(f"epoch {epoch:2d}  train rmse {(sq / len(tr)) ** 0.5:.4f}  test rmse {err.pow(2).mean().sqrt():.4f}  "
          f"test mae {err.abs().mean():.4f}")
