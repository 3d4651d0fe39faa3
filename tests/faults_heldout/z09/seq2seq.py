import torch
from torch import nn

from vocab import BOS, N_SYMBOLS, OFFSET, PAD


def embed(n_tokens, dim, keep_prob):
    """Token table followed by input dropout."""
    return nn.Sequential(nn.Embedding(n_tokens, dim, padding_idx=PAD), nn.Dropout(keep_prob))


class Encoder(nn.Module):
    def __init__(self, n_tokens, dim, hidden, keep_prob):
        super().__init__()
        self.embed = embed(n_tokens, dim, keep_prob)
        self.rnn = nn.GRU(dim, hidden, batch_first=True, bidirectional=True)
        self.bridge = nn.Linear(2 * hidden, hidden)

    def forward(self, src):
        lengths = (src != PAD).sum(1)
        packed = nn.utils.rnn.pack_padded_sequence(self.embed(src), lengths, batch_first=True, enforce_sorted=False)
        out, h = self.rnn(packed)
        out, _ = nn.utils.rnn.pad_packed_sequence(out, batch_first=True, total_length=src.shape[1])
        return out, torch.tanh(self.bridge(torch.cat([h[0], h[1]], -1)))[None]


class Decoder(nn.Module):
    """GRU decoder with dot-product attention over the encoder states."""

    def __init__(self, n_tokens, dim, hidden, keep_prob):
        super().__init__()
        self.embed = embed(n_tokens, dim, keep_prob)
        self.rnn = nn.GRU(dim, hidden, batch_first=True)
        self.key = nn.Linear(2 * hidden, hidden)
        self.mix = nn.Linear(3 * hidden, hidden)
        self.out = nn.Linear(hidden, n_tokens)

    def forward(self, tokens, memory, mask, h):
        q, h = self.rnn(self.embed(tokens), h)
        score = q @ self.key(memory).transpose(1, 2) / q.shape[-1] ** 0.5
        att = score.masked_fill(~mask[:, None], float("-inf")).softmax(-1)
        return self.out(torch.tanh(self.mix(torch.cat([q, att @ memory], -1)))), h


class Seq2Seq(nn.Module):
    def __init__(self, dim=32, hidden=64, keep_prob=0.9):
        super().__init__()
        n = N_SYMBOLS + OFFSET
        self.encoder, self.decoder = Encoder(n, dim, hidden, keep_prob), Decoder(n, dim, hidden, keep_prob)

    def forward(self, src, tgt_in):
        memory, h = self.encoder(src)
        return self.decoder(tgt_in, memory, src != PAD, h)[0]

    @torch.no_grad()
    def greedy(self, src, steps):
        memory, h = self.encoder(src)
        tok, out = torch.full((len(src), 1), BOS), []
        for _ in range(steps):
            logits, h = self.decoder(tok, memory, src != PAD, h)
            tok = logits[:, -1:].argmax(-1)
            out.append(tok)
        return torch.cat(out, 1)
