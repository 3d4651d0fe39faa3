import random

import torch
from torch import nn

from routings import VOCAB

PAD, MASK, BOS, EOS = (VOCAB[w] for w in ("[PAD]", "[MASK]", "[BOS]", "[EOS]"))
IGNORE = -100


class Collator:
    """BERT masking: of the chosen 15 %, 80 % become [MASK], 10 % a random token, 10 % stay."""

    def __init__(self, rate=0.15, seed=None):
        self.rate = rate
        self.rnd = random.Random(seed)

    def __call__(self, rows):
        width = max(map(len, rows))
        ids = torch.full((len(rows), width), PAD)
        labels = torch.full((len(rows), width), IGNORE)
        for r, row in enumerate(rows):
            ids[r, :len(row)] = torch.tensor(row)
            spots = [i for i, t in enumerate(row) if t not in (BOS, EOS)]
            chosen = [i for i in spots if self.rnd.random() < self.rate] or [self.rnd.choice(spots)]
            for i in chosen:
                labels[r, i] = row[i]
                u = self.rnd.random()
                if u < 0.8:
                    ids[r, i] = MASK
                elif u < 0.9:
                    ids[r, i] = self.rnd.randrange(4, len(VOCAB))
        return ids, labels


class RoutingBert(nn.Module):
    def __init__(self, vocab=len(VOCAB), dim=48, heads=4, layers=2, max_len=32):
        super().__init__()
        self.tok = nn.Embedding(vocab, dim)
        self.pos = nn.Embedding(max_len, dim)
        nn.init.normal_(self.tok.weight, std=0.05)
        nn.init.normal_(self.pos.weight, std=0.05)
        layer = nn.TransformerEncoderLayer(dim, heads, 2 * dim, dropout=0.1, activation="gelu",
                                           batch_first=True, norm_first=True)
        self.encoder = nn.TransformerEncoder(layer, layers, enable_nested_tensor=False)
        self.norm = nn.LayerNorm(dim)
        self.decoder = nn.Linear(dim, vocab)
        self.decoder.weight = self.tok.weight

    def forward(self, ids):
        h = self.tok(ids) + self.pos(torch.arange(ids.shape[1], device=ids.device))
        h = self.encoder(h, src_key_padding_mask=ids == PAD)
        return self.decoder(self.norm(h))


class MaskedLMLoss(nn.Module):
    """Mean cross entropy over the masked positions only."""

    def forward(self, logits, labels):
        keep = labels != IGNORE
        logp = torch.log_softmax(logits[keep], dim=-1)
        return -logp.gather(1, labels[keep].unsqueeze(1)).mean()
