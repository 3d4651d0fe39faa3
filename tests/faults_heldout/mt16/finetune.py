"""Electrical plan symbols: start from the weights of the basic-shapes net."""
import argparse
from pathlib import Path

import torch
import torch.nn.functional as F

from nets import SymbolNet
from symbols import dataset

HERE = Path(__file__).parent
PLAN = ["valve", "pump", "lamp", "socket", "switch"]


def warm_start(net, path):
    saved = torch.load(path, map_location="cpu", weights_only=True)
    own = net.state_dict()
    usable = {k: v for k, v in saved.items() if k in own and own[k].shape == v.shape}
    rest = net.load_state_dict(usable, strict=False)
    print(f"{len(usable)} of {len(own)} tensors from {path.name}; new: {', '.join(rest.missing_keys)}")
    return set(rest.missing_keys)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--weights", default="shapes.pt")
    ap.add_argument("--epochs", type=int, default=16)
    ap.add_argument("--n", type=int, default=600)
    ap.add_argument("--seed", type=int, default=23)
    a = ap.parse_args()
    torch.manual_seed(a.seed)

    x, y = dataset(PLAN, a.n, a.seed)
    xv, yv = dataset(PLAN, 1000, a.seed + 5000)
    net = SymbolNet(len(PLAN), neck=48)
    new = warm_start(net, HERE / a.weights)
    groups = [
        {"params": [p for n, p in net.named_parameters() if n in new], "lr": 2e-3},
        {"params": [p for n, p in net.named_parameters() if n not in new], "lr": 4e-4},
    ]
    opt = torch.optim.AdamW(groups, weight_decay=0.01)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, a.epochs)
    for epoch in range(1, a.epochs + 1):
        net.train()
        total = 0.0
        for idx in torch.randperm(len(y)).split(30):
            loss = F.cross_entropy(net(x[idx]), y[idx])
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item() * len(idx)
        sched.step()
        net.eval()
        with torch.no_grad():
            out = net(xv)
        print(f"epoch {epoch:2d} loss {total / len(y):.4f} val loss {F.cross_entropy(out, yv).item():.4f} "
              f"val acc {(out.argmax(1) == yv).float().mean().item():.4f}")


if __name__ == "__main__":
    main()
