"""Command sequences: which of the letters A, B, C is most frequent (ties: the alphabetically first)."""
import torch

PAD, CLS = 0, 1
LETTERS = (2, 3, 4)
VOCAB = 9


def make_split(n, seed, min_len=6, max_len=24):
    gen = torch.Generator().manual_seed(seed)
    seqs, labels = [], []
    for _ in range(n):
        length = int(torch.randint(min_len, max_len + 1, (1,), generator=gen))
        toks = torch.randint(2, VOCAB, (length,), generator=gen)
        counts = torch.stack([(toks == t).sum() for t in LETTERS])
        seqs.append(torch.cat([torch.tensor([CLS]), toks]))
        labels.append(int(counts.argmax()))
    return seqs, torch.tensor(labels)


def collate(batch):
    seqs, labels = zip(*batch)
    x = torch.nn.utils.rnn.pad_sequence(seqs, batch_first=True, padding_value=PAD)
    return x, torch.stack(labels), x.eq(PAD)
