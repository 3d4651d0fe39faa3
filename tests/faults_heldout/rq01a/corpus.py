import csv

import torch
from torch.utils.data import DataLoader, Dataset

import vocab


class PairFile(Dataset):
    """Tab separated file: free-form date, ISO date."""

    def __init__(self, path):
        with open(path, newline="") as f:
            self.rows = [tuple(r) for r in csv.reader(f, delimiter="\t")]

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, i):
        src, tgt = self.rows[i]
        return vocab.encode(src), [vocab.BOS] + vocab.encode(tgt) + [vocab.EOS]


def _stack(seqs):
    width = max(len(s) for s in seqs)
    out = torch.full((len(seqs), width), vocab.PAD)
    for k, s in enumerate(seqs):
        out[k, : len(s)] = torch.tensor(s)
    return out


def collate(batch):
    src, tgt = zip(*batch)
    return _stack(src), _stack(tgt)


def loaders(cfg):
    g = torch.Generator().manual_seed(cfg.seed)
    train = DataLoader(PairFile(cfg.train_file), cfg.batch_size, shuffle=True,
                       collate_fn=collate, generator=g)
    valid = DataLoader(PairFile(cfg.valid_file), 128, collate_fn=collate)
    return train, valid
