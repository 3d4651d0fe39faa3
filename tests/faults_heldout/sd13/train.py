import torch
from torch import nn
from torch.utils.data import DataLoader

from gestures import GESTURES, GestureSet
from sampling import BudgetSampler


class GestureNet(nn.Module):
    def __init__(self, classes, width=32):
        super().__init__()
        self.conv = nn.Sequential(
            nn.Conv1d(6, width, 5, padding=2), nn.BatchNorm1d(width), nn.ReLU(), nn.MaxPool1d(2),
            nn.Conv1d(width, width, 5, padding=2), nn.BatchNorm1d(width), nn.ReLU(), nn.MaxPool1d(2),
        )
        self.gru = nn.GRU(width, 32, batch_first=True)
        self.fc = nn.Linear(32, classes)

    def forward(self, x):
        h, _ = self.gru(self.conv(x).transpose(1, 2))
        return self.fc(h.mean(dim=1))


class Trainer:
    def __init__(self, model, train_set, valid_set, budget=192, batch_size=32, lr=2e-3, seed=42):
        self.model = model
        self.sampler = BudgetSampler(train_set, budget, seed=seed)
        self.train_loader = DataLoader(train_set, batch_size=batch_size, sampler=self.sampler)
        self.valid_loader = DataLoader(valid_set, batch_size=256)
        self.optimizer = torch.optim.Adam(model.parameters(), lr=lr)
        self.loss = nn.CrossEntropyLoss()

    def run_epoch(self):
        self.model.train()
        loss_sum = hits = 0.0
        for x, y in self.train_loader:
            logits = self.model(x)
            loss = self.loss(logits, y)
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
            loss_sum += loss.item() * len(y)
            hits += (logits.argmax(1) == y).sum().item()
        return loss_sum / len(self.sampler), hits / len(self.sampler)

    @torch.no_grad()
    def validate(self):
        self.model.eval()
        loss_sum = hits = count = 0
        for x, y in self.valid_loader:
            logits = self.model(x)
            loss_sum += self.loss(logits, y).item() * len(y)
            hits += (logits.argmax(1) == y).sum().item()
            count += len(y)
        return loss_sum / count, hits / count

    def fit(self, epochs):
        for epoch in range(1, epochs + 1):
            tr_loss, tr_acc = self.run_epoch()
            va_loss, va_acc = self.validate()
            if epoch % 5 == 0:
                print(f"epoch {epoch:3d} | train loss {tr_loss:.3f} acc {tr_acc:.3f} | valid loss {va_loss:.3f} acc {va_acc:.3f}")


if __name__ == "__main__":
    torch.manual_seed(42)
    train_set, valid_set = GestureSet(5000, seed=100), GestureSet(800, seed=101)
    print(f"{len(train_set)} training recordings, {len(valid_set)} validation recordings")
    Trainer(GestureNet(len(GESTURES)), train_set, valid_set).fit(epochs=60)
