from torch import nn


class Router(nn.Module):
    def __init__(self, vocab, classes, dim=32):
        super().__init__()
        self.bag = nn.EmbeddingBag(vocab, dim, mode="mean")
        self.out = nn.Sequential(nn.Linear(dim, 32), nn.ReLU(), nn.Dropout(0.1), nn.Linear(32, classes))

    def forward(self, tokens, offsets):
        return self.out(self.bag(tokens, offsets))
