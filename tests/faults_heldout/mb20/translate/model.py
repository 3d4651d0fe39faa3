import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from .text import BOS, PAD


class Translator(nn.Module):
    def __init__(self, n_src, n_dst, width=64):
        super().__init__()
        self.src = nn.Embedding(n_src, 32, padding_idx=PAD)
        self.dst = nn.Embedding(n_dst, 32)
        self.enc = nn.GRU(32, width // 2, batch_first=True, bidirectional=True)
        self.dec = nn.GRU(32, width, batch_first=True)
        self.query = nn.Linear(width, width, bias=False)
        self.out = nn.Sequential(nn.Linear(2 * width, width), nn.Tanh(), nn.Linear(width, n_dst))

    def encode(self, s):
        lengths = (s != PAD).sum(1)
        packed = pack_padded_sequence(self.src(s), lengths, batch_first=True, enforce_sorted=False)
        memory, last = self.enc(packed)
        memory, _ = pad_packed_sequence(memory, batch_first=True, total_length=s.shape[1])
        return memory, torch.cat([last[0], last[1]], 1).unsqueeze(0)

    def decode(self, t, memory, mask, state):
        h, state = self.dec(self.dst(t), state)
        score = self.query(h) @ memory.transpose(1, 2) / memory.shape[2] ** 0.5
        weights = score.masked_fill(mask.unsqueeze(1), float("-inf")).softmax(-1)
        return self.out(torch.cat([h, weights @ memory], -1)), state

    def forward(self, s, t):
        memory, state = self.encode(s)
        return self.decode(t, memory, s == PAD, state)[0]

    @torch.no_grad()
    def greedy(self, s, steps):
        memory, state = self.encode(s)
        t = torch.full((len(s), 1), BOS)
        out = []
        for _ in range(steps):
            z, state = self.decode(t, memory, s == PAD, state)
            t = z.argmax(-1)
            out.append(t)
        return torch.cat(out, 1)
