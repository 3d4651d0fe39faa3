"""Route support tickets to one of five teams."""
import json
import random
import re
import sys
from collections import Counter
from pathlib import Path

import torch
from sklearn.metrics import classification_report, f1_score
from torch import nn
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import DataLoader

HERE = Path(__file__).resolve().parent
PAD, UNK = 0, 1
TOKEN = re.compile(r"[a-z]+|\d|[^\sa-z\d]")


def tokenize(text):
    return TOKEN.findall(text.lower())


def read_tickets(path):
    rows = [line.rstrip("\n").split("\t") for line in open(path, encoding="utf8")]
    return [(label, tokenize(text)) for label, text in rows]


def build_vocab(rows, min_count):
    counts = Counter(tok for _, toks in rows for tok in toks)
    words = sorted(w for w, c in counts.items() if c >= min_count)
    return {w: i + 2 for i, w in enumerate(words)}


class Collate:
    def __init__(self, vocab, classes):
        self.vocab = vocab
        self.classes = {c: i for i, c in enumerate(classes)}

    def __call__(self, batch):
        seqs = [torch.tensor([self.vocab.get(t, UNK) for t in toks]) for _, toks in batch]
        lengths = torch.tensor([len(s) for s in seqs])
        labels = torch.tensor([self.classes[label] for label, _ in batch])
        return pad_sequence(seqs, batch_first=True, padding_value=PAD), lengths, labels


class TicketCNN(nn.Module):
    """Word embeddings, two convolutions, attention pooling over the real tokens."""

    def __init__(self, vocab_size, n_classes, cfg):
        super().__init__()
        d, h = cfg["embedding_dim"], cfg["hidden_dim"]
        self.embed = nn.Embedding(vocab_size, d, padding_idx=PAD)
        self.conv1 = nn.Conv1d(d, h, 3, padding=1)
        self.conv2 = nn.Conv1d(h, h, 5, padding=2)
        self.attn = nn.Linear(h, 1)
        self.drop = nn.Dropout(cfg["dropout"])
        self.out = nn.Linear(h, n_classes)

    def forward(self, tokens, lengths):
        mask = torch.arange(tokens.size(1)) < lengths[:, None]
        x = self.drop(self.embed(tokens)).transpose(1, 2)
        x = torch.relu(self.conv1(x)) * mask.unsqueeze(1)
        x = (x + torch.relu(self.conv2(x))).transpose(1, 2)
        weight = self.attn(x).squeeze(-1).masked_fill(~mask, float("-inf")).softmax(dim=1)
        pooled = (weight.unsqueeze(-1) * x).sum(dim=1)
        return self.out(self.drop(pooled))


def predict(model, loader):
    model.eval()
    preds, golds, loss = [], [], 0.0
    with torch.no_grad():
        for tokens, lengths, labels in loader:
            logits = model(tokens, lengths)
            loss += nn.functional.cross_entropy(logits, labels, reduction="sum").item()
            preds += logits.argmax(1).tolist()
            golds += labels.tolist()
    return preds, golds, loss / len(golds)


def main():
    cfg = json.load(open(sys.argv[1] if len(sys.argv) > 1 else HERE / "config.json"))
    random.seed(cfg["seed"])
    torch.manual_seed(cfg["seed"])
    rows = read_tickets(HERE / cfg["data"])
    random.shuffle(rows)
    n = len(rows)
    train, val, test = rows[:int(0.8 * n)], rows[int(0.8 * n):int(0.9 * n)], rows[int(0.9 * n):]
    vocab = build_vocab(train, cfg["min_count"])
    classes = sorted({label for label, _ in train})
    print(f"{n} tickets, vocabulary {len(vocab) + 2}, classes {classes}")

    collate = Collate(vocab, classes)
    train_dl = DataLoader(train, cfg["batch_size"], shuffle=True, collate_fn=collate)
    val_dl = DataLoader(val, 128, collate_fn=collate)
    test_dl = DataLoader(test, 128, collate_fn=collate)

    model = TicketCNN(len(vocab) + 2, len(classes), cfg)
    opt = torch.optim.AdamW(model.parameters(), **cfg["optimizer"])
    total_steps = cfg["epochs"] * len(train_dl)
    sched = torch.optim.lr_scheduler.LambdaLR(opt, lambda step: 1 - step / total_steps)
    for epoch in range(1, cfg["epochs"] + 1):
        model.train()
        total = 0.0
        for tokens, lengths, labels in train_dl:
            opt.zero_grad()
            loss = nn.functional.cross_entropy(model(tokens, lengths), labels)
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), cfg["grad_clip"])
            opt.step()
            sched.step()
            total += loss.item() * len(labels)
        preds, golds, val_loss = predict(model, val_dl)
        print(f"epoch {epoch}: train loss {total / len(train):.4f}, val loss {val_loss:.4f}, "
              f"val macro-F1 {f1_score(golds, preds, average='macro'):.3f}")

    preds, golds, _ = predict(model, test_dl)
    print(classification_report(golds, preds, target_names=classes, digits=3))


if __name__ == "__main__":
    main()
