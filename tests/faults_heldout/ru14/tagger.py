import argparse

import torch
import torch.nn as nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence
from torch.utils.data import DataLoader

from corpus import IGNORE, LABELS, Encoder, collate, read_conll, spans


class BiLSTMTagger(nn.Module):
    def __init__(self, n_words, n_suffixes, hidden=40):
        super().__init__()
        self.words = nn.Embedding(n_words, 32, padding_idx=0)
        self.suffixes = nn.Embedding(n_suffixes, 12, padding_idx=0)
        self.shapes = nn.Embedding(5, 4, padding_idx=0)
        self.drop = nn.Dropout(0.3)
        self.lstm = nn.LSTM(48, hidden, batch_first=True, bidirectional=True)
        self.out = nn.Linear(2 * hidden, len(LABELS))

    def forward(self, w, s, c, lengths):
        e = self.drop(torch.cat([self.words(w), self.suffixes(s), self.shapes(c)], dim=-1))
        packed = pack_padded_sequence(e, lengths, batch_first=True, enforce_sorted=False)
        h, _ = pad_packed_sequence(self.lstm(packed)[0], batch_first=True, total_length=w.size(1))
        return self.out(self.drop(h))


def evaluate(model, loader, loss_fn):
    model.eval()
    tp = fp = fn = 0
    loss = tokens = 0
    with torch.no_grad():
        for w, s, c, y, n in loader:
            z = model(w, s, c, n)
            loss += loss_fn(z.flatten(0, 1), y.flatten()).item() * n.sum().item()
            tokens += n.sum().item()
            for row, gold, k in zip(z.argmax(-1).tolist(), y.tolist(), n.tolist()):
                p = spans([LABELS[i] for i in row[:k]])
                g = spans([LABELS[i] for i in gold[:k]])
                tp, fp, fn = tp + len(p & g), fp + len(p - g), fn + len(g - p)
    return loss / tokens, 2 * tp / max(1, 2 * tp + fp + fn)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--data", default="data")
    ap.add_argument("--epochs", type=int, default=8)
    ap.add_argument("--lr", type=float, default=3e-3)
    opts = ap.parse_args()
    torch.manual_seed(2)
    train, dev = read_conll(f"{opts.data}/train.conll"), read_conll(f"{opts.data}/dev.conll")
    enc = Encoder(train)
    train_dl = DataLoader([enc(s) for s in train], 32, shuffle=True, collate_fn=collate)
    dev_dl = DataLoader([enc(s) for s in dev], 64, collate_fn=collate)

    model = BiLSTMTagger(len(enc.word) + 2, len(enc.suffix) + 2)
    opt = torch.optim.Adam(model.parameters(), lr=opts.lr)
    sched = torch.optim.lr_scheduler.LinearLR(opt, 1.0, 0.1, total_iters=opts.epochs * len(train_dl))
    loss_fn = nn.CrossEntropyLoss(ignore_index=IGNORE)
    for epoch in range(1, opts.epochs + 1):
        model.train()
        avg = 0.0
        for w, s, c, y, n in train_dl:
            loss = loss_fn(model(w, s, c, n).flatten(0, 1), y.flatten())
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 5.0)
            opt.step()
            sched.step()
            avg += loss.item() / len(train_dl)
        dl, f1 = evaluate(model, dev_dl, loss_fn)
        print(f"epoch {epoch} loss {avg:.4f} dev {dl:.4f} span-F1 {f1:.3f}")


if __name__ == "__main__":
    main()
