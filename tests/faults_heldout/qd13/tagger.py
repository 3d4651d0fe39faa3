import json
import random
from collections import Counter

import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence, pad_sequence

IGNORE = -100


def read(path):
    rows = [json.loads(line) for line in open(path)]
    return [(r["text"].split(), r["tags"].split()) for r in rows]


def shape(token):
    """0 word, 1 short number, 2 postcode, 3 punctuation"""
    if token.isdigit():
        return 2 if len(token) == 5 else 1
    return 0 if token[0].isalpha() else 3


class Vocabulary:
    def __init__(self, sentences, min_count=3):
        count = Counter(w for s, _ in sentences for w in s if not w.isdigit())
        self.word = {"<pad>": 0, "<unk>": 1}
        for w, c in sorted(count.items()):
            if c >= min_count:
                self.word[w] = len(self.word)
        self.tags = sorted({t for _, ts in sentences for t in ts})
        self.tag = {t: i for i, t in enumerate(self.tags)}

    def encode(self, sentence):
        words, tags = sentence
        return (torch.tensor([self.word.get(w, 1) for w in words]),
                torch.tensor([shape(w) for w in words]),
                torch.tensor([self.tag[t] for t in tags]))


class Tagger(nn.Module):
    def __init__(self, n_words, n_tags, dim=32, hidden=40):
        super().__init__()
        self.word = nn.Embedding(n_words, dim, padding_idx=0)
        self.shape = nn.Embedding(4, 6)
        self.drop = nn.Dropout(0.2)
        self.rnn = nn.LSTM(dim + 6, hidden, batch_first=True, bidirectional=True)
        self.out = nn.Linear(2 * hidden, n_tags)

    def forward(self, w, s, lengths):
        x = self.drop(torch.cat([self.word(w), self.shape(s)], -1))
        packed = pack_padded_sequence(x, lengths, batch_first=True, enforce_sorted=False)
        h, _ = pad_packed_sequence(self.rnn(packed)[0], batch_first=True)
        return self.out(self.drop(h))


def collate(items):
    w, s, t = zip(*items)
    lengths = torch.tensor([len(i) for i in w])
    return pad_sequence(w, True, 0), pad_sequence(s, True, 0), pad_sequence(t, True, IGNORE), lengths


@torch.no_grad()
def evaluate(model, items):
    model.eval()
    good = total = exact = 0
    for k in range(0, len(items), 200):
        w, s, t, n = collate(items[k:k + 200])
        pred = model(w, s, n).argmax(-1)
        real = t != IGNORE
        good += (pred == t)[real].sum().item()
        total += real.sum().item()
        exact += ((pred == t) | ~real).all(1).sum().item()
    return good / total, exact / len(items)


def main(epochs=12, lr=4e-3, batch=32, word_dropout=0.05):
    random.seed(1)
    torch.manual_seed(1)
    sentences = read("addresses.jsonl")
    random.shuffle(sentences)
    train, test = sentences[:1700], sentences[1700:]
    vocab = Vocabulary(train)
    train_items, test_items = [vocab.encode(s) for s in train], [vocab.encode(s) for s in test]
    majority = Counter(t for _, ts in test for t in ts).most_common(1)[0]
    print("tags", vocab.tags, "most frequent:", majority[0], round(majority[1] / sum(len(t) for _, t in test), 3))

    model = Tagger(len(vocab.word), len(vocab.tags))
    criterion = nn.CrossEntropyLoss(ignore_index=IGNORE)
    opt = torch.optim.Adam(model.parameters(), lr=lr)
    steps = epochs * -(-len(train_items) // batch)
    sched = torch.optim.lr_scheduler.LinearLR(opt, 1.0, 0.05, total_iters=steps)
    for epoch in range(1, epochs + 1):
        model.train()
        random.shuffle(train_items)
        s_loss = 0.0
        for k in range(0, len(train_items), batch):
            w, s, t, n = collate(train_items[k:k + batch])
            # rare names must be read from their place in the line
            hide = (torch.rand(w.shape) < word_dropout) & (w > 1)
            loss = criterion(model(w.masked_fill(hide, 1), s, n).flatten(0, 1), t.flatten())
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 5.0)
            opt.step()
            sched.step()
            s_loss += loss.item() * len(n)
        tr, te = evaluate(model, train_items), evaluate(model, test_items)
        print(f"{epoch:2d} loss {s_loss / len(train_items):.3f}  train tags {tr[0]:.3f} lines {tr[1]:.3f}  test tags {te[0]:.3f} lines {te[1]:.3f}")


if __name__ == "__main__":
    main()
