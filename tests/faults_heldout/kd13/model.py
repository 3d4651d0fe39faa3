import torch
import torch.nn as nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from text import BOS, PAD


class Encoder(nn.Module):
    def __init__(self, vocab, emb, hid):
        super().__init__()
        self.emb = nn.Embedding(vocab, emb, padding_idx=PAD)
        self.rnn = nn.GRU(emb, hid, batch_first=True, bidirectional=True)
        self.bridge = nn.Linear(2 * hid, hid)

    def forward(self, src):
        lengths = (src != PAD).sum(1).cpu()
        packed = pack_padded_sequence(self.emb(src), lengths, batch_first=True, enforce_sorted=False)
        out, h = self.rnn(packed)
        out, _ = pad_packed_sequence(out, batch_first=True, total_length=src.shape[1])
        return out, torch.tanh(self.bridge(torch.cat([h[0], h[1]], 1)))


class Decoder(nn.Module):
    def __init__(self, vocab, emb, hid):
        super().__init__()
        self.emb = nn.Embedding(vocab, emb, padding_idx=PAD)
        self.cell = nn.GRUCell(emb + 2 * hid, hid)
        self.query = nn.Linear(hid, 2 * hid, bias=False)
        self.out = nn.Linear(3 * hid, vocab)

    def forward(self, token, h, mem, mask):
        score = torch.bmm(mem, self.query(h)[:, :, None])[:, :, 0] / mem.shape[-1] ** 0.5
        att = torch.softmax(score.masked_fill(~mask, float("-inf")), dim=1)
        ctx = torch.bmm(att[:, None], mem)[:, 0]
        h = self.cell(torch.cat([self.emb(token), ctx], 1), h)
        return self.out(torch.cat([h, ctx], 1)), h


class DateTranslator(nn.Module):
    def __init__(self, n_src, n_tgt, emb=32, hid=64):
        super().__init__()
        self.encoder = Encoder(n_src, emb, hid)
        self.decoder = Decoder(n_tgt, emb, hid)

    def forward(self, src, tgt):
        """Logits for tgt[:, 1:] with teacher forcing."""
        mem, h = self.encoder(src)
        mask = src != PAD
        logits = []
        for t in range(tgt.shape[1] - 1):
            o, h = self.decoder(tgt[:, t], h, mem, mask)
            logits.append(o)
        return torch.stack(logits, 1)

    @torch.no_grad()
    def greedy(self, src, max_len=12):
        mem, h = self.encoder(src)
        mask = src != PAD
        tok = torch.full((len(src),), BOS)
        out = []
        for _ in range(max_len):
            o, h = self.decoder(tok, h, mem, mask)
            tok = o.argmax(1)
            out.append(tok)
        return torch.stack(out, 1)
