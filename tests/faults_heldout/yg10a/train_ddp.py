"""Readmission risk model, trained data-parallel over the hospital shards.

Every worker reads the shards whose number modulo the world size equals its rank.
"""
import argparse
import logging
import os
import tempfile
from pathlib import Path

import numpy as np
import torch
import torch.distributed as dist
import torch.multiprocessing as mp
import torch.nn as nn
import torch.nn.functional as F
from sklearn.metrics import roc_auc_score
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import ConcatDataset, DataLoader, TensorDataset

HERE = Path(__file__).resolve().parent


def as_dataset(path):
    with np.load(path) as f:
        return TensorDataset(torch.from_numpy(f["x"]), torch.from_numpy(f["y"]).float())


class RiskModel(nn.Module):
    def __init__(self, n_features=16, hidden=64, dropout=0.1):
        super().__init__()
        self.backbone = nn.Sequential(
            nn.Linear(n_features, hidden), nn.ReLU(), nn.Dropout(dropout),
            nn.Linear(hidden, hidden), nn.ReLU(),
        )
        self.head = nn.Linear(hidden, 1)

    def forward(self, x):
        return self.head(self.backbone(x)).squeeze(1)


def setup_logging(rank):
    logging.basicConfig(
        level=logging.INFO if rank == 0 else logging.WARNING,
        format=f"[rank {rank}] %(message)s",
    )
    return logging.getLogger("ddp")


@torch.no_grad()
def evaluate(model, dataset):
    model.eval()
    x, y = dataset.tensors
    logits = model(x)
    loss = F.binary_cross_entropy_with_logits(logits, y).item()
    acc = ((logits > 0).float() == y).float().mean().item()
    return loss, acc, roc_auc_score(y.numpy(), logits.numpy())


def worker(rank, args, init_file):
    torch.set_num_threads(1)
    torch.manual_seed(args.seed)
    log = setup_logging(rank)
    dist.init_process_group("gloo", init_method=f"file://{init_file}", rank=rank, world_size=args.workers)

    shards = sorted((HERE / "data").glob("shard_*.npz"))
    mine = [p for k, p in enumerate(shards) if k % args.workers == rank]
    train_set = ConcatDataset([as_dataset(p) for p in mine])
    heldout = as_dataset(HERE / "data" / "heldout.npz")
    loader = DataLoader(
        train_set, batch_size=args.batch_size, shuffle=True, drop_last=True,
        generator=torch.Generator().manual_seed(args.seed + rank),
    )

    model = RiskModel()
    ddp = DDP(model)
    optimizer = torch.optim.AdamW(model.parameters(), lr=args.lr, weight_decay=1e-3)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, args.epochs)
    log.info("%d workers, %d shards, %d steps per epoch", args.workers, len(shards), len(loader))

    best = 0.0
    for epoch in range(1, args.epochs + 1):
        ddp.train()
        total = torch.zeros(())
        for x, y in loader:
            loss = F.binary_cross_entropy_with_logits(ddp(x), y)
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            optimizer.step()
            total += loss.detach()
        scheduler.step()
        stat = total / len(loader)
        dist.all_reduce(stat)
        if rank == 0:
            val_loss, acc, auc = evaluate(model, heldout)
            log.info("epoch %d  train %.4f  val %.4f  acc %.3f  AUC %.3f",
                     epoch, stat.item() / args.workers, val_loss, acc, auc)
            if auc > best:
                best = auc
                torch.save(model.state_dict(), HERE / "risk.pt")
        dist.barrier()
    log.info("best AUC %.3f", best)
    dist.destroy_process_group()


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--workers", type=int, default=2)
    p.add_argument("--epochs", type=int, default=15)
    p.add_argument("--batch-size", type=int, default=32)
    p.add_argument("--lr", type=float, default=3e-3)
    p.add_argument("--seed", type=int, default=4)
    args = p.parse_args()
    with tempfile.TemporaryDirectory() as tmp:
        mp.spawn(worker, args=(args, os.path.join(tmp, "rendezvous")), nprocs=args.workers)


if __name__ == "__main__":
    main()
