import torch.nn as nn


class CharGRU(nn.Module):
    def __init__(self, vocab_size, embed_dim, hidden_dim, layers):
        super().__init__()
        self.embed = nn.Embedding(vocab_size, embed_dim)
        self.rnn = nn.GRU(embed_dim, hidden_dim, num_layers=layers, batch_first=True)
        self.norm = nn.LayerNorm(hidden_dim)
        self.out = nn.Linear(hidden_dim, vocab_size)

    def forward(self, ids, state=None):
        h, state = self.rnn(self.embed(ids), state)
        return self.out(self.norm(h)), state
