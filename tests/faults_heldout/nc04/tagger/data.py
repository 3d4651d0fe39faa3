import json

import torch
from torch.utils.data import DataLoader, Dataset

from .vocab import PAD, UNK, Vocab


class SentenceDataset(Dataset):
    def __init__(self, records, words, tags):
        self.items = [(words.encode(r["tokens"]), tags.encode(r["tags"])) for r in records]

    def __len__(self):
        return len(self.items)

    def __getitem__(self, i):
        return self.items[i]


class PadCollate:
    """Pads every batch to the same length, so that the step time is constant."""

    def __init__(self, max_len, word_pad, tag_pad):
        self.max_len, self.word_pad, self.tag_pad = max_len, word_pad, tag_pad

    def __call__(self, batch):
        words = torch.full((len(batch), self.max_len), self.word_pad)
        tags = torch.full((len(batch), self.max_len), self.tag_pad)
        lengths = []
        for row, (w, t) in enumerate(batch):
            n = min(len(w), self.max_len)
            words[row, :n] = torch.tensor(w[:n])
            tags[row, :n] = torch.tensor(t[:n])
            lengths.append(n)
        return words, tags, torch.tensor(lengths)


def load_corpus(cfg, root, batch_size):
    with open(root / cfg["file"]) as fh:
        records = [json.loads(line) for line in fh]
    train = [r for i, r in enumerate(records) if i % cfg["val_every"]]
    val = [r for i, r in enumerate(records) if i % cfg["val_every"] == 0]
    words = Vocab((r["tokens"] for r in train), (PAD, UNK), cfg["min_count"])
    tags = Vocab((r["tags"] for r in train), (PAD,))
    collate = PadCollate(cfg["max_len"], words.stoi[PAD], tags.stoi[PAD])
    loaders = (DataLoader(SentenceDataset(train, words, tags), batch_size, shuffle=True, collate_fn=collate),
               DataLoader(SentenceDataset(val, words, tags), 128, collate_fn=collate))
    return words, tags, *loaders
