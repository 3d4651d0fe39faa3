"""Penalised spline logistic regression, fitted with L-BFGS."""
import numpy as np
import torch
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import SplineTransformer, StandardScaler
from torch import nn

PENALTY = 1e-3


def design():
    d = load_breast_cancer()
    xt, xv, yt, yv = train_test_split(d.data[:, :10], d.target, test_size=0.3, stratify=d.target, random_state=5)
    scale = StandardScaler().fit(xt)
    spline = SplineTransformer(n_knots=5, degree=3, extrapolation="linear").fit(scale.transform(xt))
    f = lambda x: torch.tensor(spline.transform(scale.transform(x)), dtype=torch.float64)
    return f(xt), torch.tensor(yt, dtype=torch.float64), f(xv), torch.tensor(yv, dtype=torch.float64)


def main():
    torch.manual_seed(0)
    xt, yt, xv, yv = design()
    model = nn.Linear(xt.shape[1], 1).double()
    bce = nn.BCEWithLogitsLoss()
    opt = torch.optim.LBFGS(model.parameters(), lr=1.0, max_iter=1, history_size=4, line_search_fn="strong_wolfe")

    def objective():
        return bce(model(xt).squeeze(1), yt) + 0.5 * PENALTY * model.weight.pow(2).sum()

    def closure():
        opt.zero_grad()
        value = objective()
        value.backward()
        return value

    for it in range(64):
        model.train()
        value = opt.step(closure)
        if it % 8 == 7:
            model.eval()
            with torch.no_grad():
                out = model(xv).squeeze(1)
                acc = ((out > 0).double() == yv).double().mean().item()
                print(f"iter {it + 1:3d} objective {value.item():.6f} val log-loss {bce(out, yv).item():.4f} acc {acc:.4f}")


if __name__ == "__main__":
    main()
