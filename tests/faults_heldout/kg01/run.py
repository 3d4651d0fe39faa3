"""Research area of a paper from its abstract vector and three kinds of links."""
import argparse
import numpy as np
import torch
import torch.nn.functional as F

from rgcn import AreaNet, make_optimizer


def adjacency(edges, n, n_rel):
    mats = []
    for r in range(n_rel):
        e = edges[edges[:, 2] == r]
        src, dst = e[:, 0], e[:, 1]
        deg = np.bincount(src, minlength=n).clip(min=1)
        idx = torch.tensor(np.stack([src, dst]), dtype=torch.long)
        val = torch.tensor(1.0 / deg[src], dtype=torch.float32)
        mats.append(torch.sparse_coo_tensor(idx, val, (n, n)).coalesce())
    return mats


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--hidden", type=int, default=16)
    ap.add_argument("--epochs", type=int, default=200)
    ap.add_argument("--lr", type=float, default=0.005)
    ap.add_argument("--wd", type=float, default=0.05)
    ap.add_argument("--seed", type=int, default=3)
    args = ap.parse_args()
    torch.manual_seed(args.seed)

    z = np.load("papers.npz")
    x = torch.tensor(z["x"].astype("float32"))
    y = torch.tensor(z["y"]).long()
    n = len(y)
    order = torch.tensor(z["order"])
    train, val = order[:450], order[450:]
    x = (x - x[train].mean(0)) / x[train].std(0)
    adj = adjacency(z["edges"], n, 3)

    model = AreaNet(x.shape[1], 3, args.hidden, int(y.max()) + 1)
    opt = make_optimizer(model, args.lr, args.wd)
    for epoch in range(1, args.epochs + 1):
        model.train()
        opt.zero_grad()
        loss = F.cross_entropy(model(x, adj)[train], y[train])
        loss.backward()
        opt.step()
        if epoch % 20 == 0:
            model.eval()
            with torch.no_grad():
                logits = model(x, adj)
                hit = (logits.argmax(1) == y).float()
                print(f"{epoch:4d}  loss {loss.item():.4f}  val loss {F.cross_entropy(logits[val], y[val]).item():.4f}"
                      f"  acc train {hit[train].mean().item():.3f}  val {hit[val].mean().item():.3f}")


if __name__ == "__main__":
    main()
