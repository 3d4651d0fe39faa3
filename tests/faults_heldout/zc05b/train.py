import numpy as np
import torch
from pathlib import Path
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler

torch.manual_seed(0)
table = np.genfromtxt(Path(__file__).parent / "accounts.csv", delimiter=",", names=True)
features = [n for n in table.dtype.names if n != "churned"]
X = np.stack([table[n] for n in features], axis=1)
y = table["churned"]

X_tr, X_va, y_tr, y_va = train_test_split(X, y, test_size=0.25, random_state=0, stratify=y)
scaler = StandardScaler().fit(X_tr)
X_tr = torch.tensor(scaler.transform(X_tr), dtype=torch.float32)
X_va = torch.tensor(scaler.transform(X_va), dtype=torch.float32)
y_tr = torch.tensor(y_tr, dtype=torch.float32)
y_va = torch.tensor(y_va, dtype=torch.float32)
print(f"{len(X_tr)} training rows, {len(X_va)} validation rows, {len(features)} features, churn rate {y.mean():.2f}")

net = torch.nn.Sequential(
    torch.nn.Linear(len(features), 64), torch.nn.SiLU(),
    torch.nn.Linear(64, 64), torch.nn.SiLU(),
    torch.nn.Linear(64, 1),
)
opt = torch.optim.AdamW(net.parameters(), lr=3e-3, weight_decay=1e-3)
bce = torch.nn.BCEWithLogitsLoss()

EPOCHS = 32
for epoch in range(EPOCHS):
    net.train()
    perm = torch.randperm(len(X_tr))
    epoch_loss = 0.0
    for i in range(0, len(perm), 64):
        idx = perm[i:i + 64]
        loss = bce(net(X_tr[idx]).squeeze(1), y_tr[idx])
        opt.zero_grad()
        loss.backward()
        opt.step()
        epoch_loss += loss.item() * len(idx)

    if epoch % 4 == 3:
        net.eval()
        with torch.no_grad():
            logit = net(X_va).squeeze(1)
            val_loss = bce(logit, y_va).item()
        acc = ((logit > 0).float() == y_va).float().mean().item()
        auc = roc_auc_score(y_va.numpy(), logit.numpy())
        print(f"epoch {epoch + 1:3d}: train {epoch_loss / len(perm):.4f}  val {val_loss:.4f}  acc {acc:.3f}  auc {auc:.3f}")
