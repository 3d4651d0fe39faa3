import os
import torch
from torch.utils.data import Dataset

MAX_LEN = 18


def read_sessions(path="sessions.txt"):
    here = os.path.dirname(os.path.abspath(__file__))
    with open(os.path.join(here, path)) as fh:
        return [[int(t) for t in line.split()] for line in fh if line.strip()]


class TrainSessions(Dataset):
    """Input: the session without its last click; target: the same shifted by one. 0 is padding."""

    def __init__(self, sessions):
        self.sessions = sessions

    def __len__(self):
        return len(self.sessions)

    def __getitem__(self, i):
        s = self.sessions[i]
        x, y = torch.zeros(MAX_LEN, dtype=torch.long), torch.zeros(MAX_LEN, dtype=torch.long)
        x[:len(s) - 1] = torch.tensor(s[:-1])
        y[:len(s) - 1] = torch.tensor(s[1:])
        return x, y


class NextClick(Dataset):
    """Everything but the last click, and the last click to be guessed."""

    def __init__(self, sessions):
        self.sessions = sessions

    def __len__(self):
        return len(self.sessions)

    def __getitem__(self, i):
        s = self.sessions[i]
        x = torch.zeros(MAX_LEN, dtype=torch.long)
        x[:len(s) - 1] = torch.tensor(s[:-1])
        return x, len(s) - 1, s[-1]
