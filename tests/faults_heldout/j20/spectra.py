"""Concentration from (synthetic) absorption spectra; weights kept as bare tensors."""
import numpy as np
import torch
from sklearn.model_selection import train_test_split

rng = np.random.default_rng(6)
wl = np.linspace(0, 1, 120)


def spectra(n):
    conc = rng.uniform(0, 1, (n, 5))
    centres = np.array([0.15, 0.32, 0.5, 0.68, 0.83])
    lines = np.exp(-((wl[None] - centres[:, None]) / 0.12) ** 2)
    s = conc @ lines
    s = s + 0.25 * (conc[:, :1] * conc[:, 1:2]) * lines[2]
    s = s * rng.uniform(0.8, 1.2, (n, 1)) + rng.normal(0, 0.15, (n, 120)) + rng.normal(0, 0.2, (n, 1)) * wl
    return s, conc[:, 0] - 0.5 * conc[:, 2] + rng.normal(0, 0.15, n)


X, y = spectra(6000)
X_tr, X_va, y_tr, y_va = train_test_split(X, y, train_size=0.05, random_state=0)
m, s = X_tr.mean(0), X_tr.std(0)
ym, ys = y_tr.mean(), y_tr.std()
as_t = lambda a: torch.tensor(a, dtype=torch.float32)
X_tr, X_va = as_t((X_tr - m) / s), as_t((X_va - m) / s)
y_tr, y_va = as_t((y_tr - ym) / ys), as_t((y_va - ym) / ys)

torch.manual_seed(0)


def he(i, o):
    return (torch.randn(i, o) * (2 / i) ** 0.5).requires_grad_()


W1, b1 = he(120, 128), torch.zeros(128, requires_grad=True)
W2, b2 = he(128, 128), torch.zeros(128, requires_grad=True)
w3, b3 = (torch.randn(128) / 128 ** 0.5).requires_grad_(), torch.zeros((), requires_grad=True)
params = [W1, b1, W2, b2, w3, b3]


def net(x):
    h = torch.relu(x @ W1 + b1)
    h = torch.relu(h @ W2 + b2)
    return h @ w3 + b3


opt = torch.optim.Adam(params, lr=1e-3)
STEPS = 500
for step in range(1, STEPS + 1):
    idx = torch.randint(len(X_tr), (min(64, len(X_tr)),))
    loss = (net(X_tr[idx]) - y_tr[idx]).square().mean()
    grads = torch.autograd.grad(loss, params)
    for p, g in zip(params, grads):
        p.grad = g
    opt.step()
    if step % 50 == 0:
        with torch.no_grad():
            tr = (net(X_tr) - y_tr).square().mean().item()
            va = (net(X_va) - y_va).square().mean().item()
        print(f"step {step}: train mse {tr:.4f}  val mse {va:.4f}  val R2 {1 - va / y_va.var().item():.3f}")
