import json
from pathlib import Path

import torch
from torch.utils.data import IterableDataset


class TicketStream(IterableDataset):
    """Reads the monthly dumps one line at a time, the files never fit in memory at once on the small box."""

    def __init__(self, folder, pattern, queues, hasher):
        self.files = sorted(Path(folder).glob(pattern))
        self.queue_id = {q: i for i, q in enumerate(queues)}
        self.hasher = hasher

    def __iter__(self):
        for file in self.files:
            with open(file, encoding="utf8") as fh:
                for line in fh:
                    item = json.loads(line)
                    yield self.hasher(item["text"]), self.queue_id[item["queue"]]


def collate(items):
    flat, offsets, labels = [], [], []
    for ids, label in items:
        offsets.append(len(flat))
        flat.extend(ids)
        labels.append(label)
    return torch.tensor(flat), torch.tensor(offsets), torch.tensor(labels)
