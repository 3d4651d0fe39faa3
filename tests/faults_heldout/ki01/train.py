"""Benign / malignant screening on the Wisconsin table."""
import numpy as np
import torch
from sklearn.datasets import load_breast_cancer
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import train_test_split
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(4)
data = load_breast_cancer()
malignant = (data.target == 0).astype(np.float32)
xtr, xte, ytr, yte = train_test_split(data.data, malignant, test_size=0.3, stratify=malignant, random_state=2)
mu, sd = xtr.mean(0), xtr.std(0)
xtr, xte = [torch.tensor((a - mu) / sd, dtype=torch.float32) for a in (xtr, xte)]
ytr, yte = torch.tensor(ytr), torch.tensor(yte)

net = nn.Sequential(nn.Linear(30, 24), nn.GELU(), nn.Dropout(0.2), nn.Linear(24, 1))
# missing a malignant case costs more than a false alarm
pos_weight = (ytr == 0).sum() / (ytr == 1).sum()
criterion = nn.BCEWithLogitsLoss(pos_weight=pos_weight)
optimizer = torch.optim.AdamW(net.parameters(), lr=8e-4, weight_decay=5e-2)
scheduler = torch.optim.lr_scheduler.ExponentialLR(optimizer, gamma=0.99)
loader = DataLoader(TensorDataset(xtr, ytr), batch_size=16, shuffle=True)


@torch.no_grad()
def report(x, y):
    net.eval()
    z = net(x).squeeze(1)
    hit = ((z > 0).float() == y)
    net.train()
    return criterion(z, y).item(), roc_auc_score(y.numpy(), z.numpy()), hit[y == 1].float().mean().item(), hit[y == 0].float().mean().item()


for epoch in range(20):
    for xb, yb in loader:
        optimizer.zero_grad()
        loss = criterion(net(xb).squeeze(1), yb)
        loss.backward()
        optimizer.step()
    scheduler.step()
    if epoch % 4 == 3:
        for name, x, y in (("train", xtr, ytr), ("test ", xte, yte)):
            l, auc, sens, spec = report(x, y)
            print(f"{epoch + 1:3d} {name} loss {l:.3f} auc {auc:.3f} sensitivity {sens:.3f} specificity {spec:.3f}")
