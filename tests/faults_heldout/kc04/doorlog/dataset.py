import torch
from torch.nn.utils.rnn import pad_sequence

STATES = ["closed", "ajar", "secured"]


def read(path):
    rows = [ln.rstrip("\n").split("\t") for ln in open(path)]
    vocab = {w: i + 1 for i, w in enumerate(sorted({w for _, e in rows for w in e.split()}))}
    seqs = [torch.tensor([vocab[w] for w in e.split()]) for _, e in rows]
    labels = torch.tensor([STATES.index(s) for s, _ in rows])
    lens = torch.tensor([len(s) for s in seqs])
    return pad_sequence(seqs, batch_first=True), lens, labels, len(vocab) + 1
