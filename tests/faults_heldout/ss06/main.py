import json
import os

import torch
import torch.nn.functional as F

from reco.events import Events
from reco.metrics import heldout_auc, recall_at_k
from reco.model import Factors

HERE = os.path.dirname(os.path.abspath(__file__))
with open(os.path.join(HERE, "settings.json")) as fh:
    S = json.load(fh)

torch.manual_seed(S["seed"])
rng = torch.Generator().manual_seed(S["seed"] + 1)
ev = Events(os.path.join(HERE, S["events"]), S["holdout_per_user"])
model = Factors(ev.n_users, ev.n_items, S["dim"])
opt = torch.optim.SparseAdam(list(model.parameters()), lr=S["lr"])

popularity = ev.seen.sum(0).float().expand(ev.n_users, -1)
print(f"{len(ev.train)} plays, {int((ev.seen.sum(0) == 0).sum())} of {ev.n_items} tracks without any play")
print(f"popularity ranking: recall@{S['k']} {recall_at_k(popularity, ev, S['k']):.3f} auc {heldout_auc(popularity, ev):.3f}")

for epoch in range(S["epochs"]):
    for group in opt.param_groups:
        group["lr"] = S["lr"] * (1 - epoch / S["epochs"])
    total = 0.0
    for rows in ev.train[torch.randperm(len(ev.train), generator=rng)].split(S["batch"]):
        u, pos = rows.t()
        items = torch.cat([pos.unsqueeze(1), ev.negatives(u, S["negatives"], rng)], 1)
        score, (p, q, b) = model(u, items)
        rank = -F.logsigmoid(score[:, :1] - score[:, 1:]).mean()
        reg = S["embedding_l2"] * (p.pow(2).sum(-1).mean() + q.pow(2).sum(-1).mean())
        opt.zero_grad()
        (rank + reg).backward()
        opt.step()
        total += rank.item() * len(rows)
    if epoch % 2 == 1:
        s = model.all_scores()
        print(f"epoch {epoch + 1:2d} bpr {total / len(ev.train):.4f} recall@{S['k']} {recall_at_k(s, ev, S['k']):.3f} auc {heldout_auc(s, ev):.4f}")
