import torch
import torch.nn as nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from .data import PAD, SOS


class Seq2Seq(nn.Module):
    def __init__(self, vocab, emb=32, hid=64):
        super().__init__()
        self.emb = nn.Embedding(vocab, emb, padding_idx=PAD)
        self.enc = nn.GRU(emb, hid // 2, batch_first=True, bidirectional=True)
        self.dec = nn.GRUCell(emb + hid, hid)
        self.query = nn.Linear(hid, hid, bias=False)
        self.out = nn.Linear(2 * hid, vocab)

    def encode(self, src, lengths):
        packed = pack_padded_sequence(self.emb(src), lengths, batch_first=True, enforce_sorted=False)
        mem, h = self.enc(packed)
        mem, _ = pad_packed_sequence(mem, batch_first=True, total_length=src.size(1))
        return mem, torch.cat([h[0], h[1]], 1), src != PAD

    def attend(self, h, mem, mask):
        score = torch.einsum("bd,btd->bt", self.query(h), mem) / mem.size(-1) ** 0.5
        return torch.einsum("bt,btd->bd", score.masked_fill(~mask, -1e9).softmax(1), mem)

    def step(self, tok, h, mem, mask):
        ctx = self.attend(h, mem, mask)
        h = self.dec(torch.cat([self.emb(tok), ctx], 1), h)
        return self.out(torch.cat([h, self.attend(h, mem, mask)], 1)), h

    def forward(self, src, lengths, tgt_in):
        mem, h, mask = self.encode(src, lengths)
        logits = []
        for t in range(tgt_in.size(1)):
            o, h = self.step(tgt_in[:, t], h, mem, mask)
            logits.append(o)
        return torch.stack(logits, 1)

    @torch.no_grad()
    def greedy(self, src, lengths, max_len=12):
        mem, h, mask = self.encode(src, lengths)
        tok = torch.full((len(src),), SOS)
        out = []
        for _ in range(max_len):
            o, h = self.step(tok, h, mem, mask)
            tok = o.argmax(1)
            out.append(tok)
        return torch.stack(out, 1)
