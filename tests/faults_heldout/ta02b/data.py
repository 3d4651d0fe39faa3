import torch


def make_split(n, length, vocab, seed):
    """Random symbol strings; each position is tagged with the number of
    earlier-or-later symbols in the string that are strictly smaller than it."""
    g = torch.Generator().manual_seed(seed)
    x = torch.randint(0, vocab, (n, length), generator=g)
    y = (x[:, None, :] < x[:, :, None]).sum(-1)
    return x, y


def iterate(x, y, batch_size, generator):
    order = torch.randperm(len(x), generator=generator)
    for i in range(0, len(order) - batch_size + 1, batch_size):
        idx = order[i:i + batch_size]
        yield x[idx], y[idx]
