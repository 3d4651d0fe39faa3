import json
import sys
from pathlib import Path

import torch
from torch.utils.data import DataLoader

from net import TopicNet
from tickets import TOPICS, VOCAB, TicketSet, collate, generate
from trainer import Trainer


def main():
    cfg = json.loads((Path(__file__).parent / "settings.json").read_text())
    if len(sys.argv) > 1:
        cfg["seed"] = int(sys.argv[1])
    torch.manual_seed(cfg["seed"])

    train_set = TicketSet(*generate(cfg["n_train"], 100))
    val_set = TicketSet(*generate(cfg["n_val"], 200))
    train_loader = DataLoader(train_set, cfg["batch_size"], shuffle=True, collate_fn=collate)
    val_loader = DataLoader(val_set, 256, collate_fn=collate)

    model = TopicNet(VOCAB, len(TOPICS))
    history = Trainer(model, train_loader, val_loader, cfg["lr"], cfg["epochs"]).fit()
    best = max(history, key=lambda h: h["val_acc"])
    print(f"best epoch {best['epoch']}: val_acc {best['val_acc']:.3f}")


if __name__ == "__main__":
    main()
