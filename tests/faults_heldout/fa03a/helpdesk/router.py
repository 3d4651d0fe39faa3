from torch import nn


class TicketRouter(nn.Module):
    def __init__(self, vocab_size, n_queues, dim=48, hidden=64, dropout=0.1):
        super().__init__()
        self.embed = nn.EmbeddingBag(vocab_size, dim, mode="mean")
        self.mlp = nn.Sequential(
            nn.Linear(dim, hidden),
            nn.ReLU(),
            nn.Dropout(dropout),
            nn.Linear(hidden, n_queues),
        )

    def forward(self, flat, offsets):
        return self.mlp(self.embed(flat, offsets))
