import torch
from torch import nn


class CharLSTM(nn.Module):
    def __init__(self, vocab, embed, hidden, dropout):
        super().__init__()
        self.embed = nn.Embedding(vocab, embed)
        self.lstm = nn.LSTM(embed, hidden)
        self.drop = nn.Dropout(dropout)
        self.head = nn.Linear(hidden, vocab)

    def forward(self, x, state=None):
        out, state = self.lstm(self.embed(x), state)
        return self.head(self.drop(out)), state

    @torch.no_grad()
    def sample(self, start, length, temperature=0.7):
        self.eval()
        ids, state = list(start), None
        x = torch.tensor(start).view(-1, 1)
        for _ in range(length):
            logits, state = self(x, state)
            p = torch.softmax(logits[-1, 0] / temperature, dim=-1)
            nxt = torch.multinomial(p, 1)
            ids.append(nxt.item())
            x = nxt.view(1, 1)
        return ids


def detach(state):
    return tuple(s.detach() for s in state)
