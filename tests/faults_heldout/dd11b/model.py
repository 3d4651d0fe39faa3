import torch
from torch import nn


class Encoder(nn.Module):
    def __init__(self, embed, hidden):
        super().__init__()
        self.embed = embed
        self.gru = nn.GRU(embed.embedding_dim, hidden, batch_first=True)

    def forward(self, src, keep):
        packed = nn.utils.rnn.pack_padded_sequence(self.embed(src), keep.sum(1), batch_first=True, enforce_sorted=False)
        states, last = self.gru(packed)
        states, _ = nn.utils.rnn.pad_packed_sequence(states, batch_first=True, total_length=src.shape[1])
        return states, last


class Decoder(nn.Module):
    def __init__(self, embed, hidden, symbols):
        super().__init__()
        self.embed = embed
        self.gru = nn.GRU(embed.embedding_dim, hidden, batch_first=True)
        self.query = nn.Linear(hidden, hidden, bias=False)
        self.out = nn.Linear(2 * hidden, symbols)

    def forward(self, prev, state, memory, keep):
        h, state = self.gru(self.embed(prev), state)
        scores = self.query(h) @ memory.transpose(1, 2) / memory.shape[-1] ** 0.5
        scores = scores.masked_fill(~keep.unsqueeze(1), -1e9)
        return self.out(torch.cat([h, scores.softmax(-1) @ memory], -1)), state


class Inflector(nn.Module):
    def __init__(self, symbols, pad, embed=32, hidden=64):
        super().__init__()
        self.pad = pad
        table = nn.Embedding(symbols, embed, padding_idx=pad)
        self.encoder = Encoder(table, hidden)
        self.decoder = Decoder(table, hidden, symbols)

    def forward(self, src, tgt_in):
        keep = src != self.pad
        memory, state = self.encoder(src, keep)
        return self.decoder(tgt_in, state, memory, keep)[0]

    @torch.no_grad()
    def generate(self, src, start, steps):
        keep = src != self.pad
        memory, state = self.encoder(src, keep)
        prev, out = torch.full((len(src), 1), start), []
        for _ in range(steps):
            logits, state = self.decoder(prev, state, memory, keep)
            prev = logits.argmax(-1)
            out.append(prev)
        return torch.cat(out, 1)
