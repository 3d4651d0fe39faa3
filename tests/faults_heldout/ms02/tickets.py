"""Support tickets: short bags of words with one of six topics."""
import numpy as np
import torch
from torch.utils.data import Dataset

TOPICS = ["billing", "login", "shipping", "refund", "bug", "other"]
VOCAB = 400


def generate(n, seed):
    world = np.random.default_rng(2024)
    base = world.dirichlet(np.full(VOCAB, 0.4))
    topic = [0.72 * base + 0.28 * world.dirichlet(np.full(VOCAB, 0.06)) for _ in TOPICS]
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, len(TOPICS), n)
    texts = [rng.choice(VOCAB, size=rng.integers(15, 45), p=topic[y]) for y in labels]
    return texts, labels


class TicketSet(Dataset):
    def __init__(self, texts, labels):
        self.texts, self.labels = texts, labels

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, i):
        return self.texts[i], int(self.labels[i])


def collate(rows):
    texts, labels = zip(*rows)
    offsets = np.cumsum([0] + [len(t) for t in texts[:-1]])
    return (torch.as_tensor(np.concatenate(texts)), torch.as_tensor(offsets), torch.tensor(labels))
