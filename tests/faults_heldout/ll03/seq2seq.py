import torch
import torch.nn as nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from vocab import BOS, PAD


class Encoder(nn.Module):
    def __init__(self, n, emb, hid):
        super().__init__()
        self.emb = nn.Embedding(n, emb, padding_idx=PAD)
        self.rnn = nn.GRU(emb, hid, batch_first=True, bidirectional=True)
        self.bridge = nn.Linear(2 * hid, hid)

    def forward(self, src, lengths):
        packed = pack_padded_sequence(self.emb(src), lengths, batch_first=True, enforce_sorted=False)
        out, h = self.rnn(packed)
        out, _ = pad_packed_sequence(out, batch_first=True, total_length=src.size(1))
        return out, torch.tanh(self.bridge(torch.cat([h[0], h[1]], -1)))


class Decoder(nn.Module):
    def __init__(self, n, emb, hid):
        super().__init__()
        self.emb = nn.Embedding(n, emb, padding_idx=PAD)
        self.cell = nn.GRUCell(emb + 2 * hid, hid)
        self.query = nn.Linear(hid, hid)
        self.key = nn.Linear(2 * hid, hid, bias=False)
        self.score = nn.Linear(hid, 1, bias=False)
        self.out = nn.Linear(3 * hid, n)

    def step(self, token, h, memory, keys, mask):
        e = self.score(torch.tanh(self.query(h)[:, None] + keys)).squeeze(-1)
        a = e.masked_fill(~mask, float("-inf")).softmax(-1)
        ctx = torch.bmm(a[:, None], memory).squeeze(1)
        h = self.cell(torch.cat([self.emb(token), ctx], -1), h)
        return self.out(torch.cat([h, ctx], -1)), h


class Seq2Seq(nn.Module):
    def __init__(self, n_src, n_dst, emb=24, hid=48):
        super().__init__()
        self.encoder = Encoder(n_src, emb, hid)
        self.decoder = Decoder(n_dst, emb, hid)

    def forward(self, src, lengths, dst_in):
        memory, h = self.encoder(src, lengths)
        keys, mask = self.decoder.key(memory), src != PAD
        steps = []
        for t in range(dst_in.size(1)):
            logits, h = self.decoder.step(dst_in[:, t], h, memory, keys, mask)
            steps.append(logits)
        return torch.stack(steps, 1)

    @torch.no_grad()
    def greedy(self, src, lengths, max_len=12):
        memory, h = self.encoder(src, lengths)
        keys, mask = self.decoder.key(memory), src != PAD
        token = src.new_full((src.size(0),), BOS)
        result = []
        for _ in range(max_len):
            logits, h = self.decoder.step(token, h, memory, keys, mask)
            token = logits.argmax(-1)
            result.append(token)
        return torch.stack(result, 1)
