import argparse
import json

import torch
import torch.nn as nn
from torch.utils.data import DataLoader

from evaluate import last_item_scores
from model import NextItemGRU
from sessions import SessionDataset, load_sessions, load_vocab


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--config", default="config.json")
    ap.add_argument("--seed", type=int)
    opts = ap.parse_args()
    with open(opts.config) as fh:
        cfg = json.load(fh)
    torch.manual_seed(cfg["seed"] if opts.seed is None else opts.seed)

    vocab = load_vocab(cfg["vocab"])
    sessions = load_sessions(cfg["sessions"], vocab)
    cut = len(sessions) - cfg["holdout"]
    make = lambda part: SessionDataset(part, cfg["max_len"], cfg["pad_id"])
    train_loader = DataLoader(make(sessions[:cut]), batch_size=cfg["batch_size"], shuffle=True)
    test_loader = DataLoader(make(sessions[cut:]), batch_size=256)

    model = NextItemGRU(len(vocab), cfg["embed_dim"], cfg["hidden_dim"], cfg["pad_id"])
    criterion = nn.CrossEntropyLoss(ignore_index=cfg["ignore_index"])
    optimizer = torch.optim.Adam(model.parameters(), lr=cfg["lr"])
    steps = cfg["epochs"] * len(train_loader)
    scheduler = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda s: max(0.02, 1 - s / steps))

    for epoch in range(cfg["epochs"]):
        model.train()
        total = 0.0
        for inputs, targets, _ in train_loader:
            logits = model(inputs)
            loss = criterion(logits.flatten(0, 1), targets.flatten())
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 5.0)
            optimizer.step()
            scheduler.step()
            total += loss.item()
        hit, nll = last_item_scores(model, test_loader)
        print(f"epoch {epoch + 1:2d} | loss {total / len(train_loader):.3f} | hit@1 {hit:.3f} | nll {nll:.3f}")


if __name__ == "__main__":
    main()
