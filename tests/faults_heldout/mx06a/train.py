"""Multi-tag classifier for support tickets, run with Accelerate."""
import argparse

import torch
import yaml
from accelerate import Accelerator
from accelerate.utils import set_seed
from torch.utils.data import DataLoader

from tagger.losses import make_loss
from tagger.metrics import tag_scores
from tagger.model import TicketTagger
from tagger.tickets import TicketData


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("-c", "--config", default="config.yaml")
    ap.add_argument("--seed", type=int)
    a = ap.parse_args()
    with open(a.config) as f:
        cfg = yaml.safe_load(f)
    set_seed(cfg["seed"] if a.seed is None else a.seed)

    acc = Accelerator(cpu=True)
    data = TicketData(**cfg["data"])
    train_dl = DataLoader(
        data.train, batch_size=cfg["batch_size"], shuffle=True, collate_fn=data.collate
    )
    dev_dl = DataLoader(data.dev, batch_size=128, collate_fn=data.collate)

    model = TicketTagger(len(data.vocab), len(data.tags), **cfg["model"])
    loss_fn = make_loss(**cfg["loss"])
    optimizer = torch.optim.AdamW(model.parameters(), **cfg["optimizer"])
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(
        optimizer, cfg["epochs"] * len(train_dl)
    )
    model, optimizer, train_dl, dev_dl, scheduler = acc.prepare(
        model, optimizer, train_dl, dev_dl, scheduler
    )

    for epoch in range(1, cfg["epochs"] + 1):
        model.train()
        running = 0.0
        for words, offsets, target in train_dl:
            loss = loss_fn(model(words, offsets), target)
            acc.backward(loss)
            optimizer.step()
            scheduler.step()
            optimizer.zero_grad()
            running += loss.item()
        if epoch % cfg["eval_every"] == 0:
            dev = tag_scores(acc, model, loss_fn, dev_dl)
            acc.print(
                f"epoch {epoch:2d} train_loss {running / len(train_dl):.4f} "
                f"dev_loss {dev['loss']:.4f} micro_f1 {dev['f1']:.3f} "
                f"exact {dev['exact']:.3f}"
            )

    dev = tag_scores(acc, model, loss_fn, dev_dl)
    acc.print(f"final: micro F1 {dev['f1']:.3f}, exact match {dev['exact']:.3f}")


if __name__ == "__main__":
    main()
