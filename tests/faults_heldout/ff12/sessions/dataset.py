import json

import torch
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import Dataset

PAD = 0


class SessionDataset(Dataset):
    def __init__(self, records):
        self.records = records

    @classmethod
    def from_jsonl(cls, path):
        with open(path) as f:
            return cls([json.loads(line) for line in f])

    def split(self, n):
        return SessionDataset(self.records[:n]), SessionDataset(self.records[n:])

    def __len__(self):
        return len(self.records)

    def __getitem__(self, i):
        r = self.records[i]
        return torch.tensor(r["events"]) + 1, float(r["converted"])


def collate(samples):
    events, target = zip(*samples)
    events = pad_sequence(events, batch_first=True, padding_value=PAD)
    lengths = torch.tensor([len(e) for e in events])
    return events, lengths, torch.tensor(target)
