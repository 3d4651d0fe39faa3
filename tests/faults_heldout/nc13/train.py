import argparse
from pathlib import Path

import torch
import torch.nn.functional as F

from tabnet import ResidualTabNet, TabConfig
from utils.data import load_events
from utils.init import init_model
from utils.logging import TableLogger

ROOT = Path(__file__).resolve().parent


def get_args():
    p = argparse.ArgumentParser(description="Event classification from reconstructed kinematics")
    p.add_argument("--data", default=str(ROOT / "data" / "events.npz"))
    p.add_argument("--block", default="residual", choices=["residual", "gated"])
    p.add_argument("--depth", type=int, default=4)
    p.add_argument("--dim", type=int, default=48)
    p.add_argument("--epochs", type=int, default=18)
    p.add_argument("--batch-size", type=int, default=64)
    p.add_argument("--lr", type=float, default=2e-3)
    p.add_argument("--weight-decay", type=float, default=1e-3)
    p.add_argument("--seed", type=int, default=2)
    return p.parse_args()


@torch.no_grad()
def evaluate(model, x, y):
    model.eval()
    logits = model(x)
    return F.cross_entropy(logits, y).item(), (logits.argmax(1) == y).float().mean().item()


def main():
    args = get_args()
    torch.manual_seed(args.seed)
    (x_tr, y_tr), (x_va, y_va) = load_events(args.data, args.seed)
    cfg = TabConfig(x_tr.shape[1], int(y_tr.max()) + 1, dim=args.dim, depth=args.depth, block=args.block)
    model = init_model(ResidualTabNet(cfg))
    optimizer = torch.optim.AdamW(model.parameters(), lr=args.lr, weight_decay=args.weight_decay)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, args.epochs)
    log = TableLogger(["epoch", "train_loss", "val_loss", "val_acc"])
    for epoch in range(1, args.epochs + 1):
        model.train()
        total = 0.0
        for idx in torch.randperm(len(y_tr)).split(args.batch_size):
            loss = F.cross_entropy(model(x_tr[idx]), y_tr[idx])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss.item() * len(idx)
        scheduler.step()
        val_loss, val_acc = evaluate(model, x_va, y_va)
        log.row(epoch=epoch, train_loss=total / len(y_tr), val_loss=val_loss, val_acc=val_acc)


if __name__ == "__main__":
    main()
