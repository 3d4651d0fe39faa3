import csv
from dataclasses import dataclass
from pathlib import Path

import torch
from torch import nn
import torch.nn.functional as F

from tokens import Tokenizer

ROOT = Path(__file__).resolve().parent


@dataclass
class Config:
    dim: int = 32
    hidden: int = 32
    lr: float = 2e-3
    batch: int = 50
    epochs: int = 12
    seed: int = 13


class ReviewScorer(nn.Module):
    def __init__(self, n_tokens, dim, hidden):
        super().__init__()
        self.bag = nn.EmbeddingBag(n_tokens, dim, mode="mean")
        self.fc1 = nn.Linear(dim, hidden)
        self.fc2 = nn.Linear(hidden, 1)
        self.drop = nn.Dropout(0.2)

    def forward(self, flat, offsets):
        return self.fc2(self.drop(F.relu(self.fc1(self.bag(flat, offsets))))).squeeze(1)


def read(name, tok):
    with open(ROOT / name, newline="") as fh:
        return [(tok(r["review"]), float(r["positive"])) for r in csv.DictReader(fh)]


def pack(rows):
    flat = torch.tensor([t for ids, _ in rows for t in ids])
    lens = torch.tensor([len(ids) for ids, _ in rows])
    return flat, torch.cumsum(lens, 0) - lens, torch.tensor([y for _, y in rows])


def main(cfg=Config()):
    torch.set_num_threads(1)
    torch.manual_seed(cfg.seed)
    tok = Tokenizer(ROOT / "vocab.json")
    train, dev = read("train.csv", tok), read("dev.csv", tok)
    dev_pack = pack(dev)
    model = ReviewScorer(len(tok), cfg.dim, cfg.hidden)
    opt = torch.optim.Adam(model.parameters(), lr=cfg.lr, weight_decay=1e-5)
    for epoch in range(1, cfg.epochs + 1):
        model.train()
        total = 0.0
        for idx in torch.randperm(len(train)).split(cfg.batch):
            flat, off, y = pack([train[i] for i in idx.tolist()])
            loss = F.binary_cross_entropy_with_logits(model(flat, off), y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item() * len(y)
        model.eval()
        with torch.no_grad():
            out = model(dev_pack[0], dev_pack[1])
            dl = F.binary_cross_entropy_with_logits(out, dev_pack[2]).item()
            da = ((out > 0).float() == dev_pack[2]).float().mean().item()
        print(f"epoch {epoch:2d}  train {total / len(train):.4f}  dev {dl:.4f}  acc {da:.3f}")
    torch.save(model.state_dict(), ROOT / "scorer.pt")


if __name__ == "__main__":
    main()
