import torch
from torch import nn

from titles import ALPHABET


class CharCNN(nn.Module):
    def __init__(self, n_out, dim=24, maps=48, emb_drop=0.1, fc_drop=0.2):
        super().__init__()
        self.emb = nn.Embedding(len(ALPHABET) + 1, dim, padding_idx=0)
        self.emb_drop = nn.Dropout(emb_drop)
        self.convs = nn.ModuleList(nn.Conv1d(dim, maps, k, padding=k // 2) for k in (3, 5))
        self.fc_drop = nn.Dropout(fc_drop)
        self.fc = nn.Linear(2 * maps, n_out)

    def forward(self, ids):
        e = self.emb_drop(self.emb(ids)).transpose(1, 2)
        h = torch.cat([torch.relu(c(e)).amax(-1) for c in self.convs], 1)
        return self.fc(self.fc_drop(h))
