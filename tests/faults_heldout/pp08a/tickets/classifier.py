from torch import nn


class BagClassifier(nn.Module):
    def __init__(self, buckets, dim, classes):
        super().__init__()
        self.bag = nn.EmbeddingBag(buckets, dim, mode="mean")
        self.mlp = nn.Sequential(nn.Linear(dim, dim), nn.GELU(), nn.Linear(dim, classes))
        nn.init.normal_(self.bag.weight, std=0.3)

    def forward(self, flat, offsets):
        return self.mlp(self.bag(flat, offsets))
