# cell type annotation from a gene panel
import json
import sys

import numpy as np
import torch
import torch.nn.functional as F
from sklearn.metrics import balanced_accuracy_score

import cells.nets  # noqa: F401  (fills the registry)
from cells.prep import load
from cells.registry import build

with open(sys.argv[1] if len(sys.argv) > 1 else "annotate.json") as f:
    cfg = json.load(f)

torch.manual_seed(cfg["seed"])
(xt, yt), (xv, yv), names = load(cfg["data"], cfg["n_val"], np.random.default_rng(cfg["seed"]))
net = build(cfg["model"]["name"], n_genes=xt.shape[1], n_types=len(names), **cfg["model"]["args"])

# one optimizer step sees batch_size cells, micro_batch of them at a time
BATCH, MICRO = cfg["batch_size"], cfg["micro_batch"]
accum = BATCH // MICRO
opt = torch.optim.AdamW(net.parameters(), lr=cfg["lr"], weight_decay=cfg["weight_decay"])
print(f"{len(xt)} cells, {xt.shape[1]} genes, {len(names)} types, {accum} x {MICRO} cells per step")

for epoch in range(cfg["epochs"]):
    net.train()
    losses, right = [], 0
    perm = torch.randperm(len(xt))
    perm = perm[: len(perm) // BATCH * BATCH]
    for batch in perm.split(BATCH):
        opt.zero_grad()
        for part in batch.split(MICRO):
            logits = net(xt[part])
            loss = F.cross_entropy(logits, yt[part])
            (loss / accum).backward()
            losses.append(loss.item())
            right += (logits.argmax(1) == yt[part]).sum().item()
        opt.step()

    net.eval()
    with torch.no_grad():
        out = net(xv)
        vloss = F.cross_entropy(out, yv).item()
    bal = balanced_accuracy_score(yv, out.argmax(1))
    print(f"epoch {epoch:2d}  train {np.mean(losses):.3f} (acc {right / len(perm):.3f})  val {vloss:.3f} (balanced acc {bal:.3f})")
