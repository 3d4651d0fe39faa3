"""Toy machine log messages: variable length token strings with a severity."""
import numpy as np
import torch
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import Dataset

PAD = 0
VOCAB = 60
NEGATION = 1
ALARM = range(2, 8)
MILD = range(8, 14)


class LogMessages(Dataset):
    def __init__(self, n, seed):
        rng = np.random.default_rng(seed)
        self.items = [self._draw(rng) for _ in range(n)]

    @staticmethod
    def _draw(rng):
        length = int(rng.integers(5, 26))
        words = rng.integers(14, VOCAB, length)
        score = 0
        for _ in range(int(rng.integers(1, 4))):
            at = int(rng.integers(1, length))
            kind = rng.integers(2)
            words[at] = rng.choice(list(ALARM if kind else MILD))
            if rng.random() < 0.35:
                words[at - 1] = NEGATION
        for prev, cur in zip(np.r_[PAD, words[:-1]], words):
            s = 1 if cur in ALARM else -1 if cur in MILD else 0
            score += -s if prev == NEGATION else s
        label = 2 if score > 0 else 0 if score < 0 else 1
        return torch.tensor(words), label

    def __len__(self):
        return len(self.items)

    def __getitem__(self, i):
        return self.items[i]


def collate(batch):
    words, labels = zip(*batch)
    lengths = torch.tensor([len(w) for w in words])
    return pad_sequence(words, batch_first=True, padding_value=PAD), lengths, torch.tensor(labels)
