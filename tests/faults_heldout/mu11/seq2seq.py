import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from dates import BOS, PAD


class Encoder(nn.Module):
    def __init__(self, vocab, emb, hidden):
        super().__init__()
        self.embed = nn.Embedding(vocab, emb, padding_idx=PAD)
        self.rnn = nn.GRU(emb, hidden, batch_first=True, bidirectional=True)
        self.bridge = nn.Linear(2 * hidden, hidden)

    def forward(self, src):
        lengths = (src != PAD).sum(1)
        packed = pack_padded_sequence(self.embed(src), lengths, batch_first=True, enforce_sorted=False)
        states, h = self.rnn(packed)
        states, _ = pad_packed_sequence(states, batch_first=True)
        return states, torch.tanh(self.bridge(torch.cat([h[0], h[1]], 1)))


class Attention(nn.Module):
    def __init__(self, hidden):
        super().__init__()
        self.key = nn.Linear(2 * hidden, hidden)

    def forward(self, query, states, mask):
        score = torch.bmm(self.key(states), query[:, :, None]).squeeze(-1) / query.shape[1] ** 0.5
        w = score.masked_fill(~mask, float("-inf")).softmax(1)
        return torch.bmm(w[:, None], states).squeeze(1)


class Decoder(nn.Module):
    def __init__(self, vocab, emb, hidden):
        super().__init__()
        self.embed = nn.Embedding(vocab, emb, padding_idx=PAD)
        self.cell = nn.GRUCell(emb + 2 * hidden, hidden)
        self.out = nn.Linear(3 * hidden, vocab)

    def forward(self, token, context, h):
        h = self.cell(torch.cat([self.embed(token), context], 1), h)
        return h


class Seq2Seq(nn.Module):
    def __init__(self, vocab, emb=24, hidden=48):
        super().__init__()
        self.encoder = Encoder(vocab, emb, hidden)
        self.attention = Attention(hidden)
        self.decoder = Decoder(vocab, emb, hidden)

    def step(self, token, context, h, states, mask):
        h = self.decoder(token, context, h)
        context = self.attention(h, states, mask)
        return self.decoder.out(torch.cat([h, context], 1)), context, h

    def forward(self, src, tgt):
        """Teacher forcing: logits for tgt[:, 1:]."""
        states, h = self.encoder(src)
        mask = src != PAD
        context = states.new_zeros(len(src), states.shape[-1])
        logits = []
        for t in range(tgt.shape[1] - 1):
            y, context, h = self.step(tgt[:, t], context, h, states, mask)
            logits.append(y)
        return torch.stack(logits, 1)

    @torch.no_grad()
    def greedy(self, src, max_len=11):
        states, h = self.encoder(src)
        mask = src != PAD
        context = states.new_zeros(len(src), states.shape[-1])
        token = torch.full((len(src),), BOS)
        out = []
        for _ in range(max_len):
            y, context, h = self.step(token, context, h, states, mask)
            token = y.argmax(1)
            out.append(token)
        return torch.stack(out, 1)
