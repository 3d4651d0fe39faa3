import numpy as np
import torch


def make_queries(n, seed, docs=12, dim=16):
    """queries with graded documents: relevance depends on query/document agreement"""
    world = np.random.default_rng(3)
    M = world.normal(size=(dim, dim)) / np.sqrt(dim)
    r = np.random.default_rng(seed)
    q = r.normal(size=(n, 1, dim))
    d = r.normal(size=(n, docs, dim))
    u = np.einsum("nik,kl,njl->nj", q, M, d) / np.sqrt(dim) * 1.5 + 0.8 * np.tanh(d[..., 0]) + 0.15 * r.normal(size=(n, docs))
    rel = np.digitize(u, [0.0, 1.0, 2.0])
    f = torch.float32
    return torch.tensor(q, dtype=f), torch.tensor(d, dtype=f), torch.tensor(rel, dtype=f)


def ndcg(score, rel, k=5):
    disc = 1 / torch.log2(torch.arange(2, k + 2).float())
    top = rel.gather(1, score.argsort(1, descending=True)[:, :k])
    ideal = rel.sort(1, descending=True).values[:, :k]
    gain = lambda r: ((2 ** r - 1) * disc).sum(1)
    ok = gain(ideal) > 0
    return (gain(top)[ok] / gain(ideal)[ok]).mean().item()


def listnet(score, rel):
    return -(rel.softmax(1) * score.log_softmax(1)).sum(1).mean()
