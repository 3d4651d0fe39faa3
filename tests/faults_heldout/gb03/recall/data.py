import torch


def make_split(n, length, vocab, seed):
    """Token sequences with a query at the end: was the queried symbol seen an even or odd number of
    times since the last reset token (id 0)?"""
    g = torch.Generator().manual_seed(seed)
    x = torch.randint(0, vocab, (n, length), generator=g)
    query = torch.randint(1, 3, (n,), generator=g)
    y = torch.zeros(n, dtype=torch.long)
    for t in range(length):
        y = torch.where(x[:, t] == 0, torch.zeros_like(y), y)
        y = torch.where(x[:, t] == query, 1 - y, y)
    x = torch.cat([(query + vocab - 1).unsqueeze(1), x], dim=1)
    return x, y


def batches(x, y, size, shuffle=True):
    order = torch.randperm(len(x)) if shuffle else torch.arange(len(x))
    for s in range(0, len(x), size):
        sel = order[s:s + size]
        yield x[sel], y[sel]
