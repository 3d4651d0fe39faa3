"""Which pattern does a token sequence end with? A recurrent network over padded batches."""
import json
from pathlib import Path

import torch
import torch.nn as nn
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import DataLoader, Dataset

HERE = Path(__file__).parent


class Sequences(Dataset):
    def __init__(self, path):
        self.items = [json.loads(line) for line in path.read_text().splitlines()]

    def __len__(self):
        return len(self.items)

    def __getitem__(self, i):
        item = self.items[i]
        return torch.tensor(item["tokens"]), item["label"]


def collate(batch):
    tokens, labels = zip(*batch)
    return pad_sequence(tokens, batch_first=True), torch.tensor(labels)


class Reader(nn.Module):
    def __init__(self, n_tokens=12, dim=24, hidden=48, classes=4):
        super().__init__()
        self.embedding = nn.Embedding(n_tokens, dim)
        self.rnn = nn.RNN(dim, hidden, batch_first=True)
        self.classify = nn.Linear(hidden, classes)

    def forward(self, tokens):
        lengths = (tokens != 0).sum(1)
        packed = nn.utils.rnn.pack_padded_sequence(self.embedding(tokens), lengths, batch_first=True, enforce_sorted=False)
        _, last = self.rnn(packed)
        return self.classify(last[0])


class Loop:
    def __init__(self, model, lr):
        self.model = model
        self.optimizer = torch.optim.Adam(model.parameters(), lr=lr)
        self.criterion = nn.CrossEntropyLoss()

    def step(self, tokens, labels):
        self.model.train()
        loss = self.criterion(self.model(tokens), labels)
        self.optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.optimizer.step()
        return loss.item()

    @torch.no_grad()
    def accuracy(self, loader):
        self.model.eval()
        right = [(self.model(t).argmax(1) == y).float() for t, y in loader]
        return torch.cat(right).mean().item()


if __name__ == "__main__":
    torch.manual_seed(6)
    train_loader = DataLoader(Sequences(HERE / "train.jsonl"), batch_size=20, shuffle=True, collate_fn=collate)
    test_loader = DataLoader(Sequences(HERE / "test.jsonl"), batch_size=50, collate_fn=collate)
    loop = Loop(Reader(), lr=2e-3)
    for epoch in range(12):
        losses = [loop.step(*batch) for batch in train_loader]
        print(f"epoch {epoch:2d} loss {sum(losses) / len(losses):.4f} test accuracy {loop.accuracy(test_loader):.3f}")
