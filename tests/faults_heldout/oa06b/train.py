from pathlib import Path

import numpy as np
import torch

from recsys.ranking import bpr, ndcg, sample_negatives
from recsys.towers import TwoTower, warm_start

HERE = Path(__file__).parent
torch.manual_seed(88)

log = np.load(HERE / "sessions.npz")
history = torch.from_numpy(log["history"].astype(np.int64))
target = torch.from_numpy(log["next_item"].astype(np.int64))
n_items = int(log["n_items"])
n_train = 1000
tr_h, tr_t = history[:n_train], target[:n_train]
va_h, va_t = history[n_train:], target[n_train:]

model = warm_start(TwoTower(n_items), HERE / "coview.pt")
trainable = [p for p in model.parameters() if p.requires_grad]
optimizer = torch.optim.Adam(trainable, lr=2e-3, weight_decay=1e-5)
print(f"{n_items} items, {len(tr_h)} training sessions, {sum(p.numel() for p in trainable)} trainable weights")

for epoch in range(1, 25):
    model.train()
    total = 0.0
    for idx in torch.randperm(len(tr_h)).split(50):
        neg = sample_negatives(tr_t[idx], n_items)
        pos_score, neg_score = model(tr_h[idx], tr_t[idx], neg)
        loss = bpr(pos_score, neg_score)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item() * len(idx)
    if epoch % 3 == 0:
        print(f"epoch {epoch:2d}  bpr {total / len(tr_h):.4f}  "
              f"NDCG@10 train {ndcg(model, tr_h, tr_t):.3f}  valid {ndcg(model, va_h, va_t):.3f}")
