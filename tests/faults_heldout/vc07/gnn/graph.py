from dataclasses import dataclass

import torch


@dataclass
class Graph:
    x: torch.Tensor
    adj: torch.Tensor  # normalised, with self loops
    y: torch.Tensor
    train_mask: torch.Tensor
    test_mask: torch.Tensor


def citation_like(n_nodes, n_topics, vocab, gen, p_in=0.02, p_out=0.002):
    """Papers with bag-of-words features that mostly cite papers of their own topic."""
    y = torch.randint(n_topics, (n_nodes,), generator=gen)
    same = y[:, None] == y[None, :]
    prob = torch.where(same, p_in, p_out)
    edges = (torch.rand(n_nodes, n_nodes, generator=gen) < prob).float().triu(1)
    edges = edges + edges.T + torch.eye(n_nodes)
    d = edges.sum(1).rsqrt()
    adj = (d[:, None] * edges * d[None, :])

    topic_words = torch.rand(n_topics, vocab, generator=gen) < 0.08
    rate = 0.03 + 0.09 * topic_words[y].float()
    x = (torch.rand(n_nodes, vocab, generator=gen) < rate).float()
    x = x / x.sum(1, keepdim=True).clamp(min=1).sqrt()

    order = torch.randperm(n_nodes, generator=gen)
    train_mask = torch.zeros(n_nodes, dtype=torch.bool)
    train_mask[order[: n_nodes // 5]] = True
    return Graph(x, adj, y, train_mask, ~train_mask)
