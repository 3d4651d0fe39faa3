import logging
from pathlib import Path

import torch
from torch.utils.data import DataLoader

from routing.corpus import Tickets, collate
from routing.model import Router

logging.basicConfig(level=logging.INFO, format="%(message)s")
log = logging.getLogger("train")
BASE = Path(__file__).resolve().parent


def run_epoch(model, loader, criterion, optimizer=None):
    model.train(optimizer is not None)
    total = correct = n = 0
    with torch.set_grad_enabled(optimizer is not None):
        for tokens, offsets, labels in loader:
            out = model(tokens, offsets)
            loss = criterion(out, labels)
            if optimizer is not None:
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
            total += loss.item() * len(labels)
            correct += (out.argmax(1) == labels).sum().item()
            n += len(labels)
    return total / n, correct / n


def main():
    torch.manual_seed(4)
    train_set = Tickets(BASE / "tickets_train.jsonl")
    valid_set = Tickets(BASE / "tickets_valid.jsonl", vocab=train_set.vocab)
    train = DataLoader(train_set, 32, shuffle=True, collate_fn=collate)
    valid = DataLoader(valid_set, 128, collate_fn=collate)
    model = Router(len(train_set.vocab), len(train_set.queues))
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
    criterion = torch.nn.CrossEntropyLoss()
    for epoch in range(8):
        tl, ta = run_epoch(model, train, criterion, optimizer)
        vl, va = run_epoch(model, valid, criterion)
        log.info("epoch %d | train loss %.4f acc %.3f | valid loss %.4f acc %.3f", epoch, tl, ta, vl, va)


if __name__ == "__main__":
    main()
