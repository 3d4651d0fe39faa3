from torch import nn


class ReadmissionNet(nn.Module):
    def __init__(self, n_codes, dim=12, p=0.2):
        super().__init__()
        self.emb = nn.EmbeddingBag(n_codes, dim, mode="mean")
        nn.init.normal_(self.emb.weight, std=0.3)
        self.head = nn.Sequential(nn.LayerNorm(dim), nn.Linear(dim, 16), nn.ReLU(), nn.Dropout(p), nn.Linear(16, 1))

    def forward(self, tokens):
        return self.head(self.emb(tokens)).squeeze(1)
