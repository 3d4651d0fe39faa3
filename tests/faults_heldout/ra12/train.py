import configparser
from pathlib import Path

import numpy as np
import torch
from sklearn.datasets import load_breast_cancer
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler
from torch import nn

cp = configparser.ConfigParser()
cp.read(Path(__file__).with_name("config.ini"))
D, M, T = cp["data"], cp["model"], cp["train"]

np.random.seed(D.getint("seed"))
torch.manual_seed(D.getint("seed"))

X, y = load_breast_cancer(return_X_y=True)
y = 1 - y
Xa, Xb, ya, yb = train_test_split(X, y, test_size=D.getfloat("test_size"), stratify=y, random_state=D.getint("seed"))
scaler = StandardScaler().fit(Xa)
Xa, Xb = (torch.tensor(scaler.transform(a), dtype=torch.float32) for a in (Xa, Xb))
ya, yb = (torch.tensor(a, dtype=torch.float32).unsqueeze(1) for a in (ya, yb))

net = nn.Sequential(
    nn.Linear(Xa.shape[1], M.getint("hidden")), nn.ReLU(), nn.Dropout(M.getfloat("dropout")),
    nn.Linear(M.getint("hidden"), M.getint("hidden") // 2), nn.ReLU(),
    nn.Linear(M.getint("hidden") // 2, 1),
)
pos_weight = (ya == 0).sum() / (ya == 1).sum()
criterion = nn.BCEWithLogitsLoss(pos_weight=pos_weight)
optimizer = torch.optim.AdamW(net.parameters(), lr=T.getfloat("lr"), weight_decay=T.getfloat("weight_decay"))
best, best_state = float("inf"), None

for epoch in range(T.getint("epochs")):
    net.train()
    losses = []
    for idx in torch.randperm(len(Xa)).split(T.getint("batch_size")):
        optimizer.zero_grad()
        loss = criterion(net(Xa[idx]), ya[idx])
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    net.eval()
    with torch.no_grad():
        out = net(Xb)
        vl = criterion(out, yb).item()
    if vl < best:
        best, best_state = vl, {k: v.clone() for k, v in net.state_dict().items()}
    print(f"{epoch:02d} train={np.mean(losses):.4f} valid={vl:.4f} auc={roc_auc_score(yb, out.sigmoid()):.4f}")

net.load_state_dict(best_state)
net.eval()
with torch.no_grad():
    p = net(Xb).sigmoid()
print(f"best epoch: auc={roc_auc_score(yb, p):.4f} acc={((p > 0.5) == (yb > 0.5)).float().mean():.4f}")
