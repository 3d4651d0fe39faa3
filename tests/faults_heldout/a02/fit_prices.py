"""Second-hand car price model: category embeddings + numeric columns -> log10 price."""
import argparse
import csv
import json
import logging
import math
import os
import random

import numpy as np
import torch
import torch.nn as nn

BASE = os.path.dirname(os.path.abspath(__file__))
CATS = ["make", "fuel", "gearbox", "region"]
NUMS = ["age_years", "km", "power_kw", "owners", "doors"]
logger = logging.getLogger("prices")


def parse_args():
    ap = argparse.ArgumentParser()
    ap.add_argument("--train", default=os.path.join(BASE, "data", "offers_train.csv"))
    ap.add_argument("--valid", default=os.path.join(BASE, "data", "offers_valid.csv"))
    ap.add_argument("--schema", default=os.path.join(BASE, "data", "schema.json"))
    ap.add_argument("--save-dir", default=os.path.join(BASE, "out"))
    ap.add_argument("--epochs", type=int, default=25)
    ap.add_argument("--batch-size", type=int, default=64)
    ap.add_argument("--lr", type=float, default=3e-3)
    ap.add_argument("--patience", type=int, default=6)
    ap.add_argument("--seed", type=int, default=5)
    return ap.parse_args()


def to_float(cell):
    return float(cell) if cell != "" else float("nan")


class OfferTable:
    """Columns of one csv as tensors; scaling comes from the schema file of the warehouse."""

    def __init__(self, path, schema):
        with open(path, newline="") as fh:
            rows = list(csv.DictReader(fh))
        self.cat = torch.tensor(
            [[schema["levels"][c].index(r[c]) for c in CATS] for r in rows], dtype=torch.long
        )
        num = np.array([[to_float(r[c]) for c in NUMS] for r in rows], dtype=np.float32)
        centre = np.array([schema["centre"][c] for c in NUMS], dtype=np.float32)
        scale = np.array([schema["scale"][c] for c in NUMS], dtype=np.float32)
        self.num = torch.from_numpy((num - centre) / scale)
        self.y = torch.tensor([math.log10(float(r["price"])) for r in rows])

    def __len__(self):
        return len(self.y)

    def batches(self, size, generator=None):
        if generator is None:
            order = torch.arange(len(self))
        else:
            order = torch.randperm(len(self), generator=generator)
        for idx in order.split(size):
            yield self.cat[idx], self.num[idx], self.y[idx]


class PriceNet(nn.Module):
    def __init__(self, cardinalities, n_num, y_mean):
        super().__init__()
        self.embs = nn.ModuleList(nn.Embedding(c, min(8, (c + 1) // 2)) for c in cardinalities)
        width = sum(e.embedding_dim for e in self.embs) + n_num
        self.mlp = nn.Sequential(
            nn.Linear(width, 64), nn.SiLU(), nn.Dropout(0.05),
            nn.Linear(64, 32), nn.SiLU(),
            nn.Linear(32, 1),
        )
        nn.init.constant_(self.mlp[-1].bias, y_mean)

    def forward(self, cat, num):
        parts = [emb(cat[:, i]) for i, emb in enumerate(self.embs)]
        return self.mlp(torch.cat(parts + [num], dim=1)).squeeze(1)


@torch.no_grad()
def validate(net, table):
    net.eval()
    err, sq = 0.0, 0.0
    for cat, num, y in table.batches(512):
        p = net(cat, num)
        sq += ((p - y) ** 2).sum().item()
        err += (10 ** (p - y) - 1).abs().sum().item()
    var = ((table.y - table.y.mean()) ** 2).sum().item()
    return 1 - sq / var, err / len(table)


def main():
    args = parse_args()
    logging.basicConfig(level=logging.INFO, format="[%(name)s] %(message)s")
    random.seed(args.seed)
    np.random.seed(args.seed)
    torch.manual_seed(args.seed)
    os.makedirs(args.save_dir, exist_ok=True)

    with open(args.schema) as fh:
        schema = json.load(fh)
    train, valid = OfferTable(args.train, schema), OfferTable(args.valid, schema)
    logger.info("%d training offers, %d validation offers", len(train), len(valid))

    net = PriceNet([len(schema["levels"][c]) for c in CATS], len(NUMS), train.y.mean().item())
    opt = torch.optim.AdamW(net.parameters(), lr=args.lr, weight_decay=1e-3)
    sched = torch.optim.lr_scheduler.ReduceLROnPlateau(opt, mode="max", factor=0.4, patience=2)
    gen = torch.Generator().manual_seed(args.seed)
    loss_fn = nn.SmoothL1Loss(beta=0.1)

    best, since = -math.inf, 0
    for epoch in range(args.epochs):
        net.train()
        running = []
        for cat, num, y in train.batches(args.batch_size, gen):
            loss = loss_fn(net(cat, num), y)
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(net.parameters(), 2.0)
            opt.step()
            running.append(loss.item())
        r2, ape = validate(net, valid)
        sched.step(r2)
        logger.info("epoch %2d loss %.5f valid r2 %.4f mape %.3f lr %.1e",
                    epoch, sum(running) / len(running), r2, ape, opt.param_groups[0]["lr"])
        if r2 > best:
            best, since = r2, 0
            torch.save(net.state_dict(), os.path.join(args.save_dir, "best.pt"))
        else:
            since += 1
            if since > args.patience:
                break
    logger.info("finished, best valid r2 %.4f", best)


if __name__ == "__main__":
    main()
