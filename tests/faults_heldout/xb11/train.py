# Survival analysis: neural Cox model, functional style, full batch.
from pathlib import Path

import numpy as np
import torch

torch.manual_seed(2)
torch.set_default_dtype(torch.float64)

table = np.genfromtxt(Path(__file__).with_name("cohort.csv"), delimiter=",", names=True)
covariates = [c for c in table.dtype.names if c not in ("months", "event")]
X = np.stack([np.log(table[c]) if c == "marker" else table[c] for c in covariates], 1)
T, E = table["months"], table["event"]

rng = np.random.default_rng(2)
order = rng.permutation(len(T))
tr, va = order[:650], order[650:]
mu, sd = X[tr].mean(0), X[tr].std(0)
X = torch.from_numpy((X - mu) / sd)
T, E = torch.from_numpy(T), torch.from_numpy(E)


def init(sizes):
    params = {}
    for k, (a, b) in enumerate(zip(sizes[:-1], sizes[1:])):
        params[f"w{k}"] = torch.randn(a, b) * (1.0 / a) ** 0.5
        if b > 1:
            params[f"b{k}"] = torch.zeros(b)
    return {k: v.requires_grad_() for k, v in params.items()}


def log_hazard(params, x):
    h = torch.tanh(x @ params["w0"] + params["b0"])
    h = torch.tanh(h @ params["w1"] + params["b1"])
    return (h @ params["w2"]).squeeze(1)


def neg_partial_loglik(eta, t, e):
    """Breslow; the risk set of a patient is everyone still under observation."""
    idx = torch.argsort(t, descending=True)
    eta, e = eta[idx], e[idx]
    return -((eta - torch.logcumsumexp(eta, 0)) * e).sum() / e.sum()


def concordance(eta, t, e):
    earlier = (t[:, None] < t[None, :]) & (e[:, None] == 1)
    higher = (eta[:, None] > eta[None, :]).double() + 0.5 * (eta[:, None] == eta[None, :])
    return (higher[earlier].mean()).item()


params = init([X.shape[1], 16, 8, 1])
first = {k: torch.zeros_like(v) for k, v in params.items()}
second = {k: torch.zeros_like(v) for k, v in params.items()}
lr, b1, b2, ridge = 3e-3, 0.9, 0.99, 0.02

for it in range(1, 241):
    eta = log_hazard(params, X[tr])
    penalty = sum((v ** 2).sum() for k, v in params.items() if k.startswith("w"))
    nll = neg_partial_loglik(eta, T[tr], E[tr])
    grads = torch.autograd.grad(nll + ridge * penalty, list(params.values()))
    with torch.no_grad():
        for (k, p), g in zip(params.items(), grads):
            first[k].mul_(b1).add_(g, alpha=1 - b1)
            second[k].mul_(b2).addcmul_(g, g, value=1 - b2)
            m_hat = first[k] / (1 - b1 ** it)
            v_hat = second[k] / (1 - b2 ** it)
            p -= lr * m_hat / (v_hat.sqrt() + 1e-8)
    if it % 20 == 0:
        with torch.no_grad():
            ev = log_hazard(params, X[va])
            print(
                f"iter {it:3d}  nll {nll.item():.4f}  val nll {neg_partial_loglik(ev, T[va], E[va]).item():.4f}  "
                f"c-index train {concordance(eta, T[tr], E[tr]):.3f} val {concordance(ev, T[va], E[va]):.3f}"
            )
