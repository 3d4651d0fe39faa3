import argparse
import os

import numpy as np
import torch
from torch import nn

from risk import concordance, cox_nll
from stopping import BestKeeper


def read(path, seed):
    table = np.genfromtxt(path, delimiter=",", names=True)
    cols = [n for n in table.dtype.names if n not in ("months", "event")]
    x = np.stack([table[c] for c in cols], 1)
    x[:, cols.index("creatinine")] = np.log(x[:, cols.index("creatinine")] + 0.05)
    perm = np.random.default_rng(seed).permutation(len(x))
    tr, va, te = perm[:540], perm[540:700], perm[700:]
    x = (x - x[tr].mean(0)) / x[tr].std(0)
    t = lambda a: torch.tensor(a, dtype=torch.float32)
    return [(t(x[i]), t(table["months"][i]), t(table["event"][i])) for i in (tr, va, te)]


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--seed", type=int, default=4)
    ap.add_argument("--epochs", type=int, default=60)
    ap.add_argument("--lr", type=float, default=5e-4)
    ap.add_argument("--batch", type=int, default=90)
    args = ap.parse_args()
    torch.manual_seed(args.seed)

    here = os.path.dirname(os.path.abspath(__file__))
    (x, t, e), val, test = read(os.path.join(here, "cohort.csv"), args.seed)
    net = nn.Sequential(nn.Linear(x.shape[1], 24), nn.SELU(), nn.Dropout(0.2), nn.Linear(24, 12), nn.SELU(), nn.Linear(12, 1, bias=False))
    opt = torch.optim.AdamW(net.parameters(), lr=args.lr, weight_decay=1e-2)
    keeper = BestKeeper(patience=10)

    for epoch in range(args.epochs):
        net.train()
        losses = []
        for b in torch.randperm(len(x)).split(args.batch):
            loss = cox_nll(net(x[b]).squeeze(-1), t[b], e[b])
            opt.zero_grad()
            loss.backward()
            opt.step()
            losses.append(loss.item())
        net.eval()
        with torch.no_grad():
            rv = net(val[0]).squeeze(-1)
        c = concordance(rv, val[1], val[2])
        print(f"epoch {epoch:3d}  train nll {np.mean(losses):.4f}  val nll {cox_nll(rv, val[1], val[2]):.4f}  val c-index {c:.4f}")
        if keeper.update(c, net):
            break

    net.load_state_dict(keeper.state)
    net.eval()
    with torch.no_grad():
        r = net(test[0]).squeeze(-1)
    print(f"test c-index {concordance(r, test[1], test[2]):.4f}")


if __name__ == "__main__":
    main()
