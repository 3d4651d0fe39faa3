import torch
from torch import nn

from .dates import BOS, PAD


class Seq2Seq(nn.Module):
    def __init__(self, n_vocab, embed, hidden):
        super().__init__()
        self.embed = nn.Embedding(n_vocab, embed, padding_idx=PAD)
        self.encoder = nn.GRU(embed, hidden // 2, batch_first=True, bidirectional=True)
        self.bridge = nn.Linear(hidden, hidden)
        self.decoder = nn.GRU(embed, hidden, batch_first=True)
        self.key = nn.Linear(hidden, hidden, bias=False)
        self.out = nn.Sequential(nn.Linear(2 * hidden, hidden), nn.Tanh(), nn.Linear(hidden, n_vocab))

    def encode(self, src):
        lengths = (src != PAD).sum(1)
        packed = nn.utils.rnn.pack_padded_sequence(self.embed(src), lengths, batch_first=True, enforce_sorted=False)
        memory, h = self.encoder(packed)
        memory, _ = nn.utils.rnn.pad_packed_sequence(memory, batch_first=True, total_length=src.shape[1])
        h0 = torch.tanh(self.bridge(torch.cat([h[0], h[1]], 1))).unsqueeze(0)
        return memory, h0

    def decode(self, tokens, h, memory, src_pad):
        q, h = self.decoder(self.embed(tokens), h)
        score = q @ self.key(memory).transpose(1, 2) / q.shape[-1] ** 0.5
        attn = score.masked_fill(src_pad[:, None], float("-inf")).softmax(-1)
        return self.out(torch.cat([q, attn @ memory], -1)), h

    def forward(self, src, tgt_in):
        memory, h = self.encode(src)
        logits, _ = self.decode(tgt_in, h, memory, src == PAD)
        return logits

    @torch.no_grad()
    def greedy(self, src, max_len=12):
        memory, h = self.encode(src)
        tok = torch.full((len(src), 1), BOS)
        out = []
        for _ in range(max_len):
            logits, h = self.decode(tok, h, memory, src == PAD)
            tok = logits.argmax(-1)
            out.append(tok)
        return torch.cat(out, 1)
