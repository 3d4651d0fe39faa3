import numpy as np
import torch


def build(n=3000, vocab=800, length=24, seed=0):
    """Bag-of-tokens sentiment data: 60 tokens carry polarity, the rest follow a Zipf law."""
    rng = np.random.default_rng(seed)
    p = 1.0 / np.arange(1, vocab + 1) ** 0.9
    p /= p.sum()
    polarity = np.zeros(vocab)
    chosen = rng.choice(np.arange(10, 400), 60, replace=False)
    polarity[chosen[:30]], polarity[chosen[30:]] = 1.0, -1.0
    tokens, labels = [], []
    while len(labels) < n:
        row = rng.choice(vocab, size=length, p=p)
        s = polarity[row].sum()
        if abs(s) >= 1:
            tokens.append(row)
            labels.append(int(s > 0))
    return torch.tensor(np.stack(tokens)), torch.tensor(labels)
