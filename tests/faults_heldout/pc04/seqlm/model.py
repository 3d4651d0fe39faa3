import torch
from torch import nn


class Encoder(nn.Module):
    def __init__(self, vocab, length, dim, heads, layers, dropout):
        super().__init__()
        self.tok = nn.Embedding(vocab, dim)
        self.pos = nn.Parameter(torch.randn(1, length, dim) * 0.02)
        layer = nn.TransformerEncoderLayer(dim, heads, 2 * dim, dropout, activation="gelu", batch_first=True,
                                           norm_first=True)
        self.blocks = nn.TransformerEncoder(layer, layers, enable_nested_tensor=False)
        self.norm = nn.LayerNorm(dim)

    def forward(self, ids):
        return self.norm(self.blocks(self.tok(ids) + self.pos))


class MaskedLM(nn.Module):
    def __init__(self, encoder):
        super().__init__()
        self.encoder = encoder
        dim = encoder.tok.embedding_dim
        self.transform = nn.Sequential(nn.Linear(dim, dim), nn.GELU(), nn.LayerNorm(dim))
        self.decoder = nn.Linear(dim, encoder.tok.num_embeddings)
        nn.init.normal_(self.encoder.tok.weight, std=0.05)
        self.decoder.weight = self.encoder.tok.weight

    def forward(self, ids):
        return self.decoder(self.transform(self.encoder(ids)))


class Classifier(nn.Module):
    def __init__(self, encoder, classes):
        super().__init__()
        self.encoder = encoder
        dim = encoder.tok.embedding_dim
        self.query = nn.Linear(dim, 1)
        self.head = nn.Sequential(nn.Dropout(0.2), nn.Linear(dim, classes))

    def forward(self, ids):
        h = self.encoder(ids)
        w = self.query(h).softmax(dim=1)
        return self.head((w * h).sum(1))
