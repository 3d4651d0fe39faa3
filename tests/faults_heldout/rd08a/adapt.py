"""Adapts a pre-trained graph encoder to a new labelling of the same kind of network."""
from types import SimpleNamespace

import numpy as np
import torch
import torch.nn.functional as F

from gnn import NodeClassifier, row_normalised

HP = SimpleNamespace(encoder_lr=2e-3, head_lr=1e-2, wd=2e-2, dropout=0.5, steps=200, warmup=20, report=20, seed=17)


def read_graph(path):
    z = np.load(path)
    x = torch.from_numpy(z["x"].astype(np.float32))
    adj = row_normalised(torch.from_numpy(z["edges"].astype(np.int64)), len(x))
    split = torch.from_numpy(z["split"])
    return (x - x.mean(0)) / x.std(0), adj, torch.from_numpy(z["y"].astype(np.int64)), split


torch.manual_seed(HP.seed)
x, adj, y, split = read_graph("assets/graph.npz")
train, val, test = (split == k for k in range(3))

encoder = torch.load("assets/encoder.pt", weights_only=False)
model = NodeClassifier(encoder, encoder.second.own.out_features, int(y.max()) + 1, HP.dropout)

optimizer = torch.optim.AdamW(
    [
        dict(params=model.encoder.parameters(), lr=HP.encoder_lr),
        dict(params=model.head.parameters(), lr=HP.head_lr),
    ],
    weight_decay=HP.wd,
)
decay = torch.optim.lr_scheduler.LambdaLR(
    optimizer, lambda k: min(1.0, (k + 1) / HP.warmup) * max(0.02, 1.0 - k / HP.steps)
)

for step in range(1, HP.steps + 1):
    model.train()
    optimizer.zero_grad()
    loss = F.cross_entropy(model(x, adj)[train], y[train])
    loss.backward()
    optimizer.step()
    decay.step()
    if step % HP.report == 0:
        model.eval()
        with torch.no_grad():
            logits = model(x, adj)
        acc = (logits[val].argmax(1) == y[val]).float().mean().item()
        print(f"step {step:3d}  loss {loss.item():.4f}  val loss {F.cross_entropy(logits[val], y[val]).item():.4f}  val acc {acc:.3f}")

print(f"test acc {(logits[test].argmax(1) == y[test]).float().mean().item():.3f}")
