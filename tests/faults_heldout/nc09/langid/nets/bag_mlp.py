import torch.nn as nn


class BagMLP(nn.Module):
    def __init__(self, buckets, n_classes, embedding_dim, hidden, dropout):
        super().__init__()
        self.embed = nn.EmbeddingBag(buckets, embedding_dim, mode="mean")
        layers, width = [nn.LayerNorm(embedding_dim)], embedding_dim
        for h in hidden:
            layers += [nn.Linear(width, h), nn.ReLU(), nn.Dropout(dropout)]
            width = h
        self.mlp = nn.Sequential(*layers, nn.Linear(width, n_classes))

    def forward(self, ids, offsets):
        return self.mlp(self.embed(ids, offsets))
