import torch
from torch import nn


class SurnameCNN(nn.Module):
    """Character CNN; returns one score per language."""

    def __init__(self, vocab_size, num_classes, emb_dim=24, channels=64, kernel=3, dropout=0.1):
        super().__init__()
        self.embed = nn.Embedding(vocab_size, emb_dim, padding_idx=0)
        self.conv1 = nn.Conv1d(emb_dim, channels, kernel, padding=kernel // 2)
        self.conv2 = nn.Conv1d(channels, channels, kernel, padding=kernel // 2)
        self.dropout = nn.Dropout(dropout)
        self.classifier = nn.Sequential(
            nn.Linear(channels, channels),
            nn.ReLU(),
            nn.Linear(channels, num_classes),
            nn.Softmax(dim=-1),
        )

    def forward(self, chars):
        h = self.embed(chars).transpose(1, 2)
        h = torch.relu(self.conv1(h))
        h = torch.relu(self.conv2(h))
        h = h.amax(dim=2)
        return self.classifier(self.dropout(h))

    @torch.no_grad()
    def predict(self, chars, topk=3):
        self.eval()
        return self.forward(chars).topk(topk, dim=-1)
