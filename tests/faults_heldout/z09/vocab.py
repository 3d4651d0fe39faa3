import torch

PAD, BOS, EOS = 0, 1, 2
OFFSET = 3
N_SYMBOLS = 10


def make_pairs(n, seed, min_len=3, max_len=6):
    """Source: digit string. Target: the same digits sorted, largest first."""
    g = torch.Generator().manual_seed(seed)
    src = torch.full((n, max_len), PAD)
    tgt = torch.full((n, max_len + 2), PAD)
    for k in range(n):
        m = int(torch.randint(min_len, max_len + 1, (1,), generator=g))
        d = torch.randint(0, N_SYMBOLS, (m,), generator=g)
        src[k, :m] = d + OFFSET
        tgt[k, 0] = BOS
        tgt[k, 1:m + 1] = d.sort(descending=True).values + OFFSET
        tgt[k, m + 1] = EOS
    return src, tgt
