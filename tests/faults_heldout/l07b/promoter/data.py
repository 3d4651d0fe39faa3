import torch

PAIRS = [((0, 2, 3, 1, 3, 0, 2), (3, 3, 1, 0, 1)), ]


def _plant(seq, motif, start, gen, slip=0.04):
    for k, m in enumerate(motif):
        if torch.rand((), generator=gen) >= slip:
            seq[start + k] = m


def sequences(n, length, gen):
    """Promoter-like sequences: positives hold box A upstream of box B; negatives hold one of them or the swapped order."""
    x = torch.randint(0, 4, (n, length), generator=gen)
    y = torch.randint(0, 2, (n,), generator=gen)
    box_a, box_b = PAIRS[0]
    for i in range(n):
        p = int(torch.randint(2, length // 2 - 10, (), generator=gen))
        q = p + 8 + int(torch.randint(0, 3, (), generator=gen))
        if y[i] == 1:
            _plant(x[i], box_a, p, gen)
            _plant(x[i], box_b, q, gen)
        elif torch.rand((), generator=gen) < 0.5:
            _plant(x[i], box_a, q, gen)
        else:
            _plant(x[i], box_b, p, gen)
    return x, y.float()
