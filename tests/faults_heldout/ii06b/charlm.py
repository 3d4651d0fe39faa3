import torch
import torch.nn as nn
import torch.nn.functional as F


class CharLM(nn.Module):
    def __init__(self, vocab, dim=24, hidden=64):
        super().__init__()
        self.vocab = vocab
        self.embed = nn.Embedding(len(vocab), dim)
        self.rnn = nn.GRU(dim, hidden, batch_first=True)
        self.out = nn.Linear(hidden, len(vocab))

    def forward(self, ids, state=None):
        h, state = self.rnn(self.embed(ids), state)
        return self.out(h), state

    def nll(self, ids, target, reduction="mean"):
        logits, _ = self(ids)
        return F.cross_entropy(
            logits.flatten(0, 1), target.flatten(), ignore_index=self.vocab.pad, reduction=reduction
        )

    @torch.no_grad()
    def sample(self, generator, limit=60):
        ids, state, last = [], None, torch.tensor([[self.vocab.bos]])
        for _ in range(limit):
            logits, state = self(last, state)
            last = torch.multinomial(logits[:, -1].softmax(-1), 1, generator=generator)
            ids.append(last.item())
            if ids[-1] == self.vocab.eos:
                break
        return self.vocab.decode(ids)
