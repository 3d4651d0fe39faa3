import json
import random

import torch
from torch.nn.utils.rnn import pad_sequence

PAD = 0


def load_sessions(path, seed, holdout=0.2):
    with open(path) as f:
        items = [json.loads(line) for line in f]
    random.Random(seed).shuffle(items)
    k = int(len(items) * holdout)
    return items[k:], items[:k]


def collate(batch):
    ev = [torch.tensor(b["events"]) for b in batch]
    return {
        "events": pad_sequence(ev, batch_first=True, padding_value=PAD),
        "lengths": torch.tensor([len(e) for e in ev]),
        "score": torch.tensor([b["score"] for b in batch]),
    }
