import argparse
import csv

import torch
import yaml
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

from vocab import PAD, TitleReader, build_vocab, encode


class TitleClassifier(nn.Module):
    def __init__(self, words, classes, dim, dropout):
        super().__init__()
        self.embedding = nn.Embedding(words, dim, padding_idx=PAD)
        self.conv = nn.Conv1d(dim, dim, 3, padding=1)
        self.dropout = nn.Dropout(dropout)
        self.head = nn.Linear(2 * dim, classes)

    def forward(self, ids):
        mask = (ids != PAD).unsqueeze(1)
        x = self.dropout(self.embedding(ids)).transpose(1, 2)
        y = torch.relu(self.conv(x)) * mask
        mean = y.sum(2) / mask.sum(2).clamp(min=1)
        return self.head(self.dropout(torch.cat([mean, y.amax(2)], dim=1)))


def read_titles(path):
    with open(path, newline="", encoding="utf-8") as fh:
        rows = list(csv.DictReader(fh))
    return [r["title"] for r in rows], [r["department"] for r in rows]


def score(model, loader):
    model.eval()
    loss, right, count = 0.0, 0, 0
    with torch.no_grad():
        for ids, label in loader:
            logits = model(ids)
            loss += nn.functional.cross_entropy(logits, label, reduction="sum").item()
            right += (logits.argmax(1) == label).sum().item()
            count += len(label)
    return loss / count, right / count


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--config", default="config.yaml")
    args = parser.parse_args()
    with open(args.config) as fh:
        cfg = yaml.safe_load(fh)
    torch.manual_seed(cfg["seed"])

    titles, departments = read_titles(cfg["train"]["file"])
    val_titles, val_departments = read_titles(cfg["validation"]["file"])
    reader = TitleReader(**cfg["train"]["reader"])
    val_reader = TitleReader(**cfg["validation"]["reader"])

    classes = sorted(set(departments))
    vocab = build_vocab(titles, reader, cfg["vocabulary"]["min_count"])
    length = cfg["vocabulary"]["length"]
    print(f"{len(titles)} titles, {len(vocab)} words, {len(classes)} departments")

    def dataset(texts, labels, text_reader):
        ids = torch.tensor(encode(texts, text_reader, vocab, length))
        return TensorDataset(ids, torch.tensor([classes.index(d) for d in labels]))

    train = DataLoader(dataset(titles, departments, reader), cfg["batch_size"], shuffle=True)
    val = DataLoader(dataset(val_titles, val_departments, val_reader), 256)

    model = TitleClassifier(len(vocab) + 2, len(classes), cfg["model"]["dim"], cfg["model"]["dropout"])
    opt = torch.optim.Adam(model.parameters(), lr=cfg["lr"])

    for epoch in range(cfg["epochs"]):
        model.train()
        total, seen = 0.0, 0
        for ids, label in train:
            opt.zero_grad()
            loss = nn.functional.cross_entropy(model(ids), label)
            loss.backward()
            opt.step()
            total += loss.item() * len(label)
            seen += len(label)
        val_loss, val_acc = score(model, val)
        print(f"[{epoch + 1:02d}] train {total / seen:.3f}  val {val_loss:.3f}  accuracy {val_acc:.3f}")


if __name__ == "__main__":
    main()
