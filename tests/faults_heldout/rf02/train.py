import argparse

import numpy as np
import torch
import torch.nn.functional as F

from layers import RelGraphNet

RELATIONS = ("cites", "visits", "shares")


def load(path):
    z = np.load(path)
    x = torch.from_numpy(z["feat"].astype(np.float32))
    y = torch.from_numpy(z["label"].astype(np.int64))
    edges = {r: torch.from_numpy(z[r].astype(np.int64)) for r in RELATIONS}
    part = torch.from_numpy(z["split"])
    return x, y, edges, [part == k for k in range(3)]


@torch.no_grad()
def evaluate(net, x, y, edges, mask):
    net.eval()
    out = net(x, edges)[mask]
    return F.cross_entropy(out, y[mask]).item(), (out.argmax(1) == y[mask]).float().mean().item()


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--hidden", type=int, default=8)
    ap.add_argument("--lr", type=float, default=1e-2)
    ap.add_argument("--iters", type=int, default=120)
    ap.add_argument("--seed", type=int, default=3)
    a = ap.parse_args()

    torch.manual_seed(a.seed)
    x, y, edges, (tr, va, te) = load("venues.npz")
    x = (x - x[tr].mean(0)) / x[tr].std(0)
    net = RelGraphNet(x.shape[1], a.hidden, int(y.max()) + 1, RELATIONS)
    opt = torch.optim.Adam(net.parameters(), lr=a.lr, weight_decay=2e-3)

    best, keep = float("inf"), None
    for it in range(1, a.iters + 1):
        net.train()
        opt.zero_grad()
        loss = F.cross_entropy(net(x, edges)[tr], y[tr])
        loss.backward()
        opt.step()
        if it % 10 == 0:
            vl, vacc = evaluate(net, x, y, edges, va)
            if vl < best:
                best, keep = vl, {k: v.clone() for k, v in net.state_dict().items()}
            print(f"iter {it:4d} train {loss.item():.4f} val {vl:.4f} acc {vacc:.3f}")
    net.load_state_dict(keep)
    tl, tacc = evaluate(net, x, y, edges, te)
    print(f"test loss {tl:.4f} acc {tacc:.3f}")


if __name__ == "__main__":
    main()
