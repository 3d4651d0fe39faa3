import argparse
import copy

import torch
import torch.nn.functional as F

from graphs.data import citation_like
from graphs.gcn import GCN


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--hidden", type=int, default=32)
    ap.add_argument("--dropout", type=float, default=0.6)
    ap.add_argument("--lr", type=float, default=0.01)
    ap.add_argument("--weight-decay", type=float, default=5e-4)
    ap.add_argument("--max-epochs", type=int, default=1500)
    ap.add_argument("--patience", type=int, default=100)
    opt = ap.parse_args()

    torch.manual_seed(42)
    x, y, a, masks = citation_like(seed=3)
    model = GCN(x.shape[1], opt.hidden, int(y.max()) + 1, opt.dropout)
    optim = torch.optim.Adam([
        {"params": [model.w1.weight, model.w2.weight], "weight_decay": opt.weight_decay},
        {"params": [model.b1, model.b2], "weight_decay": 0.0},
    ], lr=opt.lr)

    best, best_state, since = float("inf"), None, 0
    for epoch in range(1, opt.max_epochs + 1):
        model.train()
        optim.zero_grad()
        loss = F.cross_entropy(model(x, a)[masks["train"]], y[masks["train"]])
        loss.backward()
        optim.step()

        model.eval()
        with torch.no_grad():
            out = model(x, a)
            val = F.cross_entropy(out[masks["val"]], y[masks["val"]]).item()
            acc = (out.argmax(1) == y)[masks["val"]].float().mean().item()
        if val < best:
            best, best_state, since = val, copy.deepcopy(model.state_dict()), 0
        else:
            since += 1
        if epoch % 50 == 0:
            print(f"epoch {epoch:4d} train {loss.item():.4f} val {val:.4f} acc {acc:.3f}")
        if since >= opt.patience:
            print(f"no progress for {opt.patience} epochs, stop at {epoch}")
            break

    model.load_state_dict(best_state)
    model.eval()
    with torch.no_grad():
        hit = (model(x, a).argmax(1) == y)[masks["test"]].float().mean().item()
    print(f"best val loss {best:.4f}, test accuracy {hit:.3f}")


if __name__ == "__main__":
    main()
