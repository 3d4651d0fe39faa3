"""Monthly refit of the building-load model, warm-started from last month's weights."""
from pathlib import Path

import numpy as np
import torch
from torch import nn

torch.manual_seed(77)
base = Path(__file__).parent

table = np.genfromtxt(base / "load_history.csv", delimiter=",", names=True)
cols = [c for c in table.dtype.names if c != "load_kw"]
X = np.stack([table[c] for c in cols], axis=1)
y = table["load_kw"]

n_train = int(0.8 * len(y))
pick = np.random.default_rng(77).permutation(len(y))
tr, te = pick[:n_train], pick[n_train:]
x_mu, x_sd = X[tr].mean(0), X[tr].std(0)
y_mu, y_sd = y[tr].mean(), y[tr].std()
X = torch.tensor((X - x_mu) / x_sd, dtype=torch.float32)
y = torch.tensor((y - y_mu) / y_sd, dtype=torch.float32)

model = nn.Sequential(
    nn.Linear(len(cols), 64),
    nn.ReLU(),
    nn.Linear(64, 64),
    nn.ReLU(),
    nn.Linear(64, 1),
)
model.load_state_dict(torch.load(base / "last_month.pt", weights_only=True))

optimizer = torch.optim.SGD(model.parameters(), lr=0.02, momentum=0.9)
schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=40)
mse = nn.MSELoss()

for epoch in range(40):
    model.train()
    order = tr[torch.randperm(len(tr)).numpy()]
    losses = []
    for chunk in np.array_split(order, len(order) // 50):
        pred = model(X[chunk]).squeeze(-1)
        loss = mse(pred, y[chunk])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    schedule.step()

    if epoch % 4 == 3:
        model.eval()
        with torch.no_grad():
            err = model(X[te]).squeeze(-1) - y[te]
        rmse = err.pow(2).mean().sqrt().item()
        r2 = 1 - (err.pow(2).sum() / (y[te] - y[te].mean()).pow(2).sum()).item()
        print(f"epoch {epoch + 1:2d}: train mse {np.mean(losses):.4f}  "
              f"test rmse {rmse * y_sd:.2f} kW  R2 {r2:.3f}")
