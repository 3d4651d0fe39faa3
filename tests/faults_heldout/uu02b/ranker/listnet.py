import torch
from torch import nn


class OfferScorer(nn.Module):
    """Scores an offer given its own features and the average of the page."""

    def __init__(self, n_features: int, hidden: int = 32):
        super().__init__()
        self.own = nn.Linear(n_features, hidden)
        self.page = nn.Linear(n_features, hidden, bias=False)
        self.mid = nn.Linear(hidden, hidden)
        self.score = nn.Linear(hidden, 1)
        self.drop = nn.Dropout(0.1)

    def forward(self, offers: torch.Tensor) -> torch.Tensor:
        page = offers.mean(dim=1, keepdim=True)
        h = torch.relu(self.own(offers) + self.page(page))
        h = torch.relu(self.mid(self.drop(h)))
        return self.score(h).squeeze(-1)
