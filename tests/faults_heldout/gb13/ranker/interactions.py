import numpy as np
import torch


def build_interactions(users, items, per_user, seed):
    """Implicit feedback: users draw items from a latent taste model with popularity on top."""
    r = np.random.default_rng(seed)
    pu, qi = r.normal(size=(users, 6)), r.normal(size=(items, 6))
    pop = r.normal(0, 0.8, items)
    logits = pu @ qi.T * 0.9 + pop + r.gumbel(0, 1, (users, items))
    top = np.argsort(-logits, axis=1)[:, :per_user]
    for row in top:
        r.shuffle(row)
    held = max(1, per_user // 5)
    return top[:, held:], top[:, :held]


def sample_triples(train, items, n, r):
    u = r.integers(0, len(train), n)
    pos = train[u, r.integers(0, train.shape[1], n)]
    neg = r.integers(0, items, n)
    clash = (train[u] == neg[:, None]).any(1)
    neg[clash] = (neg[clash] + 1 + r.integers(0, items - 1, clash.sum())) % items
    return map(torch.from_numpy, (u, pos, neg))
