"""Digits with a small mixer; micro-batches of 8 accumulated to an effective batch of 128."""
import torch
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

MICRO = 8
ACCUM = 16
LR = 0.03
EPOCHS = 12


class Mixer(nn.Module):
    def __init__(self, tokens=8, dim=32, depth=2, classes=10):
        super().__init__()
        self.embed = nn.Linear(8, dim)
        self.token = nn.ModuleList(nn.Sequential(nn.LayerNorm(tokens), nn.Linear(tokens, 32), nn.GELU(), nn.Linear(32, tokens)) for _ in range(depth))
        self.channel = nn.ModuleList(nn.Sequential(nn.LayerNorm(dim), nn.Linear(dim, 64), nn.GELU(), nn.Linear(64, dim)) for _ in range(depth))
        self.norm = nn.LayerNorm(dim * tokens)
        self.head = nn.Linear(dim * tokens, classes)

    def forward(self, x):
        h = self.embed(x)
        for tok, ch in zip(self.token, self.channel):
            h = h + tok(h.transpose(1, 2)).transpose(1, 2)
            h = h + ch(h)
        return self.head(self.norm(h.flatten(1)))


def make_loaders():
    d = load_digits()
    xt, xv, yt, yv = train_test_split(d.images / 8.0 - 1.0, d.target, test_size=0.2, random_state=3, stratify=d.target)
    pack = lambda x, y: TensorDataset(torch.tensor(x, dtype=torch.float32), torch.tensor(y))
    return DataLoader(pack(xt, yt), MICRO, shuffle=True, drop_last=True), DataLoader(pack(xv, yv), 256)


def train_epoch(model, loader, optimizer, criterion):
    model.train()
    optimizer.zero_grad()
    seen, total = 0, 0.0
    for i, (x, y) in enumerate(loader):
        loss = criterion(model(x), y)
        loss.backward()
        total += loss.item()
        seen += 1
        if (i + 1) % ACCUM == 0:
            optimizer.step()
            optimizer.zero_grad()
    return total / seen


@torch.no_grad()
def accuracy(model, loader):
    model.eval()
    pairs = [(model(x).argmax(1) == y) for x, y in loader]
    return torch.cat(pairs).float().mean().item()


def main():
    torch.manual_seed(13)
    train_loader, val_loader = make_loaders()
    model = Mixer()
    optimizer = torch.optim.SGD(model.parameters(), lr=LR, momentum=0.9)
    criterion = nn.CrossEntropyLoss()
    for epoch in range(EPOCHS):
        loss = train_epoch(model, train_loader, optimizer, criterion)
        print(f"epoch {epoch:02d} | loss {loss:.4f} | val acc {accuracy(model, val_loader):.4f}")


if __name__ == "__main__":
    main()
