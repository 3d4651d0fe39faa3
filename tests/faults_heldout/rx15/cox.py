import argparse

import torch
from torch import nn

from cohort import folds, read_cohort


class RiskScore(nn.Module):
    def __init__(self, n_features):
        super().__init__()
        self.beta = nn.Linear(n_features, 1, bias=False, dtype=torch.float64)
        nn.init.zeros_(self.beta.weight)

    def forward(self, x):
        return self.beta(x).squeeze(-1)


def partial_nll(risk, months, event):
    order = months.argsort(descending=True)
    risk, event = risk[order], event[order]
    return -(risk - risk.logcumsumexp(0))[event].sum()


def concordance(risk, months, event):
    earlier = (months[:, None] < months[None]) & event[:, None]
    diff = risk[:, None] - risk[None]
    return ((diff > 0).double() + 0.5 * (diff == 0).double())[earlier].mean().item()


def fit(x, months, event, ridge, rounds):
    model = RiskScore(x.shape[1])
    solver = torch.optim.LBFGS(model.parameters(), lr=1.0, max_iter=4, line_search_fn="strong_wolfe")

    def closure():
        solver.zero_grad()
        loss = partial_nll(model(x), months, event) + 0.5 * ridge * model.beta.weight.square().sum()
        loss.backward()
        return loss

    trace = [solver.step(closure).item() for _ in range(rounds)]
    return model, trace


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--table", default="cohort.csv")
    ap.add_argument("--ridge", type=float, default=30.0)
    ap.add_argument("--folds", type=int, default=5)
    ap.add_argument("--repeats", type=int, default=20)
    ap.add_argument("--rounds", type=int, default=8)
    args = ap.parse_args()

    gen = torch.Generator().manual_seed(1871)
    names, x, months, event = read_cohort(args.table)
    print(f"{len(x)} patients, {int(event.sum())} events, {len(names)} covariates")
    outer = []
    for rep in range(args.repeats):
        inner = []
        for tr, te in folds(len(x), args.folds, gen):
            mu, sd = x[tr].mean(0), x[tr].std(0)
            model, trace = fit((x[tr] - mu) / sd, months[tr], event[tr], args.ridge, args.rounds)
            with torch.no_grad():
                risk = model((x[te] - mu) / sd)
                inner.append(concordance(risk, months[te], event[te]))
        outer.append(sum(inner) / len(inner))
        if rep % 5 == 0:
            print(f"repeat {rep:2d}  objective {trace[0]:.2f} -> {trace[-1]:.2f}  C-index {outer[-1]:.3f}")
    print(f"mean C-index {sum(outer) / len(outer):.3f}")

    model, _ = fit((x - x.mean(0)) / x.std(0), months, event, args.ridge, args.rounds)
    for name, b in sorted(zip(names, model.beta.weight[0].tolist()), key=lambda t: -abs(t[1]))[:5]:
        print(f"  {name:12s} {b:+.3f}")


if __name__ == "__main__":
    main()
