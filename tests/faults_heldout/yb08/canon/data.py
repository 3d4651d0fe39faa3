import torch


class BasketStream:
    """Baskets of item codes in scan order; the label is the basket in catalogue order."""

    def __init__(self, vocab, length, seed):
        self.length = length
        self.gen = torch.Generator().manual_seed(seed)
        self.catalogue_rank = torch.randperm(vocab, generator=torch.Generator().manual_seed(2024))
        popularity = 1.0 / torch.arange(1, vocab + 1).float() ** 0.25
        self.popularity = popularity / popularity.sum()

    def batch(self, n):
        items = torch.multinomial(self.popularity, n * self.length, replacement=True, generator=self.gen)
        items = items.view(n, self.length)
        order = self.catalogue_rank[items].argsort(dim=1, stable=True)
        return items, items.gather(1, order)
