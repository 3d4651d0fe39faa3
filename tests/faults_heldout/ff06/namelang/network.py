import torch
from torch import nn


class CharCNN(nn.Module):
    def __init__(self, n_chars, n_classes, emb=24, ch=40):
        super().__init__()
        self.emb = nn.Embedding(n_chars, emb, padding_idx=0)
        self.convs = nn.ModuleList([nn.Conv1d(emb, ch, k, padding=k // 2) for k in (2, 3, 4)])
        self.drop = nn.Dropout(0.2)
        self.fc = nn.Linear(3 * ch, n_classes)

    def forward(self, ids):
        h = self.emb(ids).transpose(1, 2)
        pooled = [torch.relu(c(h)).amax(-1) for c in self.convs]
        return self.fc(self.drop(torch.cat(pooled, 1)))
