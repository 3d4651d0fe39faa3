"""Route support tickets to a queue: bag of embeddings with attention pooling."""
import sys
import tomllib
from collections import Counter

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset


def read_tsv(path):
    with open(path, encoding="utf-8") as fh:
        return [line.rstrip("\n").split("\t") for line in fh]


class Vocabulary:
    def __init__(self, texts, min_count=2):
        counts = Counter(w for t in texts for w in t.split())
        self.words = ["<pad>"] + sorted(w for w, c in counts.items() if c >= min_count)
        self.index = {w: i for i, w in enumerate(self.words)}

    def encode(self, text):
        return [self.index[w] for w in text.split() if w in self.index]


class Tickets(Dataset):
    def __init__(self, rows, vocab, queues, max_len):
        self.rows = [(vocab.encode(text)[:max_len], queues[q]) for q, text in rows]

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, i):
        return self.rows[i]


def collate(batch):
    width = max(len(ids) for ids, _ in batch)
    out = torch.zeros(len(batch), width, dtype=torch.long)
    for r, (ids, _) in enumerate(batch):
        out[r, :len(ids)] = torch.tensor(ids, dtype=torch.long)
    return out, torch.tensor([q for _, q in batch])


class AttentionPool(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.key = nn.Linear(dim, dim)
        self.query = nn.Parameter(torch.randn(dim) / dim ** 0.5)

    def forward(self, h, pad):
        s = torch.tanh(self.key(h)) @ self.query
        s = s.masked_fill(pad, float("-inf"))
        w = s.softmax(dim=1)
        return (w.unsqueeze(-1) * h).sum(1)


class Router(nn.Module):
    def __init__(self, n_words, n_queues, dim, dropout):
        super().__init__()
        self.emb = nn.Embedding(n_words, dim, padding_idx=0)
        self.pool = AttentionPool(dim)
        self.mlp = nn.Sequential(nn.Dropout(dropout), nn.Linear(dim, dim), nn.GELU(),
                                 nn.Dropout(dropout), nn.Linear(dim, n_queues))

    def forward(self, ids):
        return self.mlp(self.pool(self.emb(ids), ids == 0))


class Trainer:
    def __init__(self, model, train, valid, cfg):
        self.model, self.cfg = model, cfg
        self.train_loader = DataLoader(train, cfg["batch_size"], shuffle=True, collate_fn=collate)
        self.valid_loader = DataLoader(valid, 128, collate_fn=collate)
        self.opt = torch.optim.AdamW(model.parameters(), lr=cfg["lr"], weight_decay=cfg["weight_decay"])
        self.sched = torch.optim.lr_scheduler.CosineAnnealingLR(
            self.opt, cfg["epochs"] * len(self.train_loader))

    def run_epoch(self):
        self.model.train()
        total, n = 0.0, 0
        for ids, q in self.train_loader:
            self.opt.zero_grad()
            loss = F.cross_entropy(self.model(ids), q)
            loss.backward()
            self.opt.step()
            self.sched.step()
            total += loss.item() * len(q)
            n += len(q)
        return total / n

    @torch.no_grad()
    def evaluate(self):
        self.model.eval()
        loss, hits, n = 0.0, 0, 0
        for ids, q in self.valid_loader:
            out = self.model(ids)
            loss += F.cross_entropy(out, q, reduction="sum").item()
            hits += (out.argmax(1) == q).sum().item()
            n += len(q)
        return loss / n, hits / n

    def fit(self):
        for epoch in range(1, self.cfg["epochs"] + 1):
            tl = self.run_epoch()
            vl, acc = self.evaluate()
            print(f"[{epoch:02d}] train {tl:.3f} | valid {vl:.3f} acc {acc:.3f}")


def main(path="settings.toml"):
    with open(path, "rb") as fh:
        cfg = tomllib.load(fh)
    torch.manual_seed(cfg["seed"])
    train_rows, valid_rows = read_tsv(cfg["data"]["train"]), read_tsv(cfg["data"]["valid"])
    vocab = Vocabulary(t for _, t in train_rows)
    queues = {q: i for i, q in enumerate(sorted({q for q, _ in train_rows}))}
    train, valid = (Tickets(rows, vocab, queues, cfg["data"]["max_len"]) for rows in (train_rows, valid_rows))
    model = Router(len(vocab.words), len(queues), cfg["model"]["dim"], cfg["train"]["dropout"])
    print(f"{len(train)} tickets, {len(vocab.words)} words, {len(queues)} queues")
    Trainer(model, train, valid, cfg["train"]).fit()


if __name__ == "__main__":
    main(*sys.argv[1:])
