"""Click model: sparse user/item embeddings and a dense interaction tower."""
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.metrics import roc_auc_score

torch.manual_seed(14)
z = np.load("clicks.npz")
users, items, clicked = (torch.from_numpy(z[k].astype(np.int64)) for k in ("user", "item", "click"))
perm = torch.randperm(len(users))
cut = int(0.85 * len(users))
train, held = perm[:cut], perm[cut:]


class ClickModel(nn.Module):
    def __init__(self, n_users, n_items, dim=8):
        super().__init__()
        self.user = nn.Embedding(n_users, dim, sparse=True)
        self.item = nn.Embedding(n_items, dim, sparse=True)
        for e in (self.user, self.item):
            nn.init.normal_(e.weight, std=0.1)
        self.tower = nn.Sequential(nn.Linear(3 * dim, 16), nn.ReLU(), nn.Linear(16, 1))

    def forward(self, u, i):
        a, b = self.user(u), self.item(i)
        return self.tower(torch.cat([a, b, a * b], -1)).squeeze(-1) + (a * b).sum(-1)


model = ClickModel(int(users.max()) + 1, int(items.max()) + 1)
sparse_opt = torch.optim.SparseAdam([model.user.weight, model.item.weight], lr=0.01)
dense_opt = torch.optim.Adam(model.tower.parameters(), lr=0.003)

for epoch in range(6):
    model.train()
    total = 0.0
    for idx in train[torch.randperm(len(train))].split(128):
        loss = F.binary_cross_entropy_with_logits(model(users[idx], items[idx]), clicked[idx].float())
        sparse_opt.zero_grad()
        dense_opt.zero_grad()
        loss.backward()
        dense_opt.step()
        total += loss.item() * len(idx)
    model.eval()
    with torch.no_grad():
        s = model(users[held], items[held])
        vl = F.binary_cross_entropy_with_logits(s, clicked[held].float())
    print(f"epoch {epoch} train {total / len(train):.4f} held-out {vl:.4f} auc {roc_auc_score(clicked[held], s):.3f}")
