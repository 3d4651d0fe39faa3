import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, Dataset

from gestures.synth import CLASSES, make
from gestures.transforms import train_transform


class Strokes(Dataset):
    def __init__(self, n, seed, transform=None):
        x, y = make(n, seed)
        self.x, self.y, self.transform = torch.from_numpy(x), torch.from_numpy(y), transform

    def __len__(self):
        return len(self.y)

    def __getitem__(self, i):
        pts = self.x[i]
        return (self.transform(pts) if self.transform else pts), self.y[i]


class StrokeNet(nn.Module):
    def __init__(self, hidden=40):
        super().__init__()
        self.rnn = nn.GRU(4, hidden, batch_first=True)
        self.head = nn.Linear(hidden, len(CLASSES))

    def forward(self, pts):
        delta = torch.diff(pts, dim=1, prepend=pts[:, :1]) * 10.0
        _, h = self.rnn(torch.cat([pts, delta], -1))
        return self.head(h[-1])


def main():
    torch.manual_seed(44)
    train = DataLoader(Strokes(900, 1, train_transform()), batch_size=45, shuffle=True)
    test = DataLoader(Strokes(400, 2), batch_size=200)
    net = StrokeNet()
    opt = torch.optim.Adam(net.parameters(), lr=4e-3)
    for epoch in range(10):
        net.train()
        total = 0.0
        for x, y in train:
            loss = F.cross_entropy(net(x), y)
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(net.parameters(), 2.0)
            opt.step()
            total += loss.item()
        net.eval()
        with torch.no_grad():
            hits = sum((net(x).argmax(1) == y).sum().item() for x, y in test)
        print(f"epoch {epoch}: loss {total / len(train):.4f}, test accuracy {hits / len(test.dataset):.4f}")


if __name__ == "__main__":
    main()
