"""Exact Gaussian process with automatic relevance determination, type-II maximum likelihood."""
import math

import torch
from sklearn.datasets import load_diabetes

torch.set_default_dtype(torch.float64)
torch.manual_seed(1)

X, y = map(torch.tensor, load_diabetes(return_X_y=True))
order = torch.randperm(len(X))
train, test = order[:310], order[310:]
X = (X - X[train].mean(0)) / X[train].std(0)
mu, sd = y[train].mean(), y[train].std()
y = (y - mu) / sd

params = {
    "log_scale": torch.full((X.shape[1],), math.log(3.0)),
    "log_signal": torch.tensor(0.0),
    "log_linear": torch.tensor(-1.0),
    "log_noise": torch.tensor(-0.7),
}
for p in params.values():
    p.requires_grad_()


def kernel(a, b):
    s = params["log_scale"].exp()
    d2 = ((a[:, None] - b[None]) / s).pow(2).sum(-1)
    rbf = params["log_signal"].exp() * torch.exp(-0.5 * d2)
    linear = params["log_linear"].exp() * (a / s) @ (b / s).T
    return rbf + linear


def factor():
    K = kernel(X[train], X[train])
    noise = params["log_noise"].exp() + 1e-6
    L = torch.linalg.cholesky(K + noise * torch.eye(len(train)))
    alpha = torch.cholesky_solve(y[train][:, None], L)
    return L, alpha


def negative_log_evidence():
    L, alpha = factor()
    fit = 0.5 * y[train] @ alpha[:, 0]
    logdet = L.diagonal().log().sum()
    n = len(train)
    prior = 0.5 * ((params["log_scale"] - math.log(3.0)) ** 2).sum()
    return (fit + logdet + 0.5 * n * math.log(2 * math.pi) + prior) / n


@torch.no_grad()
def predict(points):
    L, alpha = factor()
    k = kernel(points, X[train])
    mean = (k @ alpha)[:, 0]
    v = torch.linalg.solve_triangular(L, k.T, upper=False)
    var = kernel(points, points).diagonal() - v.pow(2).sum(0) + params["log_noise"].exp()
    return mean, var


optimizer = torch.optim.LBFGS(
    params.values(), lr=1.0, max_iter=5, history_size=12, line_search_fn="strong_wolfe"
)


def closure():
    optimizer.zero_grad()
    loss = negative_log_evidence()
    loss.backward()
    return loss


for round_ in range(5):
    loss = optimizer.step(closure)
    mean, var = predict(X[test])
    r2 = 1 - (mean - y[test]).pow(2).mean() / y[test].var(unbiased=False)
    nlpd = 0.5 * (var.log() + (mean - y[test]).pow(2) / var + math.log(2 * math.pi)).mean()
    print(f"round {round_}: -log evidence/n {loss.item():.4f}  test nlpd {nlpd:.4f}  R2 {r2:.3f}")
