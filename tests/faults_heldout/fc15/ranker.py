import torch
from torch import nn


class Ranker(nn.Module):
    """Scores documents of one query from query-document features."""

    def __init__(self, n_features, hidden=(64, 32)):
        super().__init__()
        sizes = (n_features, *hidden)
        layers = []
        for a, b in zip(sizes[:-1], sizes[1:]):
            layers += [nn.Linear(a, b), nn.ReLU()]
        self.net = nn.Sequential(*layers, nn.Linear(sizes[-1], 1))

    def forward(self, x):
        return self.net(x).squeeze(-1)


def pairwise_logistic(scores, relevance):
    """RankNet loss over all document pairs of the same query with different relevance."""
    diff = scores.unsqueeze(2) - scores.unsqueeze(1)
    better = relevance.unsqueeze(2) > relevance.unsqueeze(1)
    return nn.functional.softplus(-diff[better]).sum() / len(scores)


def ndcg(scores, relevance, k=10):
    order = scores.argsort(dim=1, descending=True)[:, :k]
    gain = (2.0 ** relevance - 1.0)
    disc = 1.0 / torch.log2(torch.arange(k, dtype=torch.float32) + 2.0)
    dcg = (gain.gather(1, order) * disc).sum(1)
    ideal = (gain.sort(dim=1, descending=True).values[:, :k] * disc).sum(1)
    return (dcg / ideal.clamp_min(1e-9)).mean().item()
