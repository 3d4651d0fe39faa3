"""Sentiment of restaurant reviews with a small pre-norm transformer encoder."""
from pathlib import Path

import torch
from torch import nn
from torch.utils.data import DataLoader

from dataset import build_vocab, collate, numericalize, read_reviews, split
from transformer import ReviewTransformer

SEED = 21
EPOCHS = 8
LR = 2e-3
WARMUP = 50


class Trainer:
    def __init__(self, model, train_loader, val_loader):
        self.model, self.train_loader, self.val_loader = model, train_loader, val_loader
        self.loss_fn = nn.CrossEntropyLoss()
        self.opt = torch.optim.AdamW(model.parameters(), lr=LR, weight_decay=0.01)
        total = EPOCHS * len(train_loader)
        self.sched = torch.optim.lr_scheduler.LambdaLR(
            self.opt, lambda s: (s + 1) / WARMUP if s < WARMUP else max(0.02, (total - s) / (total - WARMUP)))

    def train_epoch(self):
        self.model.train()
        loss_sum = n = hits = 0
        for ids, y in self.train_loader:
            logits = self.model(ids)
            loss = self.loss_fn(logits, y)
            self.opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
            self.opt.step()
            self.sched.step()
            loss_sum += loss.item() * len(y)
            hits += (logits.argmax(-1) == y).sum().item()
            n += len(y)
        return loss_sum / n, hits / n

    @torch.no_grad()
    def validate(self):
        self.model.eval()
        loss_sum = n = hits = 0
        for ids, y in self.val_loader:
            logits = self.model(ids)
            loss_sum += self.loss_fn(logits, y).item() * len(y)
            hits += (logits.argmax(-1) == y).sum().item()
            n += len(y)
        return loss_sum / n, hits / n

    def fit(self, epochs):
        for e in range(epochs):
            tl, ta = self.train_epoch()
            vl, va = self.validate()
            print(f"epoch {e} train loss {tl:.3f} acc {ta:.3f} | val loss {vl:.3f} acc {va:.3f}")


def main():
    torch.manual_seed(SEED)
    samples = read_reviews(Path(__file__).parent / "reviews.jsonl")
    train, val = split(samples, 0.2, SEED)
    vocab = build_vocab(train)
    print(f"train {len(train)}  val {len(val)}  vocab {len(vocab)}")
    train_loader = DataLoader(numericalize(train, vocab), batch_size=32, shuffle=True, collate_fn=collate)
    val_loader = DataLoader(numericalize(val, vocab), batch_size=128, collate_fn=collate)
    Trainer(ReviewTransformer(len(vocab)), train_loader, val_loader).fit(EPOCHS)


if __name__ == "__main__":
    main()
