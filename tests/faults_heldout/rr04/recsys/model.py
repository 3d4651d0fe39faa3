import torch
from torch import nn


class BiasedMF(nn.Module):
    """Matrix factorisation with user and item biases (Koren et al., 2009)."""

    def __init__(self, sizes, dim, mean_rating):
        super().__init__()
        self.columns = list(sizes)
        self.factors = {c: nn.Embedding(n, dim) for c, n in sizes.items()}
        self.bias = nn.ModuleDict({c: nn.Embedding(n, 1) for c, n in sizes.items()})
        self.offset = nn.Parameter(torch.tensor(float(mean_rating)))
        self.reset_parameters()

    def reset_parameters(self):
        for c in self.columns:
            nn.init.normal_(self.factors[c].weight, std=0.1)
            nn.init.zeros_(self.bias[c].weight)

    def forward(self, batch):
        interaction = torch.ones(())
        score = self.offset
        for c in self.columns:
            interaction = interaction * self.factors[c](batch[c])
            score = score + self.bias[c](batch[c]).squeeze(-1)
        return score + interaction.sum(-1)
