import torch
import torch.nn as nn


class HybridRecommender(nn.Module):
    """Dot product of user and item vectors plus a small MLP on the tag profile of the item."""

    def __init__(self, n_users, n_items, n_tags, dim, mean_rating):
        super().__init__()
        self.mean_rating = mean_rating
        self.user_vec = nn.Embedding(n_users, dim, sparse=True)
        self.item_vec = nn.Embedding(n_items, dim, sparse=True)
        self.user_bias = nn.Embedding(n_users, 1, sparse=True)
        self.item_bias = nn.Embedding(n_items, 1, sparse=True)
        self.tag_vec = nn.EmbeddingBag(n_tags, dim, mode="mean", sparse=True)
        self.mix = nn.Sequential(nn.Linear(2 * dim, 32), nn.ReLU(), nn.Linear(32, 1))
        for emb in (self.user_vec, self.item_vec, self.tag_vec):
            nn.init.normal_(emb.weight, std=0.1)
        for emb in (self.user_bias, self.item_bias):
            nn.init.zeros_(emb.weight)

    def forward(self, user, item, tags, offsets):
        u, v = self.user_vec(user), self.item_vec(item)
        t = self.tag_vec(tags, offsets)
        dot = (u * v).sum(1)
        bias = self.user_bias(user).squeeze(1) + self.item_bias(item).squeeze(1)
        return self.mean_rating + dot + bias + self.mix(torch.cat([u, t], 1)).squeeze(1)


def build_optimizers(model, lr, sparse_lr):
    tables = [m for m in model.modules() if isinstance(m, nn.EmbeddingBag)]
    sparse = [m.weight for m in tables]
    dense = [p for name, p in model.named_parameters() if name.startswith("mix.")]
    return [
        torch.optim.AdamW(dense, lr=lr, weight_decay=1e-4),
        torch.optim.SparseAdam(sparse, lr=sparse_lr),
    ]
