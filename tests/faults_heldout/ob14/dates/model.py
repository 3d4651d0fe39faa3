import torch
from torch import nn

from .vocab import BOS, PAD, SIZE


class Seq2Seq(nn.Module):
    def __init__(self, emb, hidden):
        super().__init__()
        self.emb = nn.Embedding(SIZE, emb, padding_idx=PAD)
        self.encoder = nn.GRU(emb, hidden, batch_first=True, bidirectional=True)
        self.bridge = nn.Linear(2 * hidden, hidden)
        self.keys = nn.Linear(2 * hidden, hidden)
        self.decoder = nn.GRU(emb, hidden, batch_first=True)
        self.out = nn.Sequential(nn.Linear(3 * hidden, hidden), nn.Tanh(), nn.Linear(hidden, SIZE))

    def encode(self, src):
        memory, h = self.encoder(self.emb(src))
        h0 = torch.tanh(self.bridge(torch.cat([h[0], h[1]], dim=-1))).unsqueeze(0)
        return memory, src.eq(PAD), h0

    def decode(self, tokens, memory, mask, h):
        states, h = self.decoder(self.emb(tokens), h)
        scores = states @ self.keys(memory).transpose(1, 2) / states.size(-1) ** 0.5
        scores = scores.masked_fill(mask.unsqueeze(1), float("-inf"))
        context = scores.softmax(-1) @ memory
        return self.out(torch.cat([states, context], dim=-1)), h

    def forward(self, src, tgt):
        memory, mask, h = self.encode(src)
        logits, _ = self.decode(tgt, memory, mask, h)
        return logits

    @torch.no_grad()
    def generate(self, src, max_len):
        memory, mask, h = self.encode(src)
        token = torch.full((len(src), 1), BOS)
        result = []
        for _ in range(max_len):
            logits, h = self.decode(token, memory, mask, h)
            token = logits.argmax(-1)
            result.append(token)
        return torch.cat(result, dim=1)
