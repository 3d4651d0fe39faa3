import csv
import json
import random
from pathlib import Path

import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_sequence

HERE = Path(__file__).parent
CFG = json.loads((HERE / "config.json").read_text())


def read_names(path):
    with open(path, newline="") as fh:
        rows = [(r["name"], r["origin"]) for r in csv.DictReader(fh)]
    random.Random(CFG["seed"]).shuffle(rows)
    chars = {c: i + 1 for i, c in enumerate(sorted({c for n, _ in rows for c in n}))}
    origins = {o: i for i, o in enumerate(sorted({o for _, o in rows}))}
    enc = [(torch.tensor([chars[c] for c in n]), origins[o]) for n, o in rows]
    cut = int(0.85 * len(enc))
    return enc[:cut], enc[cut:], len(chars) + 1, len(origins)


def batches(items, size, shuffle):
    items = list(items)
    if shuffle:
        random.shuffle(items)
    for i in range(0, len(items), size):
        part = items[i : i + size]
        lengths = torch.tensor([len(n) for n, _ in part])
        yield pad_sequence([n for n, _ in part], batch_first=True), lengths, torch.tensor([o for _, o in part])


class NameClassifier(nn.Module):
    def __init__(self, n_chars, n_classes, embed, hidden):
        super().__init__()
        self.embed = nn.Embedding(n_chars, embed, padding_idx=0)
        self.gru = nn.GRU(embed, hidden, batch_first=True, bidirectional=True)
        self.fc = nn.Linear(2 * hidden, n_classes)

    def forward(self, chars, lengths):
        packed = pack_padded_sequence(self.embed(chars), lengths, batch_first=True, enforce_sorted=False)
        _, h = self.gru(packed)
        return self.fc(torch.cat([h[0], h[1]], dim=-1))


def evaluate(model, items):
    model.eval()
    ok = 0
    with torch.no_grad():
        for chars, lengths, y in batches(items, 256, shuffle=False):
            ok += (model(chars, lengths).argmax(-1) == y).sum().item()
    return ok / len(items)


def main():
    random.seed(CFG["seed"])
    torch.manual_seed(CFG["seed"])
    train, val, n_chars, n_classes = read_names(HERE / CFG["data"])
    model = NameClassifier(n_chars, n_classes, CFG["embed"], CFG["hidden"])
    opt = CFG["optimizer"]
    optimizer = torch.optim.AdamW(model.parameters(), opt["lr"], opt["betas"], opt["weight_decay"])
    criterion = nn.CrossEntropyLoss()
    for epoch in range(CFG["epochs"]):
        model.train()
        total, n = 0.0, 0
        for chars, lengths, y in batches(train, CFG["batch_size"], shuffle=True):
            optimizer.zero_grad()
            loss = criterion(model(chars, lengths), y)
            loss.backward()
            optimizer.step()
            total += loss.item() * len(y)
            n += len(y)
        print(f"epoch {epoch:02d} train_loss {total / n:.4f} val_acc {evaluate(model, val):.4f}")


if __name__ == "__main__":
    main()
