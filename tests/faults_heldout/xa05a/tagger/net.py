from torch import nn


class TagNet(nn.Module):
    def __init__(self, vocab, n_tags, dim, hidden):
        super().__init__()
        self.bag = nn.EmbeddingBag(vocab, dim, mode="mean")
        self.mlp = nn.Sequential(nn.Linear(dim, hidden), nn.ReLU(), nn.Dropout(0.1), nn.Linear(hidden, n_tags))

    def forward(self, tokens, offsets):
        return self.mlp(self.bag(tokens, offsets))
