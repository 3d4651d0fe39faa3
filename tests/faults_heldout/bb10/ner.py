import argparse
import pathlib
import random

import torch
import torch.nn as nn
from torch.nn.utils.rnn import pad_sequence

PAD_TAG = -100


def read_conll(path):
    sentences = []
    for block in pathlib.Path(path).read_text().strip().split("\n\n"):
        words, tags = zip(*(line.split() for line in block.splitlines()))
        sentences.append((list(words), list(tags)))
    return sentences


class Vocab:
    def __init__(self, items, specials=()):
        self.itos = list(specials) + sorted(set(items) - set(specials))
        self.stoi = {s: i for i, s in enumerate(self.itos)}

    def __len__(self):
        return len(self.itos)


class Tagger(nn.Module):
    """Word embedding + LSTM tagger; padded positions carry the tag -100."""

    def __init__(self, n_words, n_tags, dim=32, hidden=32):
        super().__init__()
        self.embedding = nn.Embedding(n_words, dim, padding_idx=0)
        self.dropout = nn.Dropout(0.2)
        self.lstm = nn.LSTM(dim, hidden, batch_first=True, bidirectional=True)
        self.linear = nn.Linear(2 * hidden, n_tags)

    def forward(self, words, lengths):
        h = self.dropout(self.embedding(words))
        packed = nn.utils.rnn.pack_padded_sequence(h, lengths, batch_first=True, enforce_sorted=False)
        h, _ = nn.utils.rnn.pad_packed_sequence(self.lstm(packed)[0], batch_first=True)
        return self.linear(self.dropout(h))


def spans(tags):
    found, start = set(), None
    for i, t in enumerate(tags + ["O"]):
        if start is not None and not t.startswith("I-"):
            found.add((start, i, tags[start][2:]))
            start = None
        if t.startswith("B-"):
            start = i
    return found


def batches(data, size):
    for i in range(0, len(data), size):
        chunk = data[i:i + size]
        lengths = torch.tensor([len(w) for w, _ in chunk])
        yield (pad_sequence([w for w, _ in chunk], batch_first=True),
               pad_sequence([t for _, t in chunk], batch_first=True, padding_value=PAD_TAG), lengths)


def span_f1(model, data, tags):
    model.eval()
    tp = n_pred = n_gold = 0
    with torch.no_grad():
        for words, gold, lengths in batches(data, 128):
            pred = model(words, lengths).argmax(-1)
            for p, g, n in zip(pred, gold, lengths.tolist()):
                a = spans([tags.itos[j] for j in p[:n].tolist()])
                b = spans([tags.itos[j] for j in g[:n].tolist()])
                tp, n_pred, n_gold = tp + len(a & b), n_pred + len(a), n_gold + len(b)
    return 2 * tp / max(n_pred + n_gold, 1)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--file", default=str(pathlib.Path(__file__).with_name("news.conll")))
    parser.add_argument("--epochs", type=int, default=6)
    parser.add_argument("--lr", type=float, default=8e-3)
    parser.add_argument("--word-dropout", type=float, default=0.02)
    args = parser.parse_args()
    random.seed(1)
    torch.manual_seed(1)

    sents = read_conll(args.file)
    random.shuffle(sents)
    dev, train = sents[:250], sents[250:]
    # Sentences may repeat in the feed; keep only unseen ones for dev.
    known = {tuple(w) for w, _ in train}
    dev = [s for s in dev if tuple(s[0]) not in known]
    words = Vocab((w for s, _ in train for w in s), specials=("<pad>", "<unk>"))
    tags = Vocab(t for _, ts in train for t in ts)

    def encode(split):
        return [(torch.tensor([words.stoi.get(w, 1) for w in ws]), torch.tensor([tags.stoi[t] for t in ts]))
                for ws, ts in split]

    train, dev = encode(train), encode(dev)
    model = Tagger(len(words), len(tags))
    criterion = nn.CrossEntropyLoss(ignore_index=PAD_TAG)
    optimizer = torch.optim.Adam(model.parameters(), lr=args.lr)
    scheduler = torch.optim.lr_scheduler.LinearLR(optimizer, 1.0, 0.1, total_iters=args.epochs)
    for epoch in range(args.epochs):
        model.train()
        random.shuffle(train)
        loss_sum = tokens = 0
        for w, t, lengths in batches(train, 25):
            drop = (torch.rand(w.shape) < args.word_dropout) & (w != 0)
            logits = model(w.masked_fill(drop, 1), lengths)
            loss = criterion(logits.transpose(1, 2), t)
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 5.0)
            optimizer.step()
            n = int(lengths.sum())
            loss_sum, tokens = loss_sum + loss.item() * n, tokens + n
        scheduler.step()
        print(f"epoch {epoch + 1}: loss/token {loss_sum / tokens:.4f}  dev span F1 {span_f1(model, dev, tags):.4f} "
              f"({len(dev)} sentences)")


if __name__ == "__main__":
    main()
