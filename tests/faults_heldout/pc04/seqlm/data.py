import torch

ALPHABET = "ACDEFGHIKLMNPQRSTVWY"
MASK = len(ALPHABET)
VOCAB = len(ALPHABET) + 1
IGNORE = -100
_INDEX = {c: i for i, c in enumerate(ALPHABET)}


def encode(seqs):
    return torch.tensor([[_INDEX[c] for c in s] for s in seqs])


def read_unlabeled(path):
    return encode(path.read_text().split())


def read_labeled(path):
    lines = path.read_text().splitlines()[1:]
    fam, seqs = zip(*(line.split("\t") for line in lines))
    return encode(seqs), torch.tensor([int(f[1:]) for f in fam])


def corrupt(tokens, rate, gen):
    """BERT style: of the chosen positions 80 % are masked, 10 % random, 10 % kept. Labels only at chosen positions."""
    chosen = torch.rand(tokens.shape, generator=gen) < rate
    labels = tokens.masked_fill(~chosen, IGNORE)
    u = torch.rand(tokens.shape, generator=gen)
    noise = torch.randint(len(ALPHABET), tokens.shape, generator=gen)
    out = torch.where(chosen & (u < 0.8), torch.full_like(tokens, MASK), tokens)
    out = torch.where(chosen & (u >= 0.8) & (u < 0.9), noise, out)
    return out, labels
