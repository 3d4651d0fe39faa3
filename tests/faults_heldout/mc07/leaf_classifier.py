import numpy as np
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, Dataset


class LeafShapes(Dataset):
    def __init__(self, split, stats=None):
        z = np.load("leaves.npz")
        x, y = z["shape"], z["species"]
        # every fifth specimen of a species is kept for testing
        test = np.arange(len(x)) % 5 == 4
        keep = test if split == "test" else ~test
        x = x[keep]
        self.stats = stats or (x.mean(0), x.std(0))
        self.x = torch.from_numpy((x - self.stats[0]) / self.stats[1])
        self.y = torch.from_numpy(y[keep]).long()

    def __len__(self):
        return len(self.y)

    def __getitem__(self, i):
        return self.x[i], self.y[i]


torch.manual_seed(3)
train_data = LeafShapes("train")
test_data = LeafShapes("test", train_data.stats)
train_loader = DataLoader(train_data, batch_size=16)
test_loader = DataLoader(test_data, batch_size=64)

model = nn.Sequential(
    nn.Linear(16, 48), nn.ReLU(), nn.Dropout(0.1),
    nn.Linear(48, 48), nn.ReLU(),
    nn.Linear(48, 9),
)
optimizer = torch.optim.SGD(model.parameters(), lr=0.03, momentum=0.9, weight_decay=1e-4)
criterion = nn.CrossEntropyLoss()


def train_one_epoch():
    model.train()
    total, correct = 0.0, 0
    for x, y in train_loader:
        optimizer.zero_grad()
        out = model(x)
        loss = criterion(out, y)
        loss.backward()
        optimizer.step()
        total += loss.item() * len(y)
        correct += (out.argmax(1) == y).sum().item()
    return total / len(train_data), correct / len(train_data)


def test():
    model.eval()
    total, correct = 0.0, 0
    with torch.no_grad():
        for x, y in test_loader:
            out = model(x)
            total += criterion(out, y).item() * len(y)
            correct += (out.argmax(1) == y).sum().item()
    return total / len(test_data), correct / len(test_data)


for epoch in range(1, 16):
    tl, ta = train_one_epoch()
    vl, va = test()
    print(f"Epoch {epoch:2d}: train loss {tl:.3f} acc {ta:.3f}   test loss {vl:.3f} acc {va:.3f}")
