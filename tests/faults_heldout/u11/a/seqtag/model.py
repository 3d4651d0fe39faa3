import torch
import torch.nn as nn


class SequenceClassifier(nn.Module):
    """Embedding, recurrent net, state after the last real token, linear head."""

    def __init__(self, meta, emb=24, hidden=48):
        super().__init__()
        self.pad_id = meta.pad_id
        self.embed = nn.Embedding(meta.vocab_size, emb, padding_idx=meta.pad_id)
        self.rnn = nn.RNN(emb, hidden, batch_first=True)
        self.head = nn.Linear(hidden, meta.classes)

    def forward(self, tokens):
        keep = tokens != self.pad_id
        lengths = keep.sum(1)
        h, _ = self.rnn(self.embed(tokens))
        last = h[torch.arange(len(tokens)), lengths - 1]
        return self.head(last)
