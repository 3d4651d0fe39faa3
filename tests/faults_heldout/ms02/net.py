from torch import nn


class TopicNet(nn.Module):
    def __init__(self, vocab, n_topics, dim=48):
        super().__init__()
        self.bag = nn.EmbeddingBag(vocab, dim, mode="mean")
        self.head = nn.Sequential(nn.Linear(dim, 64), nn.ReLU(), nn.Dropout(0.2), nn.Linear(64, n_topics))

    def forward(self, words, offsets):
        return self.head(self.bag(words, offsets))
