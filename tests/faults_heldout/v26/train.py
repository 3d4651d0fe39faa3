"""Two-tower matching: query vectors against item vectors, in-batch softmax."""
import argparse

import torch
import torch.nn.functional as F
from torch import nn


def interactions(n, seed, n_query=40, n_item=60, rank=6):
    """Query and item descriptions are two noisy views of one hidden taste vector."""
    world = torch.Generator().manual_seed(100)
    to_query = torch.randn(rank, n_query, generator=world)
    to_item = torch.randn(rank, n_item, generator=world)
    g = torch.Generator().manual_seed(seed)
    taste = torch.randn(n, rank, generator=g)
    query = torch.tanh(taste @ to_query) + 0.5 * torch.randn(n, n_query, generator=g)
    item = torch.tanh(taste @ to_item) + 0.5 * torch.randn(n, n_item, generator=g)
    return query, item


class Tower(nn.Module):
    def __init__(self, n_in, n_out=16):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(n_in, 64), nn.ReLU(), nn.Linear(64, n_out))

    def forward(self, x):
        return F.normalize(self.net(x), dim=1)


class Matcher(nn.Module):
    def __init__(self, n_query, n_item):
        super().__init__()
        self.query_tower, self.item_tower = Tower(n_query), Tower(n_item)
        self.scale = nn.Parameter(torch.tensor(2.0))

    @torch.no_grad()
    def item_index(self, items, chunk=256):
        """Vectors of a catalogue, computed in chunks to bound the memory."""
        return torch.cat([self.item_tower(part) for part in items.split(chunk)])

    def forward(self, query, item):
        q = self.query_tower(query)
        v = self.item_index(item)
        return self.scale.exp() * q @ v.T


@torch.no_grad()
def recall_at(model, query, item, k=5):
    model.eval()
    top = model(query, item).topk(k, dim=1).indices
    return (top == torch.arange(len(query)).unsqueeze(1)).any(1).float().mean().item()


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--epochs", type=int, default=15)
    ap.add_argument("--lr", type=float, default=2e-3)
    args = ap.parse_args()
    torch.manual_seed(3)
    query, item = interactions(3000, seed=1)
    val_query, val_item = interactions(300, seed=2)
    model = Matcher(query.shape[1], item.shape[1])
    opt = torch.optim.AdamW(model.parameters(), lr=args.lr, weight_decay=0.01)
    for epoch in range(args.epochs):
        model.train()
        losses = []
        for idx in torch.randperm(len(query)).split(100):
            logits = model(query[idx], item[idx])
            target = torch.arange(len(idx))
            loss = F.cross_entropy(logits, target)
            opt.zero_grad()
            loss.backward()
            opt.step()
            losses.append(loss.item())
        print(f"epoch {epoch:2d} loss {sum(losses) / len(losses):.4f} recall@5 of 300: {recall_at(model, val_query, val_item):.4f}")


if __name__ == "__main__":
    main()
