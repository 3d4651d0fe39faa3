"""Route support tickets to one of the queues."""
import os
from types import SimpleNamespace

import torch
from torch.utils.data import DataLoader

from tickets import BagClassifier, Hasher, TicketStream, collate

ROOT = os.path.dirname(os.path.abspath(__file__))
QUEUES = ["billing", "login", "delivery", "hardware", "cancel"]

hp = SimpleNamespace(buckets=2048, dim=16, batch=25, epochs=3, lr=1e-2, seed=77)


@torch.no_grad()
def accuracy(model, loader):
    model.eval()
    right = torch.zeros(len(QUEUES))
    count = torch.zeros(len(QUEUES))
    for flat, offsets, y in loader:
        hit = (model(flat, offsets).argmax(1) == y).float()
        right.index_add_(0, y, hit)
        count.index_add_(0, y, torch.ones_like(hit))
    return (right.sum() / count.sum()).item(), (right / count).tolist()


def main():
    torch.manual_seed(hp.seed)
    hasher = Hasher(hp.buckets)
    train = DataLoader(TicketStream(os.path.join(ROOT, "dump"), "2*.jsonl", QUEUES, hasher),
                       batch_size=hp.batch, collate_fn=collate)
    held = DataLoader(TicketStream(os.path.join(ROOT, "dump"), "held.jsonl", QUEUES, hasher),
                      batch_size=100, collate_fn=collate)
    model = BagClassifier(hp.buckets, hp.dim, len(QUEUES))
    optimizer = torch.optim.AdamW(model.parameters(), lr=hp.lr, weight_decay=0.01)
    criterion = torch.nn.CrossEntropyLoss()

    step = 0
    for epoch in range(hp.epochs):
        for flat, offsets, y in train:
            model.train()
            optimizer.zero_grad()
            loss = criterion(model(flat, offsets), y)
            loss.backward()
            optimizer.step()
            if step % 40 == 0:
                print(f"step {step:5d}  loss {loss.item():.4f}")
            step += 1
        acc, per_queue = accuracy(model, held)
        print(f"epoch {epoch}  held-out accuracy {acc:.3f}  " + " ".join(f"{q}={a:.2f}" for q, a in zip(QUEUES, per_queue)))


if __name__ == "__main__":
    main()
