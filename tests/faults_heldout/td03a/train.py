import argparse

import numpy as np
import torch
import torch.nn as nn
from sklearn.metrics import f1_score
from torch.utils.data import DataLoader, TensorDataset


class Tagger(nn.Module):
    def __init__(self, n_words, n_tags, emb=32, hidden=32):
        super().__init__()
        self.emb = nn.Embedding(n_words, emb, padding_idx=0)
        self.drop = nn.Dropout(0.2)
        self.lstm = nn.LSTM(emb, hidden, batch_first=True, bidirectional=True)
        self.out = nn.Linear(2 * hidden, n_tags)

    def forward(self, tokens):
        lengths = tokens.ne(0).sum(1)
        packed = nn.utils.rnn.pack_padded_sequence(
            self.drop(self.emb(tokens)), lengths, batch_first=True, enforce_sorted=False)
        h, _ = self.lstm(packed)
        h, _ = nn.utils.rnn.pad_packed_sequence(h, batch_first=True, total_length=tokens.size(1))
        return self.out(self.drop(h))


def evaluate(model, loader, criterion, n_tags):
    model.eval()
    loss, gold, pred = 0.0, [], []
    with torch.no_grad():
        for tokens, tags in loader:
            logits = model(tokens)
            loss += criterion(logits.reshape(-1, n_tags), tags.reshape(-1)).item() * len(tokens)
            keep = tags != criterion.ignore_index
            gold.append(tags[keep])
            pred.append(logits.argmax(-1)[keep])
    gold, pred = torch.cat(gold), torch.cat(pred)
    acc = (gold == pred).float().mean().item()
    return loss / len(loader.dataset), acc, f1_score(gold, pred, labels=list(range(1, n_tags)), average="macro", zero_division=0)


if __name__ == "__main__":
    p = argparse.ArgumentParser()
    p.add_argument("--epochs", type=int, default=14)
    p.add_argument("--batch-size", type=int, default=16)
    p.add_argument("--lr", type=float, default=0.12)
    p.add_argument("--seed", type=int, default=0)
    a = p.parse_args()
    torch.manual_seed(a.seed)

    words = open("vocab.txt").read().split()
    tag_names = open("tags.txt").read().split()
    raw = np.load("ingredients.npz")
    tokens = torch.from_numpy(raw["tokens"].astype("int64"))
    tags = torch.from_numpy(raw["tags"].astype("int64"))
    n_val = 250
    train_dl = DataLoader(TensorDataset(tokens[n_val:], tags[n_val:]), a.batch_size, shuffle=True)
    val_dl = DataLoader(TensorDataset(tokens[:n_val], tags[:n_val]), 125)

    model = Tagger(len(words), len(tag_names))
    criterion = nn.CrossEntropyLoss(ignore_index=-100)
    opt = torch.optim.SGD(model.parameters(), lr=a.lr, momentum=0.9)
    sched = torch.optim.lr_scheduler.LinearLR(opt, 1.0, 0.05, total_iters=a.epochs)

    for ep in range(a.epochs):
        model.train()
        total = 0.0
        for xb, yb in train_dl:
            opt.zero_grad()
            loss = criterion(model(xb).reshape(-1, len(tag_names)), yb.reshape(-1))
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 5.0)
            opt.step()
            total += loss.item() * len(xb)
        sched.step()
        vl, acc, f1 = evaluate(model, val_dl, criterion, len(tag_names))
        print(f"{ep + 1:>2}: loss {total / len(train_dl.dataset):.4f}  val loss {vl:.4f}  token acc {acc:.4f}  entity F1 {f1:.4f}")
