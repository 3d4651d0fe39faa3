"""Siamese network for walker verification from phone gait features."""
import argparse
import logging
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader

from gaitid.data import PairDataset, load_windows
from gaitid.model import GaitEncoder, contrastive_loss

HERE = Path(__file__).resolve().parent
log = logging.getLogger("siamese")


@torch.no_grad()
def verification(model, loader, margin):
    model.eval()
    dist, same = [], []
    for a, b, label in loader:
        dist.append(F.pairwise_distance(model(a), model(b)))
        same.append(label)
    dist, same = torch.cat(dist), torch.cat(same).bool()
    accepted = dist < margin / 2
    far = (accepted & ~same).sum().item() / max((~same).sum().item(), 1)
    frr = (~accepted & same).sum().item() / max(same.sum().item(), 1)
    return {"acc": (accepted == same).float().mean().item(), "far": far, "frr": frr}


def train_epoch(model, loader, margin, optimizer, epoch, log_every):
    model.train()
    running = []
    for step, (a, b, label) in enumerate(loader, 1):
        optimizer.zero_grad()
        loss = contrastive_loss(model(a), model(b), label, margin)
        loss.backward()
        optimizer.step()
        running.append(loss.item())
        if step % log_every == 0:
            log.info("epoch %d [%d/%d] loss %.4f", epoch, step, len(loader), np.mean(running[-log_every:]))
    return float(np.mean(running))


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--data", type=Path, default=HERE / "gait_windows.npz")
    p.add_argument("--epochs", type=int, default=8)
    p.add_argument("--pairs", type=int, default=3200)
    p.add_argument("--batch-size", type=int, default=32)
    p.add_argument("--lr", type=float, default=1e-3)
    p.add_argument("--margin", type=float, default=2.0)
    p.add_argument("--dim", type=int, default=16)
    p.add_argument("--log-every", type=int, default=50)
    p.add_argument("--seed", type=int, default=8)
    args = p.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s", datefmt="%H:%M:%S")
    torch.manual_seed(args.seed)

    (x_tr, w_tr), (x_te, w_te) = load_windows(args.data, seed=args.seed)
    log.info("%d train windows, %d val windows, %d walkers", len(w_tr), len(w_te), len(np.unique(w_tr)))
    train_loader = DataLoader(PairDataset(x_tr, w_tr, args.pairs, args.seed), batch_size=args.batch_size)

    model = GaitEncoder(x_tr.shape[1], dim=args.dim)
    optimizer = torch.optim.Adam(model.parameters(), lr=args.lr)
    scheduler = torch.optim.lr_scheduler.ExponentialLR(optimizer, 0.85)

    best = 0.0
    for epoch in range(1, args.epochs + 1):
        loss = train_epoch(model, train_loader, args.margin, optimizer, epoch, args.log_every)
        scheduler.step()
        val_loader = DataLoader(PairDataset(x_te, w_te, 1000, seed=1), batch_size=250)
        m = verification(model, val_loader, args.margin)
        log.info("epoch %d loss %.4f | val acc %.3f FAR %.3f FRR %.3f", epoch, loss, m["acc"], m["far"], m["frr"])
        if m["acc"] > best:
            best = m["acc"]
            torch.save(model.state_dict(), HERE / "gait_encoder.pt")
    log.info("best verification accuracy %.3f", best)


if __name__ == "__main__":
    main()
