import torch
from torch import nn
from torch.utils.data import DataLoader

from .data import collate


class BagClassifier(nn.Module):
    def __init__(self, vocab, dim, classes):
        super().__init__()
        self.bag = nn.EmbeddingBag(vocab, dim, mode="mean")
        self.net = nn.Sequential(nn.Linear(dim, 32), nn.ReLU(), nn.Dropout(0.3), nn.Linear(32, classes))

    def forward(self, ids, offsets):
        return self.net(self.bag(ids, offsets))


class Trainer:
    def __init__(self, model, train_set, test_set, lr, batch_size):
        self.model = model
        self.train_loader = DataLoader(train_set, batch_size, shuffle=True, collate_fn=collate)
        self.test_loader = DataLoader(test_set, batch_size, collate_fn=collate)
        self.criterion = nn.CrossEntropyLoss()
        self.optimizer = torch.optim.Adam(model.parameters(), lr=lr, weight_decay=1e-5)

    def train_one_epoch(self):
        self.model.train()
        loss_sum, correct = 0.0, 0
        for ids, offsets, labels in self.train_loader:
            self.optimizer.zero_grad()
            out = self.model(ids, offsets)
            loss = self.criterion(out, labels)
            loss.backward()
            self.optimizer.step()
            loss_sum += loss.item() * len(labels)
            correct += (out.argmax(1) == labels).sum().item()
        n = len(self.train_loader.dataset)
        return loss_sum / n, correct / n

    @torch.no_grad()
    def test(self):
        self.model.eval()
        loss_sum, correct = 0.0, 0
        for ids, offsets, labels in self.test_loader:
            out = self.model(ids, offsets)
            loss_sum += self.criterion(out, labels).item() * len(labels)
            correct += (out.argmax(1) == labels).sum().item()
        return loss_sum / len(self.test_loader.dataset), correct / len(self.train_loader.dataset)

    def fit(self, epochs):
        for e in range(1, epochs + 1):
            a, b = self.train_one_epoch()
            c, d = self.test()
            print(f"epoch {e:2d} | train loss {a:.3f} acc {b:.1%} | test loss {c:.3f} acc {d:.1%}")
