import torch


def pair_distances(z, i, j):
    return (z[i] - z[j]).pow(2).sum(-1).sqrt()


def contrastive(z, y, margin=1.0):
    """Hadsell et al.: pull positives together, push negatives beyond the margin."""
    i, j = torch.triu_indices(len(z), len(z), offset=1)
    d = pair_distances(z, i, j)
    same = y[i] == y[j]
    pos = d[same].pow(2).mean()
    neg = (margin - d[~same]).clamp(min=0).pow(2).mean()
    return pos + neg
