import torch
from torch import nn

from vocab import BOS, PAD


class Normaliser(nn.Module):
    """GRU encoder, GRU decoder with dot-product attention."""

    def __init__(self, n_src, n_tgt, embed, hidden):
        super().__init__()
        self.src = nn.Embedding(n_src, embed, padding_idx=PAD)
        self.tgt = nn.Embedding(n_tgt, embed, padding_idx=PAD)
        self.encoder = nn.GRU(embed, hidden // 2, batch_first=True, bidirectional=True)
        self.bridge = nn.Linear(hidden, hidden)
        self.decoder = nn.GRU(embed, hidden, batch_first=True)
        self.query = nn.Linear(hidden, hidden, bias=False)
        self.out = nn.Linear(2 * hidden, n_tgt)

    def encode(self, src):
        lengths = (src != PAD).sum(1)
        packed = nn.utils.rnn.pack_padded_sequence(self.src(src), lengths, batch_first=True, enforce_sorted=False)
        memory, h = self.encoder(packed)
        memory, _ = nn.utils.rnn.pad_packed_sequence(memory, batch_first=True, total_length=src.shape[1])
        h = torch.tanh(self.bridge(torch.cat([h[0], h[1]], -1)))[None]
        return memory, h

    def decode(self, tgt_in, memory, h, mask):
        y, h = self.decoder(self.tgt(tgt_in), h)
        att = self.query(y) @ memory.transpose(1, 2)
        att = att.masked_fill(~mask[:, None], float("-inf")).softmax(-1)
        return self.out(torch.cat([y, att @ memory], -1)), h

    def forward(self, src, tgt_in):
        memory, h = self.encode(src)
        return self.decode(tgt_in, memory, h, src != PAD)[0]

    @torch.no_grad()
    def greedy(self, src, steps):
        memory, h = self.encode(src)
        token = torch.full((len(src), 1), BOS)
        result = []
        for _ in range(steps):
            logits, h = self.decode(token, memory, h, src != PAD)
            token = logits.argmax(-1)
            result.append(token)
        return torch.cat(result, 1)
