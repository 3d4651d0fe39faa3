import torch.nn as nn


class NextItemGRU(nn.Module):
    def __init__(self, n_items, embed_dim, hidden_dim, pad_id):
        super().__init__()
        self.embed = nn.Embedding(n_items, embed_dim, padding_idx=pad_id)
        self.drop = nn.Dropout(0.2)
        self.gru = nn.GRU(embed_dim, hidden_dim, batch_first=True)
        self.out = nn.Linear(hidden_dim, n_items)

    def forward(self, items):
        h, _ = self.gru(self.drop(self.embed(items)))
        return self.out(self.drop(h))
