import random

import torch
from torch.utils.data import Dataset

PAD = 0


class NameSet(Dataset):
    def __init__(self, rows, alphabet, labels):
        self.items = [(torch.tensor([alphabet[c] for c in name]), labels[lang]) for name, lang in rows]

    def __len__(self):
        return len(self.items)

    def __getitem__(self, i):
        return self.items[i]


def collate(batch):
    names, langs = zip(*batch)
    lengths = torch.tensor([len(n) for n in names])
    return torch.nn.utils.rnn.pad_sequence(names, batch_first=True, padding_value=PAD), lengths, torch.tensor(langs)


def read(path, seed):
    rows = [tuple(line.rstrip("\n").split("\t")) for line in open(path, encoding="utf8")]
    rows = list(dict.fromkeys(rows))
    random.Random(seed).shuffle(rows)
    alphabet = {c: i + 1 for i, c in enumerate(sorted({c for n, _ in rows for c in n}))}
    labels = {l: i for i, l in enumerate(sorted({l for _, l in rows}))}
    cut = int(0.8 * len(rows))
    return NameSet(rows[:cut], alphabet, labels), NameSet(rows[cut:], alphabet, labels), len(alphabet) + 1, len(labels)
