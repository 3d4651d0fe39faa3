import csv

import numpy as np
import torch
import torch.nn as nn
from sklearn.metrics import r2_score
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(12)

with open("concrete_mix.csv") as f:
    rows = list(csv.reader(f))
table = np.array(rows[1:], dtype=np.float32)
X, y = table[:, :-1], table[:, -1]

X_tr, X_te, y_tr, y_te = train_test_split(X, y, test_size=0.2, random_state=12)
xs = StandardScaler().fit(X_tr)
X_tr, X_te = xs.transform(X_tr), xs.transform(X_te)
y_mean, y_std = y_tr.mean(), y_tr.std()

train_ds = TensorDataset(
    torch.from_numpy(X_tr).float(),
    torch.from_numpy((y_tr - y_mean) / y_std).float(),
)
loader = DataLoader(train_ds, batch_size=32, shuffle=True)
X_te = torch.from_numpy(X_te).float()


class StrengthNet(nn.Module):
    def __init__(self, n_in):
        super().__init__()
        self.body = nn.Sequential(
            nn.Linear(n_in, 64),
            nn.ReLU(),
            nn.Linear(64, 32),
            nn.ReLU(),
            nn.Linear(32, 1),
        )

    def forward(self, x):
        return self.body(x)


model = StrengthNet(X.shape[1])
opt = torch.optim.Adam(model.parameters(), lr=1e-3, weight_decay=1e-5)

for epoch in range(1, 81):
    model.train()
    total = 0.0
    for xb, yb in loader:
        pred = model(xb)
        loss = ((pred - yb) ** 2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        total += loss.item() * len(xb)

    if epoch % 10 == 0:
        model.eval()
        with torch.no_grad():
            mpa = model(X_te).squeeze(1).numpy() * y_std + y_mean
        rmse = float(np.sqrt(np.mean((mpa - y_te) ** 2)))
        print(f"epoch {epoch:3d}  loss {total / len(train_ds):.4f}  "
              f"test rmse {rmse:.2f} MPa  r2 {r2_score(y_te, mpa):.3f}")
