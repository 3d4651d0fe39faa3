import torch


def lambda_pairs(scores, grade):
    """Pairwise logistic loss weighted by the NDCG change of a swap (weights carry no gradient)."""
    with torch.no_grad():
        gain = 2.0 ** grade - 1
        place = scores.argsort(1, descending=True).argsort(1)
        disc = 1 / torch.log2(place + 2.0)
        ideal = (gain.sort(1, descending=True).values / torch.log2(torch.arange(grade.shape[1]) + 2.0)).sum(1)
        delta = (gain[:, :, None] - gain[:, None]) * (disc[:, :, None] - disc[:, None])
        weight = delta.abs() / ideal[:, None, None] * (grade[:, :, None] > grade[:, None])
    margin = scores[:, :, None] - scores[:, None]
    return (weight * torch.nn.functional.softplus(-margin)).sum((1, 2)).mean()
