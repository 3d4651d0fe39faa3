import numpy as np
import torch


def load(path):
    z = np.load(path)
    x = torch.tensor(z["words"], dtype=torch.float32)
    y = torch.tensor(z["topic"], dtype=torch.long)
    split = torch.tensor(z["split"])
    n = len(y)
    e = torch.tensor(z["edges"].astype(np.int64)).T
    loops = torch.arange(n).repeat(2, 1)
    e = torch.cat([e, e.flip(0), loops], 1)
    deg = torch.bincount(e[0], minlength=n).float()
    w = (deg[e[0]] * deg[e[1]]).rsqrt()
    adj = torch.sparse_coo_tensor(e, w, (n, n)).coalesce()
    m, s = x[split == 0].mean(0), x[split == 0].std(0)
    return (x - m) / s, y, adj, {k: split == i for i, k in enumerate(["train", "val", "test"])}
