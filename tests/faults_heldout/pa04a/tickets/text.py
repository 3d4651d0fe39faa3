import json
import re

import torch
from torch.utils.data import Dataset

TOKEN = re.compile(r"[a-z0-9']+|[.,!?]")
PAD, UNK, CLS = "[PAD]", "[UNK]", "[CLS]"


class Vocabulary:
    def __init__(self, path):
        with open(path, encoding="utf-8") as fh:
            self.index = json.load(fh)
        self.pad, self.unk, self.cls = self.index[PAD], self.index[UNK], self.index[CLS]

    def __len__(self):
        return max(self.index.values()) + 1

    def encode(self, text, max_len):
        words = TOKEN.findall(text.lower())
        ids = [self.cls] + [self.index.get(w, self.unk) for w in words]
        ids = ids[:max_len]
        return ids + [self.pad] * (max_len - len(ids))


class TicketDataset(Dataset):
    def __init__(self, path, vocab, queues, max_len):
        self.ids, self.labels = [], []
        with open(path, encoding="utf-8") as fh:
            for line in fh:
                queue, text = line.rstrip("\n").split("\t")
                self.ids.append(vocab.encode(text, max_len))
                self.labels.append(queues.index(queue))
        self.ids = torch.tensor(self.ids)
        self.labels = torch.tensor(self.labels)

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, i):
        return self.ids[i], self.labels[i]
