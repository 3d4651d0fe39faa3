import os
import tomllib

import torch
import torch.nn.functional as F

from citenet.graph import load_graph
from citenet.layers import TopicNet

BASE = os.path.dirname(os.path.abspath(__file__))

with open(os.path.join(BASE, "settings.toml"), "rb") as fh:
    CFG = tomllib.load(fh)

torch.set_num_threads(1)
torch.manual_seed(CFG["run"]["seed"])

x, y, adj, masks = load_graph(os.path.join(BASE, CFG["data"]["folder"]))
n_topics = int(y.max()) + 1
print(f"{len(x)} papers, {n_topics} topics, "
      + ", ".join(f"{k} {int(m.sum())}" for k, m in masks.items()))

model = TopicNet(x.shape[1], CFG["model"]["hidden"], n_topics, CFG["model"]["dropout"])
optim = torch.optim.Adam(model.parameters(), lr=CFG["optim"]["lr"], weight_decay=CFG["optim"]["weight_decay"])


def accuracy(logits, mask):
    return (logits[mask].argmax(1) == y[mask]).float().mean().item()


for step in range(CFG["run"]["steps"]):
    model.train()
    optim.zero_grad()
    loss = F.cross_entropy(model(x, adj)[masks["train"]], y[masks["train"]])
    loss.backward()
    optim.step()

    if (step + 1) % CFG["run"]["eval_every"] == 0:
        model.eval()
        with torch.no_grad():
            out = model(x, adj)
        print(f"step {step + 1:4d}  loss {loss.item():.4f}  "
              f"train {accuracy(out, masks['train']):.3f}  val {accuracy(out, masks['val']):.3f}")

model.eval()
with torch.no_grad():
    out = model(x, adj)
print(f"test accuracy {accuracy(out, masks['test']):.3f}")
