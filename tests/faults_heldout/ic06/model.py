import torch
import torch.nn as nn
import torch.nn.functional as F


class NameClassifier(nn.Module):
    def __init__(self, n_chars, n_langs, emb=24, hidden=64, drop=0.4):
        super().__init__()
        self.drop = drop
        self.embed = nn.Embedding(n_chars, emb, padding_idx=0)
        self.conv2 = nn.Conv1d(emb, hidden, 2, padding=1)
        self.conv3 = nn.Conv1d(emb, hidden, 3, padding=1)
        self.fc = nn.Linear(2 * hidden, hidden)
        self.out = nn.Linear(hidden, n_langs)

    def forward(self, names, lengths):
        mask = torch.arange(names.size(1), device=names.device)[None] < lengths[:, None]
        e = F.dropout(self.embed(names), self.drop).transpose(1, 2)
        pooled = []
        for conv in (self.conv2, self.conv3):
            h = F.relu(conv(e))[:, :, :names.size(1)]
            pooled.append((h * mask[:, None]).amax(-1))
        h = F.dropout(torch.cat(pooled, 1), self.drop)
        h = F.dropout(F.relu(self.fc(h)), self.drop)
        return self.out(h)
