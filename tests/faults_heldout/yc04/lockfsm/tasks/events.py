import random

import torch
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import Dataset

EVENTS = ["<pad>", "key", "wrong", "push", "pull", "timeout", "alarm_off", "noise"]
STATES = ["locked", "unlocked", "open", "strike1", "strike2", "alarm"]

TRANSITIONS = {
    ("locked", "key"): "unlocked",
    ("locked", "wrong"): "strike1",
    ("strike1", "key"): "unlocked",
    ("strike1", "wrong"): "strike2",
    ("strike1", "timeout"): "locked",
    ("strike2", "wrong"): "alarm",
    ("strike2", "timeout"): "strike1",
    ("strike2", "key"): "unlocked",
    ("unlocked", "push"): "open",
    ("unlocked", "timeout"): "locked",
    ("open", "pull"): "unlocked",
    ("alarm", "alarm_off"): "locked",
}
WEIGHTS = {"key": 3, "wrong": 5, "push": 3, "pull": 3, "timeout": 2, "alarm_off": 2, "noise": 4}


def simulate(rng, length):
    names, w = list(WEIGHTS), list(WEIGHTS.values())
    events = rng.choices(names, w, k=length)
    state = "locked"
    for e in events:
        state = TRANSITIONS.get((state, e), state)
    return [EVENTS.index(e) for e in events], STATES.index(state)


class EventLog(Dataset):
    def __init__(self, n, min_len, max_len, seed):
        rng = random.Random(seed)
        self.rows = [simulate(rng, rng.randint(min_len, max_len)) for _ in range(n)]

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, i):
        seq, label = self.rows[i]
        return torch.tensor(seq), label


def collate(batch):
    seqs, labels = zip(*batch)
    lengths = torch.tensor([len(s) for s in seqs])
    return pad_sequence(seqs, batch_first=True), lengths, torch.tensor(labels)
