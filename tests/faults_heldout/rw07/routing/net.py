import torch
from torch import nn

from .vocab import PAD


class ConvRouter(nn.Module):
    def __init__(self, vocab_size, n_queues, dim=32, channels=32, kernels=(1, 2, 3), dropout=0.4):
        super().__init__()
        self.embed = nn.Embedding(vocab_size, dim, padding_idx=PAD)
        self.convs = nn.ModuleList(nn.Conv1d(dim, channels, k) for k in kernels)
        self.dropout = nn.Dropout(dropout)
        self.fc = nn.Linear(channels * len(kernels), n_queues)

    def forward(self, tokens):
        x = self.dropout(self.embed(tokens)).transpose(1, 2)
        pooled = [torch.relu(conv(x)).amax(-1) for conv in self.convs]
        return self.fc(self.dropout(torch.cat(pooled, 1)))
