import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence


class IntentGRU(nn.Module):
    def __init__(self, vocab_size, n_intents, dim=32, hidden=48):
        super().__init__()
        self.embed = nn.Embedding(vocab_size, dim, padding_idx=0)
        self.gru = nn.GRU(dim, hidden, batch_first=True, bidirectional=True)
        self.drop = nn.Dropout(0.2)
        self.out = nn.Linear(2 * hidden, n_intents)

    def forward(self, ids, lengths):
        packed = pack_padded_sequence(self.embed(ids), lengths, batch_first=True, enforce_sorted=False)
        _, h = self.gru(packed)
        return self.out(self.drop(torch.cat([h[0], h[1]], dim=1)))
