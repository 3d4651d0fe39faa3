# Moisture content from NIR spectra (80 channels), small 1-D conv net.
import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(3)

d = np.load("nir.npz")
S = d["spectra"].astype("float32")
y = d["moisture"]

idx = np.random.RandomState(0).permutation(len(S))
tr, te = idx[:800], idx[800:]

mu, sd = S[tr].mean(0), S[tr].std(0)
S = (S - mu) / sd
ym, ys = y[tr].mean(), y[tr].std()
yn = (y - ym) / ys

Xtr = torch.from_numpy(S[tr]).unsqueeze(1)
Ytr = torch.from_numpy(yn[tr]).unsqueeze(1)
Xte = torch.from_numpy(S[te]).unsqueeze(1)
Yte = torch.from_numpy(yn[te]).unsqueeze(1)

loader = DataLoader(TensorDataset(Xtr, Ytr), batch_size=16, shuffle=True)

net = nn.Sequential(
    nn.Conv1d(1, 16, 7, stride=2, padding=3), nn.ReLU(),
    nn.Conv1d(16, 24, 5, stride=2, padding=2), nn.ReLU(),
    nn.Flatten(),
    nn.Linear(24 * 20, 32), nn.ReLU(),
    nn.Linear(32, 1),
)
opt = torch.optim.Adam(net.parameters(), lr=0.002)
crit = nn.MSELoss()

epochs = 40
for ep in range(1, epochs + 1):
    net.train()
    opt.zero_grad()
    run = 0.0
    for xb, yb in loader:
        loss = crit(net(xb), yb)
        loss.backward()
        opt.step()
        run += loss.item() * len(xb)
    if ep % 4 == 0 or ep == 1:
        net.eval()
        with torch.no_grad():
            rmse = (crit(net(Xte), Yte).sqrt() * ys).item()
        print(f"epoch {ep:3d}  train mse {run / len(Xtr):.4f}  test rmse {rmse:.3f} %")

net.eval()
with torch.no_grad():
    p = net(Xte)
r2 = 1 - ((p - Yte) ** 2).sum() / ((Yte - Yte.mean()) ** 2).sum()
print(f"test R2 {r2.item():.3f}")
