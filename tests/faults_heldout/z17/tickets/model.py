import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence


class TicketRouter(nn.Module):
    def __init__(self, vocab_size, n_queues, dim=32, hidden=32):
        super().__init__()
        self.embed = nn.Embedding(vocab_size, dim, padding_idx=0)
        self.rnn = nn.GRU(dim, hidden, batch_first=True, bidirectional=True)
        self.drop = nn.Dropout(0.2)
        self.out = nn.Linear(2 * hidden, n_queues)

    def forward(self, tokens, lengths):
        packed = pack_padded_sequence(self.embed(tokens), lengths, batch_first=True)
        _, h = self.rnn(packed)
        return self.out(self.drop(torch.cat([h[0], h[1]], -1)))
