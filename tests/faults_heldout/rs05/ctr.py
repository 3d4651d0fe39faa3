"""Click-through model with one embedding table for each categorical column."""
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.metrics import roc_auc_score

torch.manual_seed(2024)
rng = np.random.RandomState(2024)

raw = np.loadtxt("clicks.csv", delimiter=",", skiprows=1, dtype=np.int64)
rng.shuffle(raw)
cats, clicks = raw[:, :-1], raw[:, -1]
cardinality = cats.max(0) + 1
split = int(0.8 * len(raw))
c_tr, c_va = torch.from_numpy(cats[:split]), torch.from_numpy(cats[split:])
t_tr, t_va = (torch.from_numpy(clicks[:split]).float(),
              torch.from_numpy(clicks[split:]).float())


class CTRNet(nn.Module):
    def __init__(self, sizes, dim=6, hidden=32):
        super().__init__()
        self.embeddings = [nn.Embedding(int(s), dim) for s in sizes]
        self.mlp = nn.Sequential(
            nn.Linear(2 * dim, hidden),
            nn.ReLU(),
            nn.Dropout(0.2),
            nn.Linear(hidden, 1),
        )

    def forward(self, c):
        e = torch.stack([emb(c[:, i]) for i, emb in enumerate(self.embeddings)], 1)
        total = e.sum(1)
        pairwise = 0.5 * (total ** 2 - (e ** 2).sum(1))
        return self.mlp(torch.cat([total, pairwise], 1)).squeeze(1)


model = CTRNet(cardinality)
optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3, weight_decay=1e-2)

for epoch in range(1, 16):
    model.train()
    perm = torch.randperm(len(c_tr))
    losses = []
    for i in range(0, len(perm), 64):
        b = perm[i:i + 64]
        loss = F.binary_cross_entropy_with_logits(model(c_tr[b]), t_tr[b])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    model.eval()
    with torch.no_grad():
        z = model(c_va)
        val = F.binary_cross_entropy_with_logits(z, t_va).item()
    print("epoch %2d | logloss %.4f | val logloss %.4f | val auc %.4f"
          % (epoch, np.mean(losses), val, roc_auc_score(t_va, z)))
