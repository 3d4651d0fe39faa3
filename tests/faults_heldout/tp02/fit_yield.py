import numpy as np
import torch
from sklearn.linear_model import LinearRegression
from sklearn.preprocessing import StandardScaler
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

from losses import PseudoHuber
from plots import harvest

SEED = 5
torch.manual_seed(SEED)

x, y = harvest(10000, SEED)
xt, yt = harvest(3000, SEED + 100)
scaler = StandardScaler().fit(x[:8000])
to_t = lambda a: torch.from_numpy(scaler.transform(a).astype(np.float32))
mu, sd = float(y[:8000].mean()), float(y[:8000].std())
train = TensorDataset(to_t(x[:8000]), torch.from_numpy((y[:8000] - mu) / sd).unsqueeze(1))
xv, yv = to_t(x[8000:]), y[8000:]
loader = DataLoader(train, batch_size=128, shuffle=True)

model = nn.Sequential(nn.Linear(6, 32), nn.GELU(), nn.Linear(32, 32), nn.GELU(), nn.Linear(32, 1))
criterion = PseudoHuber(1.0)
opt = torch.optim.AdamW(model.parameters(), lr=3e-3, weight_decay=1e-2)
EPOCHS = 15
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, EPOCHS * len(loader))


def predict(a):
    model.eval()
    with torch.no_grad():
        out = model(a).squeeze(1).numpy() * sd + mu
    model.train()
    return out


def scores(pred, truth):
    r2 = 1 - np.sum((pred - truth) ** 2) / np.sum((truth - truth.mean()) ** 2)
    return np.abs(pred - truth).mean(), r2


for epoch in range(EPOCHS):
    tot = 0.0
    for xb, yb in loader:
        loss = criterion(model(xb), yb)
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
        tot += loss.item() * len(xb)
    mae, r2 = scores(predict(xv), yv)
    print(f"epoch {epoch:2d} train loss {tot / len(train):.4f} | val mae {mae:.3f} t/ha r2 {r2:.3f}")

for name, a, b in (("train", x[:8000], y[:8000]), ("test", xt, yt)):
    mae, r2 = scores(predict(to_t(a)), b)
    print(f"{name}: mae {mae:.3f} t/ha, r2 {r2:.3f}")
lin = LinearRegression().fit(scaler.transform(x[:8000]), y[:8000])
print("linear model on test: mae %.3f, r2 %.3f" % scores(lin.predict(scaler.transform(xt)), yt))
