from torch import nn


class TicketTagger(nn.Module):
    def __init__(self, n_words, n_tags, dim=48, dropout=0.2):
        super().__init__()
        self.words = nn.EmbeddingBag(n_words, dim, mode="mean")
        self.mix = nn.Sequential(nn.Linear(dim, dim), nn.GELU(), nn.Dropout(dropout))
        self.tags = nn.Linear(dim, n_tags)

    def forward(self, words, offsets):
        return self.tags(self.mix(self.words(words, offsets)))
