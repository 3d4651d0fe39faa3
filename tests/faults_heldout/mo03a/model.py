import torch
from torch import nn

from dates import BOS, OUT_LEN, PAD, VOCAB


class Normaliser(nn.Module):
    def __init__(self, dim=64):
        super().__init__()
        self.emb = nn.Embedding(VOCAB, dim, padding_idx=PAD)
        self.enc = nn.GRU(dim, dim, batch_first=True, bidirectional=True)
        self.key = nn.Linear(2 * dim, dim)
        self.dec = nn.GRU(dim, dim, batch_first=True)
        self.bridge = nn.Linear(2 * dim, dim)
        self.out = nn.Sequential(nn.Linear(3 * dim, dim), nn.Tanh(), nn.Linear(dim, VOCAB))

    def encode(self, src):
        h, _ = self.enc(self.emb(src))
        mask = (src == PAD).unsqueeze(1)
        n = (~mask).sum(-1).clamp(min=1)
        mean = (h * (~mask).transpose(1, 2)).sum(1) / n
        return h, self.key(h), mask, torch.tanh(self.bridge(mean)).unsqueeze(0)

    def decode(self, memory, tokens, state):
        h, k, mask, _ = memory
        s, state = self.dec(self.emb(tokens), state)
        a = (s @ k.transpose(1, 2) / k.shape[-1] ** 0.5).masked_fill(mask, -1e9).softmax(-1)
        return self.out(torch.cat([s, a @ h], -1)), state

    def forward(self, src, tgt):
        memory = self.encode(src)
        bos = torch.full_like(tgt[:, :1], BOS)
        return self.decode(memory, torch.cat([bos, tgt[:, :-1]], 1), memory[3])[0]

    @torch.no_grad()
    def generate(self, src):
        memory = self.encode(src)
        tok, state, res = torch.full_like(src[:, :1], BOS), memory[3], []
        for _ in range(OUT_LEN):
            logits, state = self.decode(memory, tok, state)
            tok = logits.argmax(-1)
            res.append(tok)
        return torch.cat(res, 1)
