import torch
from torch import nn


class Encoder(nn.Module):
    def __init__(self, vocab, embed, hidden):
        super().__init__()
        self.emb = nn.Embedding(vocab, embed)
        self.rnn = nn.GRU(embed, hidden, batch_first=True)

    def forward(self, src, keep):
        out, _ = self.rnn(self.emb(src))
        last = keep.long().sum(1).sub(1).clamp(min=0)
        state = out[torch.arange(len(src)), last]
        return out, state


class Decoder(nn.Module):
    def __init__(self, vocab, embed, hidden):
        super().__init__()
        self.emb = nn.Embedding(vocab, embed)
        self.cell = nn.GRUCell(embed + hidden, hidden)
        self.query = nn.Linear(hidden, hidden, bias=False)
        self.head = nn.Sequential(nn.Linear(2 * hidden, hidden), nn.Tanh(), nn.Linear(hidden, vocab))

    def step(self, tok, h, ctx, memory, keep):
        h = self.cell(torch.cat([self.emb(tok), ctx], -1), h)
        score = torch.einsum("bth,bh->bt", memory, self.query(h)) / h.shape[-1] ** 0.5
        w = score.masked_fill(~keep, float("-inf")).softmax(-1)
        ctx = torch.einsum("bt,bth->bh", w, memory)
        return self.head(torch.cat([h, ctx], -1)), h, ctx


class Seq2Seq(nn.Module):
    def __init__(self, src_vocab, tgt_vocab, embed, hidden, pad_id):
        super().__init__()
        self.pad_id = pad_id
        self.enc = Encoder(src_vocab, embed, hidden)
        self.dec = Decoder(tgt_vocab, embed, hidden)

    def forward(self, src, tgt_in):
        keep = src != self.pad_id
        memory, h = self.enc(src, keep)
        ctx = torch.zeros_like(h)
        logits = []
        for t in range(tgt_in.shape[1]):
            y, h, ctx = self.dec.step(tgt_in[:, t], h, ctx, memory, keep)
            logits.append(y)
        return torch.stack(logits, 1)

    @torch.no_grad()
    def greedy(self, src, max_len):
        keep = src != self.pad_id
        memory, h = self.enc(src, keep)
        ctx = torch.zeros_like(h)
        tok = torch.ones(len(src), dtype=torch.long)
        out = []
        for _ in range(max_len):
            y, h, ctx = self.dec.step(tok, h, ctx, memory, keep)
            tok = y.argmax(-1)
            out.append(tok)
        return torch.stack(out, 1)
