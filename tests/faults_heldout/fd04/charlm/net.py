import torch
from torch import nn


class CharGRU(nn.Module):
    def __init__(self, vocab, emb=32, hidden=128):
        super().__init__()
        self.emb = nn.Embedding(vocab, emb)
        self.rnn = nn.GRU(emb, hidden, batch_first=True)
        self.out = nn.Linear(hidden, vocab)

    def forward(self, idx, state=None):
        h, state = self.rnn(self.emb(idx), state)
        return self.out(h), state

    @torch.no_grad()
    def sample(self, prompt, n, temperature=0.7):
        ids, state = prompt.tolist(), None
        x = prompt[None]
        for _ in range(n):
            logits, state = self(x, state)
            p = torch.softmax(logits[0, -1] / temperature, -1)
            nxt = torch.multinomial(p, 1)
            ids.append(nxt.item())
            x = nxt[None]
        return ids
