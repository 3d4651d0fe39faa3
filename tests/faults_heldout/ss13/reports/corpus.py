import pathlib

import torch
from torch.utils.data import Dataset


class Reports(Dataset):
    def __init__(self, path, labels, rare=None):
        self.items = []
        for line in pathlib.Path(path).read_text().splitlines():
            tags, words = line.split("\t")
            tags = set(tags.split("|"))
            y = torch.tensor([float(l in tags) for l in labels])
            item = torch.tensor([int(w) for w in words.split()]), y
            copies = rare["copies"] if rare and tags & set(rare["labels"]) else 1
            self.items += [item] * copies

    def __len__(self):
        return len(self.items)

    def __getitem__(self, i):
        return self.items[i]

    def label_matrix(self):
        return torch.stack([y for _, y in self.items])


def bag(batch):
    words, ys = zip(*batch)
    offsets = torch.tensor([0] + [len(w) for w in words[:-1]]).cumsum(0)
    return torch.cat(words), offsets, torch.stack(ys)
