import json
from pathlib import Path

import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader

from seqlib.data import LogMessages, collate
from seqlib.model import SeverityModel

cfg = json.loads((Path(__file__).parent / "settings.json").read_text())


def evaluate(model, loader):
    model.eval()
    loss = hits = n = 0
    with torch.no_grad():
        for words, lengths, labels in loader:
            logits = model(words, lengths)
            loss += F.cross_entropy(logits, labels, reduction="sum").item()
            hits += (logits.argmax(-1) == labels).sum().item()
            n += len(labels)
    model.train()
    return loss / n, hits / n


def main():
    torch.manual_seed(cfg["seed"])
    train = DataLoader(LogMessages(cfg["train_messages"], 1), cfg["micro_batch"], shuffle=True, collate_fn=collate, drop_last=True)
    dev = DataLoader(LogMessages(800, 2), 200, collate_fn=collate)
    model = SeverityModel()
    opt = torch.optim.AdamW(model.parameters(), lr=cfg["lr"], weight_decay=0.01)
    accum = cfg["accumulate"]
    updates = cfg["epochs"] * (len(train) // accum)
    sched = torch.optim.lr_scheduler.OneCycleLR(opt, cfg["lr"], total_steps=updates, pct_start=0.1)
    for epoch in range(cfg["epochs"]):
        running = 0.0
        opt.zero_grad()
        for i, (words, lengths, labels) in enumerate(train):
            loss = F.cross_entropy(model(words, lengths), labels)
            (loss / accum).backward()
            running += loss.item()
            if (i + 1) % accum == 0:
                torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
                opt.step()
                opt.zero_grad()
                sched.step()
        dev_loss, dev_acc = evaluate(model, dev)
        print(json.dumps({"epoch": epoch, "train": round(running / len(train), 4), "dev": round(dev_loss, 4), "acc": round(dev_acc, 4)}))


if __name__ == "__main__":
    main()
