"""Guess the language of a short customer message from its characters."""
import json
import random

import torch
import torch.nn as nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_sequence

CFG = json.load(open("settings.json"))
LANG = {name: i for i, name in enumerate(CFG["languages"])}   # index 0 is "other"


def read(path):
    texts, labels = [], []
    with open(path, encoding="utf-8") as fh:
        next(fh)
        for line in fh:
            lang, text = line.rstrip("\n").split("\t")
            texts.append(text)
            labels.append(LANG.get(lang, 0))
    return texts, labels


class Vocab:
    def __init__(self, texts):
        chars = sorted(set("".join(texts)))
        self.index = {c: i + 2 for i, c in enumerate(chars)}
        self.size = len(chars) + 2

    def encode(self, text):
        return torch.tensor([self.index.get(c, 1) for c in text])


class LangNet(nn.Module):
    def __init__(self, vocab_size, n_lang, emb, hidden):
        super().__init__()
        self.emb = nn.Embedding(vocab_size, emb, padding_idx=0)
        self.rnn = nn.GRU(emb, hidden, batch_first=True, bidirectional=True)
        self.out = nn.Sequential(nn.Dropout(0.2), nn.Linear(2 * hidden, n_lang))

    def forward(self, ids, lengths):
        packed = pack_padded_sequence(self.emb(ids), lengths, batch_first=True, enforce_sorted=False)
        _, h = self.rnn(packed)
        return self.out(torch.cat([h[0], h[1]], dim=-1))


def batches(seqs, labels, size, rng=None):
    order = list(range(len(seqs)))
    if rng is not None:
        rng.shuffle(order)
    for s in range(0, len(order), size):
        pick = order[s:s + size]
        chunk = [seqs[i] for i in pick]
        lengths = torch.tensor([len(c) for c in chunk])
        yield pad_sequence(chunk, batch_first=True), lengths, torch.tensor([labels[i] for i in pick])


def score(model, seqs, labels):
    model.eval()
    loss_sum, ok = 0.0, 0
    with torch.no_grad():
        for ids, lengths, y in batches(seqs, labels, 128):
            logits = model(ids, lengths)
            loss_sum += nn.functional.cross_entropy(logits, y, reduction="sum").item()
            ok += (logits.argmax(1) == y).sum().item()
    return loss_sum / len(seqs), ok / len(seqs)


def main():
    torch.manual_seed(CFG["seed"])
    rng = random.Random(CFG["seed"])
    train_texts, train_y = read("messages_train.tsv")
    dev_texts, dev_y = read("messages_dev.tsv")
    vocab = Vocab(train_texts)
    train_x = [vocab.encode(t) for t in train_texts]
    dev_x = [vocab.encode(t) for t in dev_texts]

    model = LangNet(vocab.size, len(LANG), CFG["embedding"], CFG["hidden"])
    optim = torch.optim.Adam(model.parameters(), lr=CFG["lr"])
    print(f"{len(train_x)} training messages, {len(dev_x)} dev messages, {vocab.size} symbols")
    for epoch in range(CFG["epochs"]):
        model.train()
        seen, acc_loss = 0, 0.0
        for ids, lengths, y in batches(train_x, train_y, CFG["batch"], rng):
            loss = nn.functional.cross_entropy(model(ids, lengths), y)
            optim.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 5.0)
            optim.step()
            seen += len(y)
            acc_loss += loss.item() * len(y)
        dev_loss, dev_acc = score(model, dev_x, dev_y)
        print(f"epoch {epoch}: train loss {acc_loss / seen:.3f} | dev loss {dev_loss:.3f} | dev accuracy {dev_acc:.3f}")


if __name__ == "__main__":
    main()
