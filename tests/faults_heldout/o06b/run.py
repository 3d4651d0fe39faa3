import json
from types import SimpleNamespace

import torch
from torch.nn.functional import cross_entropy
from torch.utils.data import DataLoader

from sentiment.data import load_reviews
from sentiment.model import ReviewGRU


def get_config(path="config.json"):
    with open(path) as f:
        return json.load(f, object_hook=lambda d: SimpleNamespace(**d))


def train_epoch(model, loader, optimizer):
    model.train()
    total, n = 0.0, 0
    for ids, labels in loader:
        optimizer.zero_grad()
        loss = cross_entropy(model(ids), labels)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 5.0)
        optimizer.step()
        total += loss.item() * len(labels)
        n += len(labels)
    return total / n


@torch.no_grad()
def accuracy(model, loader):
    model.eval()
    right = sum((model(ids).argmax(1) == labels).sum().item() for ids, labels in loader)
    return right / len(loader.dataset)


if __name__ == "__main__":
    cfg = get_config()
    torch.manual_seed(cfg.train.seed)
    with open(cfg.tokenizer.vocab) as f:
        vocab_size = len(json.load(f))
    train_ds, val_ds = load_reviews(cfg.data.file, cfg.data.val_share, cfg.train.seed)
    train_dl = DataLoader(train_ds, batch_size=cfg.train.batch_size, shuffle=True)
    val_dl = DataLoader(val_ds, batch_size=200)
    model = ReviewGRU(vocab_size, cfg.tokenizer.pad_id, cfg.model.emb_dim, cfg.model.hidden, cfg.model.dropout)
    optimizer = torch.optim.Adam(model.parameters(), lr=cfg.train.lr)
    for epoch in range(1, cfg.train.epochs + 1):
        loss = train_epoch(model, train_dl, optimizer)
        print(f"epoch {epoch}/{cfg.train.epochs}  loss={loss:.4f}  val_acc={accuracy(model, val_dl):.4f}")
