import json
import logging
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

from tagger import BiTagger

here = Path(__file__).resolve().parent
cfg = json.loads((here / "config.json").read_text())
logging.basicConfig(level=logging.INFO, format="%(message)s")
log = logging.getLogger("tagger")
torch.manual_seed(cfg["seed"])

blob = np.load(here / cfg["data"])


def split(name):
    tokens = torch.from_numpy(blob[f"{name}_tokens"].astype(np.int64))
    tags = torch.from_numpy(blob[f"{name}_tags"].astype(np.int64))
    return TensorDataset(tokens, tags)


train_loader = DataLoader(split("train"), batch_size=cfg["batch_size"], shuffle=True)
dev_loader = DataLoader(split("dev"), batch_size=100)

model = BiTagger(cfg["vocab_size"], cfg["n_tags"], cfg["dim"], cfg["hidden"])
optimizer = torch.optim.Adam(model.parameters(), lr=cfg["lr"])
scheduler = torch.optim.lr_scheduler.LinearLR(optimizer, 1.0, 0.05, total_iters=cfg["epochs"])


def tag_loss(logits, tags):
    return F.cross_entropy(logits.flatten(0, 1), tags.flatten(), ignore_index=cfg["ignore_tag"])


def dev_scores():
    model.eval()
    right = total = 0
    losses = []
    with torch.no_grad():
        for tokens, tags in dev_loader:
            logits = model(tokens)
            losses.append(tag_loss(logits, tags).item())
            keep = tags != cfg["ignore_tag"]
            right += (logits.argmax(-1) == tags)[keep].sum().item()
            total += keep.sum().item()
    model.train()
    return sum(losses) / len(losses), right / total


for epoch in range(cfg["epochs"]):
    total = 0.0
    for tokens, tags in train_loader:
        optimizer.zero_grad()
        loss = tag_loss(model(tokens), tags)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 5.0)
        optimizer.step()
        total += loss.item()
    scheduler.step()
    dev_loss, dev_acc = dev_scores()
    log.info("epoch %d train_loss %.4f dev_loss %.4f dev_acc %.4f", epoch, total / len(train_loader), dev_loss, dev_acc)
