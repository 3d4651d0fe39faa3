import torch
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import Dataset

from vocab import PAD


def read_pairs(path):
    with open(path, encoding="utf-8") as f:
        return [tuple(line.rstrip("\n").split("\t")) for line in f]


class Pairs(Dataset):
    def __init__(self, pairs, src_vocab, tgt_vocab):
        self.items = [
            (torch.tensor(src_vocab.encode(s)), torch.tensor(tgt_vocab.encode(t))) for s, t in pairs
        ]

    def __len__(self):
        return len(self.items)

    def __getitem__(self, i):
        return self.items[i]


def collate(items):
    src, tgt = zip(*items)
    lengths = torch.tensor([len(s) for s in src])
    return (
        pad_sequence(src, batch_first=True, padding_value=PAD),
        lengths,
        pad_sequence(tgt, batch_first=True, padding_value=PAD),
    )
