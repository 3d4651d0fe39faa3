import torch
import torch.nn as nn
from torch.nn.utils.rnn import pack_padded_sequence


class ReviewGRU(nn.Module):
    """Embedding -> GRU -> last state of each review -> two classes."""

    def __init__(self, vocab_size, pad_id, emb_dim=48, hidden=64, dropout=0.2):
        super().__init__()
        self.pad_id = pad_id
        self.embedding = nn.Embedding(vocab_size, emb_dim, padding_idx=pad_id)
        self.gru = nn.GRU(emb_dim, hidden, batch_first=True)
        self.dropout = nn.Dropout(dropout)
        self.classifier = nn.Linear(hidden, 2)

    def forward(self, input_ids):
        lengths = (input_ids != self.pad_id).sum(dim=1)
        input_ids = input_ids[:, : int(lengths.max())]
        packed = pack_padded_sequence(
            self.dropout(self.embedding(input_ids)), lengths.cpu(), batch_first=True, enforce_sorted=False
        )
        _, h = self.gru(packed)
        return self.classifier(self.dropout(h[-1]))
