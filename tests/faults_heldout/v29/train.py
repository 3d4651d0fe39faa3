import torch
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class ConvUnit(nn.Module):
    def __init__(self, cin, cout):
        super().__init__()
        self.conv = nn.Conv2d(cin, cout, 3, padding=1)
        self.drop = nn.Dropout2d(0.4)

    def forward(self, x):
        return self.drop(torch.relu(self.conv(x)))


class DropNet(nn.Module):
    """Heavily regularised net; the stem may be kept fixed for the first epochs."""

    def __init__(self, classes=10, stem_fixed=False):
        super().__init__()
        self.stem = ConvUnit(1, 16)
        self.body = nn.Sequential(ConvUnit(16, 32), nn.MaxPool2d(2), ConvUnit(32, 32))
        self.head = nn.Sequential(nn.Flatten(), nn.Dropout(0.6), nn.Linear(32 * 16, classes))
        self.stem_fixed = stem_fixed

    def train(self, mode=True):
        super().train()
        if self.stem_fixed:
            self.stem.eval()
        return self

    def forward(self, x):
        return self.head(self.body(self.stem(x)))


def get_data():
    d = load_digits()
    x = torch.tensor(d.images / 16.0, dtype=torch.float32).unsqueeze(1)
    y = torch.tensor(d.target)
    tr, va = train_test_split(torch.arange(len(y)), test_size=400, random_state=1, stratify=d.target)
    return TensorDataset(x[tr], y[tr]), TensorDataset(x[va], y[va])


class Experiment:
    def __init__(self, epochs=12, batch_size=48, lr=2e-3):
        train, val = get_data()
        self.epochs = epochs
        self.train_loader = DataLoader(train, batch_size=batch_size, shuffle=True)
        self.val_loader = DataLoader(val, batch_size=100)
        self.model = DropNet()
        self.opt = torch.optim.Adam(self.model.parameters(), lr=lr)
        self.loss_fn = nn.CrossEntropyLoss()

    def _train(self):
        self.model.train()
        total = 0.0
        for x, y in self.train_loader:
            loss = self.loss_fn(self.model(x), y)
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            total += loss.item() * len(y)
        return total / len(self.train_loader.dataset)

    @torch.no_grad()
    def _validate(self):
        self.model.eval()
        hits = 0
        for x, y in self.val_loader:
            hits += (self.model(x).argmax(1) == y).sum().item()
        return hits / len(self.val_loader.dataset)

    def run(self):
        for epoch in range(self.epochs):
            loss, acc = self._train(), self._validate()
            print(f"epoch {epoch}: loss={loss:.4f} val_acc={acc:.4f}")


if __name__ == "__main__":
    torch.manual_seed(0)
    Experiment().run()
