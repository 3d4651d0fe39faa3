import torch
from torch import nn


class Scorer(nn.Module):
    def __init__(self, n_feat, hidden):
        super().__init__()
        self.net = nn.Sequential(
            nn.Linear(n_feat, hidden), nn.ReLU(), nn.Linear(hidden, hidden), nn.ReLU(), nn.Linear(hidden, 1))

    def forward(self, docs):
        return self.net(docs).squeeze(-1)


def listwise_loss(scores, grades):
    target = torch.softmax(1.5 * grades.float(), 1)
    return -(target * torch.log_softmax(scores, 1)).sum(1).mean()
