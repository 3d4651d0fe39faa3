import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from .data import PAD


class IntentTagger(nn.Module):
    """BiGRU with attention pooling over the real tokens."""

    def __init__(self, vocab_size, n_tags, emb_dim, hidden, dropout):
        super().__init__()
        self.emb = nn.Embedding(vocab_size, emb_dim, padding_idx=PAD)
        self.gru = nn.GRU(emb_dim, hidden, batch_first=True, bidirectional=True)
        self.score = nn.Linear(2 * hidden, 1)
        self.drop = nn.Dropout(dropout)
        self.out = nn.Linear(2 * hidden, n_tags)

    def forward(self, tokens, lengths):
        x = self.drop(self.emb(tokens))
        packed = pack_padded_sequence(x, lengths, batch_first=True, enforce_sorted=False)
        h, _ = pad_packed_sequence(self.gru(packed)[0], batch_first=True)
        mask = torch.arange(h.size(1))[None, :] < lengths[:, None]
        a = self.score(h).squeeze(-1).masked_fill(~mask, float("-inf")).softmax(dim=1)
        pooled = (a.unsqueeze(-1) * h).sum(dim=1)
        return self.out(self.drop(pooled))
