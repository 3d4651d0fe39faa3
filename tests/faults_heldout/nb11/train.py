"""Response-surface regression with a dropout MLP."""
from dataclasses import dataclass

import torch
import torch.nn as nn
from sklearn.datasets import make_friedman1
from sklearn.metrics import r2_score
from sklearn.model_selection import train_test_split


@dataclass
class HParams:
    width: int = 128
    depth: int = 3
    keep_prob: float = 0.9
    learning_rate: float = 2e-3
    batch_size: int = 64
    epochs: int = 40


hp = HParams()
torch.manual_seed(29)

X, y = make_friedman1(n_samples=2500, n_features=10, noise=0.5, random_state=29)
X_tr, X_te, y_tr, y_te = train_test_split(X, y, test_size=0.2, random_state=1)
mu, sd = X_tr.mean(0), X_tr.std(0)
y_mu, y_sd = y_tr.mean(), y_tr.std()
to_t = lambda a: torch.tensor(a, dtype=torch.float32)
x_tr, x_te = to_t((X_tr - mu) / sd), to_t((X_te - mu) / sd)
t_tr = to_t((y_tr - y_mu) / y_sd).unsqueeze(1)


def dense(n_in, n_out):
    return [nn.Linear(n_in, n_out), nn.ReLU(), nn.Dropout(hp.keep_prob)]


layers = dense(x_tr.shape[1], hp.width)
for _ in range(hp.depth - 1):
    layers += dense(hp.width, hp.width)
model = nn.Sequential(*layers, nn.Linear(hp.width, 1))

optimizer = torch.optim.Adam(model.parameters(), lr=hp.learning_rate)
mse = nn.MSELoss()

for epoch in range(1, hp.epochs + 1):
    model.train()
    total = 0.0
    for idx in torch.randperm(len(x_tr)).split(hp.batch_size):
        optimizer.zero_grad()
        loss = mse(model(x_tr[idx]), t_tr[idx])
        loss.backward()
        optimizer.step()
        total += loss.item() * len(idx)
    if epoch % 5 == 0:
        model.eval()
        with torch.no_grad():
            fit = model(x_tr).squeeze(1).numpy() * y_sd + y_mu
            pred = model(x_te).squeeze(1).numpy() * y_sd + y_mu
        print(f"epoch {epoch:3d}  loss {total / len(x_tr):.4f}  R2 train {r2_score(y_tr, fit):.3f}  test {r2_score(y_te, pred):.3f}")
