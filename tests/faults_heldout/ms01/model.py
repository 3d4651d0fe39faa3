import torch
from torch import nn


class CharGRU(nn.Module):
    def __init__(self, n_chars, emb=48, hidden=96, dropout=0.1):
        super().__init__()
        self.hidden = hidden
        self.embed = nn.Embedding(n_chars, emb)
        self.rnn = nn.GRU(emb, hidden)
        self.drop = nn.Dropout(dropout)
        self.proj = nn.Linear(hidden, emb)
        self.out = nn.Linear(emb, n_chars)
        self.out.weight = self.embed.weight          # tied
        nn.init.normal_(self.embed.weight, std=0.15)

    def initial(self, batch):
        return torch.zeros(1, batch, self.hidden)

    def forward(self, x, state):
        # x: (time, batch)
        y, state = self.rnn(self.drop(self.embed(x)), state)
        return self.out(self.proj(self.drop(y))), state


@torch.no_grad()
def sample(model, alphabet, prefix, length=90, temperature=0.5):
    model.eval()
    state = model.initial(1)
    ids = alphabet.encode(prefix)
    x = torch.tensor(ids).unsqueeze(1)
    for _ in range(length):
        logits, state = model(x, state)
        p = torch.softmax(logits[-1, 0] / temperature, dim=-1)
        nxt = torch.multinomial(p, 1).item()
        ids.append(nxt)
        x = torch.tensor([[nxt]])
    return alphabet.decode(ids)
