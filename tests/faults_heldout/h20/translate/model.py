import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from .text import BOS, PAD


class Seq2Seq(nn.Module):
    def __init__(self, n_src, n_tgt, emb=32, hidden=96):
        super().__init__()
        self.src = nn.Embedding(n_src, emb, padding_idx=PAD)
        self.tgt = nn.Embedding(n_tgt, emb, padding_idx=PAD)
        self.encoder = nn.GRU(emb, hidden // 2, bidirectional=True, batch_first=True)
        self.bridge = nn.Linear(hidden, hidden)
        self.decoder = nn.GRU(emb, hidden, batch_first=True)
        self.query = nn.Linear(hidden, hidden, bias=False)
        self.out = nn.Sequential(nn.Linear(2 * hidden, hidden), nn.Tanh(), nn.Linear(hidden, n_tgt))

    def encode(self, s, lengths):
        packed = pack_padded_sequence(self.src(s), lengths, batch_first=True, enforce_sorted=False)
        out, h = self.encoder(packed)
        memory, _ = pad_packed_sequence(out, batch_first=True)
        h = torch.tanh(self.bridge(torch.cat([h[0], h[1]], dim=1))).unsqueeze(0)
        return memory, (s != PAD), h

    def decode(self, t, memory, mask, h):
        d, h = self.decoder(self.tgt(t), h)
        scores = self.query(d) @ memory.transpose(1, 2) / memory.size(-1) ** 0.5
        attention = scores.masked_fill(~mask.unsqueeze(1), float("-inf")).softmax(dim=-1)
        return self.out(torch.cat([d, attention @ memory], dim=-1)), h

    def forward(self, s, lengths, t):
        return self.decode(t, *self.encode(s, lengths))[0]

    @torch.no_grad()
    def greedy(self, s, lengths, steps=12):
        memory, mask, h = self.encode(s, lengths)
        tok, out = torch.full((len(s), 1), BOS), []
        for _ in range(steps):
            logits, h = self.decode(tok, memory, mask, h)
            tok = logits.argmax(-1)
            out.append(tok)
        return torch.cat(out, dim=1)
