import torch.nn as nn


class TicketClassifier(nn.Module):
    def __init__(self, n_words, n_classes, emb_dim, hidden):
        super().__init__()
        self.emb = nn.EmbeddingBag(n_words, emb_dim, mode="mean")
        self.mlp = nn.Sequential(nn.Linear(emb_dim, hidden), nn.ReLU(), nn.Dropout(0.1), nn.Linear(hidden, n_classes))

    def forward(self, ids, offsets):
        return self.mlp(self.emb(ids, offsets))
