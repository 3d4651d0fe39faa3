"""FixMatch with 4 labels per digit. A logistic regression on the same labels is the reference."""
import numpy as np
import torch
from sklearn.datasets import load_digits
from sklearn.linear_model import LogisticRegression

from semi.trainer import FixMatch

CFG = dict(lr=0.04, steps=600, batch=32, mu=3, threshold=0.92, lambda_u=1.0, ema=0.98)


def fit(xl, yl, xu, xt, yt, seed):
    torch.manual_seed(seed)
    algo = FixMatch(CFG, torch.Generator().manual_seed(seed))
    log = []
    for s in range(1, CFG["steps"] + 1):
        log.append(algo.step(xl, yl, xu))
        if s % 100 == 0:
            sup, uns, share = np.mean(log[-100:], 0)
            print(f"step {s:4d} sup {sup:.3f} unsup {uns:.3f} kept {share:.2f} test acc {algo.accuracy(xt, yt):.3f}")
    return algo.accuracy(xt, yt)


def main():
    d = load_digits()
    x = torch.tensor(d.images, dtype=torch.float32)[:, None] / 16
    y = torch.tensor(d.target)
    perm = torch.from_numpy(np.random.default_rng(9).permutation(len(x)))
    train, test = perm[:1300], perm[1300:]
    lab = torch.cat([train[y[train] == c][:4] for c in range(10)])
    unl = train[~torch.isin(train, lab)]
    ref = LogisticRegression(max_iter=500).fit(x[lab].flatten(1).numpy(), y[lab].numpy())
    base = ref.score(x[test].flatten(1).numpy(), y[test].numpy())
    semi = fit(x[lab], y[lab], x[unl], x[test], y[test], seed=9)
    print(f"{len(lab)} labels, {len(unl)} unlabeled: logistic regression {base:.3f}, fixmatch {semi:.3f}")


if __name__ == "__main__":
    main()
