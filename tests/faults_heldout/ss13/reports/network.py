import torch
from torch import nn


class BagNet(nn.Module):
    def __init__(self, vocab, width, labels, word_dropout):
        super().__init__()
        self.words = nn.EmbeddingBag(vocab, width, mode="sum")
        nn.init.normal_(self.words.weight, std=0.1)
        self.norm = nn.LayerNorm(width)
        self.out = nn.Linear(width, labels)
        self.word_dropout = word_dropout

    def forward(self, words, offsets):
        w = torch.ones(len(words))
        if self.training:
            w = (torch.rand(len(words)) >= self.word_dropout) / (1 - self.word_dropout)
        return self.out(self.norm(self.words(words, offsets, per_sample_weights=w)))
