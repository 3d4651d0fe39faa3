import numpy as np
import torch


def load(path):
    z = np.load(path)
    words = np.unpackbits(z["words"], axis=1)[:, :int(z["n_words"])].astype(np.float32)
    x = torch.from_numpy(words)
    x = x / x.sum(1, keepdim=True).clamp(min=1)
    e = torch.from_numpy(z["edges"].astype(np.int64)).T
    n = len(x)
    src = torch.cat([e[0], e[1], torch.arange(n)])
    dst = torch.cat([e[1], e[0], torch.arange(n)])
    deg = torch.zeros(n).index_add_(0, dst, torch.ones(len(dst)))
    w = (deg[src] * deg[dst]).rsqrt()
    adj = torch.sparse_coo_tensor(torch.stack([dst, src]), w, (n, n)).coalesce()
    part = torch.from_numpy(z["part"])
    return x, adj, torch.from_numpy(z["topic"]).long(), [part == k for k in range(3)]
