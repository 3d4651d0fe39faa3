import torch
import torch.nn as nn


class EventTransformer(nn.Module):
    def __init__(self, vectors, max_len, n_classes, d_model=32, heads=4, layers=2):
        super().__init__()
        self.event_vectors = nn.Embedding.from_pretrained(vectors, freeze=False)
        self.entry = nn.Linear(vectors.shape[1], d_model)
        self.positions = nn.Parameter(0.1 * torch.randn(max_len, d_model))
        layer = nn.TransformerEncoderLayer(d_model, heads, 2 * d_model, dropout=0.05,
                                           batch_first=True, norm_first=True)
        self.encoder = nn.TransformerEncoder(layer, layers, enable_nested_tensor=False)
        self.norm = nn.LayerNorm(d_model)
        self.head = nn.Linear(d_model, n_classes)

    def forward(self, events):
        h = self.entry(self.event_vectors(events)) + self.positions
        return self.head(self.norm(self.encoder(h)).mean(1))
