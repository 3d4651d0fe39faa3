import json
import re

import torch
from torch.nn.utils.rnn import pad_sequence

PAD, UNK = 0, 1


def tokenize(s):
    return re.findall(r"[a-z']+", s.lower())


def read_jsonl(path):
    with open(path) as fh:
        return [json.loads(line) for line in fh]


def build_vocab(rows, min_count=2):
    counts = {}
    for r in rows:
        for t in tokenize(r["utterance"]):
            counts[t] = counts.get(t, 0) + 1
    words = sorted(w for w, c in counts.items() if c >= min_count)
    return {w: i + 2 for i, w in enumerate(words)}


class Utterances(torch.utils.data.Dataset):
    def __init__(self, rows, vocab):
        self.ids = [torch.tensor([vocab.get(t, UNK) for t in tokenize(r["utterance"])]) for r in rows]
        self.intent = [r["intent_id"] for r in rows]

    def __len__(self):
        return len(self.ids)

    def __getitem__(self, i):
        return self.ids[i], self.intent[i]


def collate(batch):
    ids, y = zip(*batch)
    lengths = torch.tensor([len(i) for i in ids])
    return pad_sequence(ids, batch_first=True, padding_value=PAD), lengths, torch.tensor(y)
