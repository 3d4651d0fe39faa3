import torch.nn as nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from .data import PAD_TOKEN


class BiGRUTagger(nn.Module):
    def __init__(self, vocab, n_tags, emb=32, hidden=40):
        super().__init__()
        self.emb = nn.Embedding(vocab, emb, padding_idx=PAD_TOKEN)
        self.rnn = nn.GRU(emb, hidden, batch_first=True, bidirectional=True)
        self.out = nn.Linear(2 * hidden, n_tags)

    def forward(self, tokens):
        lengths = (tokens != PAD_TOKEN).sum(1)
        packed = pack_padded_sequence(self.emb(tokens), lengths, batch_first=True, enforce_sorted=False)
        h, _ = pad_packed_sequence(self.rnn(packed)[0], batch_first=True, total_length=tokens.size(1))
        return self.out(h)
