import argparse
import json
import logging
import random

import numpy as np
import torch
from torch import nn

from gearbox.data import make_loaders
from gearbox.net import FaultClassifier
from gearbox.weights import restore

log = logging.getLogger("finetune")


@torch.no_grad()
def evaluate(model, loader):
    model.eval()
    loss = hit = n = 0
    for x, y in loader:
        logits = model(x)
        loss += nn.functional.cross_entropy(logits, y, reduction="sum").item()
        hit += (logits.argmax(1) == y).sum().item()
        n += len(y)
    model.train()
    return loss / n, hit / n


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--config", default="config.json")
    ap.add_argument("--seed", type=int, default=11)
    args = ap.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(name)s %(message)s")
    random.seed(args.seed)
    np.random.seed(args.seed)
    torch.manual_seed(args.seed)
    with open(args.config) as fh:
        cfg = json.load(fh)

    train_loader, val_loader, n_classes = make_loaders(cfg["data"], cfg["batch_size"], args.seed)
    model = FaultClassifier(n_classes, **cfg["model"])
    if cfg.get("init_from"):
        restore(model, cfg["init_from"], log)

    opt = torch.optim.AdamW(
        [
            {"params": model.encoder.parameters(), "lr": cfg["lr_encoder"]},
            {"params": model.head.parameters(), "lr": cfg["lr_head"]},
        ],
        weight_decay=cfg["weight_decay"],
    )
    total = cfg["epochs"] * len(train_loader)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, total)

    for epoch in range(cfg["epochs"]):
        running, seen = 0.0, 0
        for x, y in train_loader:
            loss = nn.functional.cross_entropy(model(x), y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            sched.step()
            running += loss.item() * len(y)
            seen += len(y)
        val_loss, val_acc = evaluate(model, val_loader)
        log.info("epoch %2d train %.4f val %.4f acc %.3f", epoch + 1, running / seen, val_loss, val_acc)
    torch.save(model.state_dict(), "classifier.pt")


if __name__ == "__main__":
    main()
