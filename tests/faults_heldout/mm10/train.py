import argparse
import copy
import pathlib

import numpy as np
import torch
import torch.nn.functional as F

from gcn import GCN, normalise


class Patience:
    """Keeps the weights with the lowest validation loss."""

    def __init__(self, limit):
        self.limit, self.best, self.count, self.state, self.epoch = limit, float("inf"), 0, None, -1

    def update(self, value, model, epoch):
        if value < self.best:
            self.best, self.count, self.epoch = value, 0, epoch
            self.state = copy.deepcopy(model.state_dict())
        else:
            self.count += 1
        return self.count >= self.limit


def run(model, x, adj, y, idx, args):
    decay, rest = list(model.parameters())[:2], list(model.parameters())[2:]
    opt = torch.optim.Adam([{"params": decay, "weight_decay": args.wd}, {"params": rest}], lr=args.lr)
    stop = Patience(args.patience)
    for ep in range(args.epochs):
        model.train()
        opt.zero_grad()
        loss = F.cross_entropy(model(x, adj)[idx["train"]], y[idx["train"]])
        loss.backward()
        opt.step()
        model.eval()
        with torch.no_grad():
            out = model(x, adj)
            vl = F.cross_entropy(out[idx["val"]], y[idx["val"]]).item()
            va = (out[idx["val"]].argmax(1) == y[idx["val"]]).float().mean().item()
        if ep % 25 == 0:
            print(f"  epoch {ep:4d} train loss {loss.item():.4f} val loss {vl:.4f} val acc {va:.4f}")
        if stop.update(vl, model, ep):
            break
    model.load_state_dict(stop.state)
    model.eval()
    with torch.no_grad():
        acc = (model(x, adj).argmax(1) == y)[idx["test"]].float().mean().item()
    print(f"  stopped at {ep}, best epoch {stop.epoch} val loss {stop.best:.4f} -> test acc {acc:.4f}")
    return acc


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--lr", type=float, default=0.01)
    ap.add_argument("--wd", type=float, default=5e-3)
    ap.add_argument("--hidden", type=int, default=32)
    ap.add_argument("--dropout", type=float, default=0.5)
    ap.add_argument("--epochs", type=int, default=600)
    ap.add_argument("--patience", type=int, default=40)
    args = ap.parse_args()

    z = np.load(pathlib.Path(__file__).parent / "graph.npz")
    V = int(z["vocab"])
    x = torch.from_numpy(np.unpackbits(z["words"], axis=1)[:, :V]).float()
    x = x / x.sum(1, keepdim=True).clamp_min(1) * 4
    y = torch.from_numpy(z["y"]).long()
    adj = normalise(torch.from_numpy(z["src"]).long(), torch.from_numpy(z["dst"]).long(), len(y))
    idx = {k: torch.from_numpy(z[k]) for k in ("train", "val", "test")}
    print({k: len(v) for k, v in idx.items()}, "edges", adj._nnz())

    spread = torch.zeros(len(y), 5)
    spread[idx["train"], y[idx["train"]]] = 1
    seed = spread.clone()
    for _ in range(30):
        spread = 0.9 * torch.sparse.mm(adj, spread) + 0.1 * seed
    acc = (spread.argmax(1) == y)[idx["test"]].float().mean().item()
    print(f"label propagation: test acc {acc:.4f}")

    torch.manual_seed(0)
    run(GCN(V, args.hidden, 5, args.dropout), x, adj, y, idx, args)


if __name__ == "__main__":
    main()
