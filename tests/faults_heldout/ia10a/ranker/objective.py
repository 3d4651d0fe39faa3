import torch
import torch.nn.functional as F


def pairwise(scores, grades):
    """RankNet loss on all pairs of a query whose grades differ."""
    better = grades[:, None] > grades[None, :]
    margin = scores[:, None] - scores[None, :]
    return F.softplus(-margin[better]).mean()


def ndcg(scores, grades, k=5):
    discount = 1 / torch.log2(torch.arange(2, k + 2).float())
    gain = 2.0 ** grades - 1
    top = gain[scores.argsort(descending=True)][:k]
    ideal = gain.sort(descending=True).values[:k]
    return ((top * discount).sum() / (ideal * discount).sum()).item()
