import json
from pathlib import Path

import torch
from torch.utils.data import DataLoader

from dates.corpus import DatePairs, collate
from dates.engine import exact_match, train_epoch
from dates.model import Seq2Seq


def main():
    cfg = json.loads((Path(__file__).resolve().parent / "config.json").read_text())
    torch.manual_seed(cfg["seed"])
    train_loader = DataLoader(
        DatePairs(cfg["n_train"], cfg["seed"]), batch_size=cfg["batch_size"], shuffle=True, collate_fn=collate
    )
    val_loader = DataLoader(DatePairs(cfg["n_val"], cfg["seed"] + 1), batch_size=200, collate_fn=collate)

    model = Seq2Seq(**cfg["model"])
    optimizer = torch.optim.AdamW(model.parameters(), lr=cfg["lr"], weight_decay=0.01)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, cfg["epochs"] * len(train_loader))

    for epoch in range(1, cfg["epochs"] + 1):
        loss = train_epoch(model, train_loader, optimizer, scheduler)
        em, (want, got) = exact_match(model, val_loader)
        print(f"epoch {epoch}  loss {loss:.4f}  exact match {em:.3f}  e.g. {want} -> {got}", flush=True)


if __name__ == "__main__":
    main()
