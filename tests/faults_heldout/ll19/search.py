"""Five-fold search over weight decay and width of a Cox network, then one fit with the best setting."""
import itertools
import statistics

import torch

from cohort import folds, read
from cox import RiskScore, concordance, partial_nll

GRID = {"weight_decay": [0.01, 0.3], "width": [8, 24]}
EPOCHS, BATCH, LR, DROPOUT, FOLDS = 30, 128, 4e-3, 0.2, 5


def standardise(ref, *parts):
    mu, sd = ref.mean(0), ref.std(0)
    return [(p - mu) / sd for p in parts]


def fit(x, months, died, setting, seed, log=None):
    torch.manual_seed(seed)
    net = RiskScore(x.size(1), setting["width"], DROPOUT)
    opt = torch.optim.AdamW(net.parameters(), lr=LR, weight_decay=setting["weight_decay"])
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, EPOCHS)
    n_batches = len(x) // BATCH
    for epoch in range(EPOCHS):
        net.train()
        losses = []
        for idx in torch.randperm(len(x)).chunk(n_batches):
            loss = partial_nll(net(x[idx]), months[idx], died[idx])
            opt.zero_grad()
            loss.backward()
            opt.step()
            losses.append(loss.item())
        sched.step()
        if log and epoch % 5 == 4:
            log(epoch + 1, statistics.mean(losses), net)
    return net.eval()


@torch.no_grad()
def c_index(net, x, months, died):
    net.eval()
    return concordance(net(x), months, died)


def main():
    x, months, died, cols = read()
    g = torch.Generator().manual_seed(50)
    order = torch.randperm(len(x), generator=g)
    dev, test = order[:1000], order[1000:]
    print(f"{len(dev)} patients for the search, {len(test)} kept aside, {died.mean():.2f} died, inputs: {', '.join(cols)}")

    results = {}
    for values in itertools.product(*GRID.values()):
        setting = dict(zip(GRID, values))
        scores = []
        for k, (tr, va) in enumerate(folds(len(dev), FOLDS, torch.Generator().manual_seed(51))):
            tr, va = dev[tr], dev[va]
            xt, xv = standardise(x[tr], x[tr], x[va])
            net = fit(xt, months[tr], died[tr], setting, seed=k)
            scores.append(c_index(net, xv, months[va], died[va]))
        results[values] = statistics.mean(scores)
        print(setting, "c-index", f"{results[values]:.4f} +- {statistics.stdev(scores):.4f}")

    best = dict(zip(GRID, max(results, key=results.get)))
    print("final fit with", best)
    xd, xs = standardise(x[dev], x[dev], x[test])

    def log(epoch, loss, net):
        print(f"epoch {epoch:3d}  partial nll {loss:.4f}  c-index fit {c_index(net, xd, months[dev], died[dev]):.4f}")

    net = fit(xd, months[dev], died[dev], best, seed=99, log=log)
    print(f"kept-aside patients: c-index {c_index(net, xs, months[test], died[test]):.4f}")


if __name__ == "__main__":
    main()
