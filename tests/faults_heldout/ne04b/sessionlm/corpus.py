import random

import torch

SPECIALS = ["<pad>", "<s>", "</s>"]


class Vocab:
    def __init__(self, sessions):
        names = sorted({e for s in sessions for e in s})
        self.itos = SPECIALS + names
        self.stoi = {t: i for i, t in enumerate(self.itos)}

    def __len__(self):
        return len(self.itos)

    def encode(self, session):
        return [self.stoi["<s>"], *(self.stoi[e] for e in session), self.stoi["</s>"]]


def load_sessions(path):
    with open(path) as fh:
        return [line.split() for line in fh if line.strip()]


def to_tensor(vocab, sessions, max_len):
    out = torch.full((len(sessions), max_len + 1), vocab.stoi["<pad>"], dtype=torch.long)
    for row, session in zip(out, sessions):
        ids = vocab.encode(session)[: max_len + 1]
        row[: len(ids)] = torch.tensor(ids)
    return out


def split(sessions, val_share, seed):
    sessions = list(sessions)
    random.Random(seed).shuffle(sessions)
    k = int(len(sessions) * val_share)
    return sessions[k:], sessions[:k]
