import torch
from torch import nn


class Factors(nn.Module):
    """Biased matrix factorisation."""

    def __init__(self, n_readers, n_books, dim):
        super().__init__()
        self.readers = nn.Embedding(n_readers, dim)
        self.books = nn.Embedding(n_books, dim)
        self.book_bias = nn.Embedding(n_books, 1)
        self.offset = nn.Parameter(torch.zeros(()))
        nn.init.normal_(self.readers.weight, std=0.1)
        nn.init.normal_(self.books.weight, std=0.1)
        nn.init.zeros_(self.book_bias.weight)

    def grow(self, n_readers):
        """Make room for readers that joined after the model was saved."""
        old = self.readers.weight.data
        self.readers = nn.Embedding(n_readers, old.shape[1])
        nn.init.normal_(self.readers.weight, std=0.1)
        self.readers.weight.data[: len(old)] = old

    def forward(self, reader, book):
        dot = (self.readers(reader) * self.books(book)).sum(-1)
        return self.offset + self.book_bias(book).squeeze(-1) + dot
