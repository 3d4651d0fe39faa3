import torch


def pairwise_distance(z):
    sq = z.square().sum(1)
    d2 = sq[:, None] + sq[None, :] - 2 * z @ z.T
    return d2.clamp(min=0).sqrt()


def batch_hard_triplet(z, labels, margin):
    dist = pairwise_distance(z)
    same = labels[:, None] == labels[None, :]
    hardest_pos = dist.masked_fill(~same, 0.0).amax(1)
    hardest_neg = dist.masked_fill(same, float("inf")).amin(1)
    return torch.relu(hardest_pos - hardest_neg + margin).mean()
