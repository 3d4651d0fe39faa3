from collections import Counter

import torch
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import Dataset

PAD, UNK = 0, 1


def read_tsv(path):
    texts, tags = [], []
    with open(path, encoding="utf-8") as fh:
        for line in fh:
            tag, text = line.rstrip("\n").split("\t")
            tags.append(tag)
            texts.append(text.split())
    return texts, tags


class Vocab:
    def __init__(self, texts, min_count):
        counts = Counter(tok for t in texts for tok in t)
        words = sorted(w for w, c in counts.items() if c >= min_count)
        self.index = {w: i + 2 for i, w in enumerate(words)}

    def __len__(self):
        return len(self.index) + 2

    def encode(self, tokens, max_len):
        return [self.index.get(t, UNK) for t in tokens[:max_len]]


class UtteranceDataset(Dataset):
    def __init__(self, path, vocab, tag_index, max_len):
        texts, tags = read_tsv(path)
        self.items = [
            (torch.tensor(vocab.encode(t, max_len)), tag_index[g])
            for t, g in zip(texts, tags)
        ]

    def __len__(self):
        return len(self.items)

    def __getitem__(self, i):
        return self.items[i]


def collate(batch):
    seqs, tags = zip(*batch)
    lengths = torch.tensor([len(s) for s in seqs])
    return pad_sequence(seqs, batch_first=True, padding_value=PAD), lengths, torch.tensor(tags)
