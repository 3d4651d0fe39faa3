import argparse
import time

import torch
import torch.nn.functional as F
from sklearn.metrics import roc_auc_score

from fields import batches, load_clicks
from fm import FactorizationMachine


def parse():
    p = argparse.ArgumentParser()
    p.add_argument("--data", default="clicks.npz")
    p.add_argument("--item-factors", default="item_factors.npy")
    p.add_argument("--item-field", default="f1")
    p.add_argument("--freeze", nargs="*", default=[])
    p.add_argument("--rank", type=int, default=8)
    p.add_argument("--lr", type=float, default=5e-3)
    p.add_argument("--l2", type=float, default=1e-5)
    p.add_argument("--batch", type=int, default=128)
    p.add_argument("--epochs", type=int, default=10)
    p.add_argument("--seed", type=int, default=0)
    return p.parse_args()


def score(model, loader):
    model.eval()
    logits, ys = [], []
    with torch.no_grad():
        for x, y in loader:
            logits.append(model(x))
            ys.append(y)
    logits, ys = torch.cat(logits), torch.cat(ys)
    return F.binary_cross_entropy_with_logits(logits, ys).item(), roc_auc_score(ys.numpy(), logits.numpy())


def main():
    args = parse()
    torch.manual_seed(args.seed)
    cards, parts = load_clicks(args.data)
    train, valid = batches(parts["train"], args.batch, True), batches(parts["valid"], 1024, False)

    model = FactorizationMachine(cards, args.rank)
    model.install(args.item_field, args.item_factors)
    model.freeze(args.freeze)
    opt = torch.optim.Adam([p for p in model.parameters() if p.requires_grad],
                           lr=args.lr, weight_decay=args.l2)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, args.epochs)

    for epoch in range(args.epochs):
        t0, total = time.time(), 0.0
        model.train()
        for x, y in train:
            loss = F.binary_cross_entropy_with_logits(model(x), y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item()
        sched.step()
        logloss, auc = score(model, valid)
        print(f"[{epoch:02d}] train {total / len(train):.4f} | valid logloss {logloss:.4f} "
              f"auc {auc:.4f} | {time.time() - t0:.1f}s")


if __name__ == "__main__":
    main()
