import torch
from torch.utils.data import Dataset


def read_sessions(path):
    sessions = []
    with open(path) as fh:
        for line in fh:
            _, items = line.rstrip("\n").split("\t")
            sessions.append([int(i) for i in items.split()])
    return sessions


def pad(seq, length):
    return seq[-length:] + [0] * (length - len(seq[-length:]))


class NextItem(Dataset):
    """Leave-one-out: the last item of each session is kept for evaluation."""

    def __init__(self, sessions, max_len):
        self.rows = []
        for s in sessions:
            hist = s[:-1]
            self.rows.append((pad(hist[:-1], max_len), pad(hist[1:], max_len)))

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, i):
        x, y = self.rows[i]
        return torch.tensor(x), torch.tensor(y)


def holdout(sessions, max_len):
    x = torch.tensor([pad(s[:-1], max_len) for s in sessions])
    last = torch.tensor([min(len(s) - 1, max_len) - 1 for s in sessions])
    target = torch.tensor([s[-1] for s in sessions])
    return x, last, target
