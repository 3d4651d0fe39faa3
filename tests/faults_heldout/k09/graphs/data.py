import numpy as np
import torch


def citation_like(n=900, classes=5, words=120, seed=0):
    """Block-model graph: papers link mostly inside their field; bag-of-words features are weakly informative."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, classes, n)
    p_in, p_out = 0.018, 0.0018
    prob = np.where(y[:, None] == y[None, :], p_in, p_out)
    upper = np.triu(rng.random((n, n)) < prob, 1)
    adj = upper | upper.T
    topic = rng.dirichlet(np.full(words, 0.6), classes)
    common = rng.dirichlet(np.full(words, 1.0))
    mix = 0.25 * topic[y] + 0.75 * common
    x = np.stack([rng.multinomial(30, m) for m in mix])
    x = x / x.sum(1, keepdims=True) * words ** 0.5
    order = rng.permutation(n)
    masks = {}
    for name, idx in zip(("train", "val", "test"), np.split(order, [200, 400])):
        m = torch.zeros(n, dtype=torch.bool)
        m[torch.from_numpy(idx)] = True
        masks[name] = m
    a = torch.tensor(adj, dtype=torch.float32) + torch.eye(n)
    d = a.sum(1).rsqrt()
    a_hat = (d[:, None] * a * d[None, :]).to_sparse()
    return torch.tensor(x, dtype=torch.float32), torch.tensor(y), a_hat, masks
