import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from vocab import BOS, PAD


class Encoder(nn.Module):
    def __init__(self, n_tokens, emb, hidden):
        super().__init__()
        self.emb = nn.Embedding(n_tokens, emb, padding_idx=PAD)
        self.rnn = nn.GRU(emb, hidden, batch_first=True, bidirectional=True)
        self.bridge = nn.Linear(2 * hidden, hidden)

    def forward(self, src, lengths):
        packed = pack_padded_sequence(self.emb(src), lengths, batch_first=True, enforce_sorted=False)
        states, last = self.rnn(packed)
        states, _ = pad_packed_sequence(states, batch_first=True)
        return states, torch.tanh(self.bridge(torch.cat([last[0], last[1]], dim=1)))


class Decoder(nn.Module):
    def __init__(self, n_tokens, emb, hidden, dropout):
        super().__init__()
        self.emb = nn.Embedding(n_tokens, emb, padding_idx=PAD)
        self.cell = nn.GRUCell(emb + 2 * hidden, hidden)
        self.query = nn.Linear(hidden, 2 * hidden, bias=False)
        self.drop = nn.Dropout(dropout)
        self.out = nn.Linear(3 * hidden, n_tokens)

    def attend(self, h, memory, mask):
        scores = torch.einsum("bd,btd->bt", self.query(h), memory) / memory.shape[-1] ** 0.5
        w = scores.masked_fill(~mask, float("-inf")).softmax(dim=1)
        return torch.einsum("bt,btd->bd", w, memory)

    def step(self, token, h, ctx, memory, mask):
        h = self.cell(torch.cat([self.drop(self.emb(token)), ctx], dim=1), h)
        ctx = self.attend(h, memory, mask)
        return self.out(self.drop(torch.cat([h, ctx], dim=1))), h, ctx


class Seq2Seq(nn.Module):
    def __init__(self, n_src, n_tgt, emb=32, hidden=64, dropout=0.1):
        super().__init__()
        self.encoder = Encoder(n_src, emb, hidden)
        self.decoder = Decoder(n_tgt, emb, hidden, dropout)

    def forward(self, src, lengths, tgt):
        """Teacher forcing: the gold prefix is fed at every step."""
        memory, h = self.encoder(src, lengths)
        mask = src != PAD
        ctx = memory.new_zeros(len(src), memory.shape[-1])
        token = torch.full((len(src),), BOS)
        logits = []
        for t in range(tgt.shape[1]):
            step_logits, h, ctx = self.decoder.step(token, h, ctx, memory, mask)
            logits.append(step_logits)
            token = tgt[:, t]
        return torch.stack(logits, dim=1)

    @torch.no_grad()
    def greedy(self, src, lengths, max_len):
        memory, h = self.encoder(src, lengths)
        mask = src != PAD
        ctx = memory.new_zeros(len(src), memory.shape[-1])
        token = torch.full((len(src),), BOS)
        out = []
        for _ in range(max_len):
            logits, h, ctx = self.decoder.step(token, h, ctx, memory, mask)
            token = logits.argmax(-1)
            out.append(token)
        return torch.stack(out, dim=1)
