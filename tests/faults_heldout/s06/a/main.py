import sys
from pathlib import Path

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

here = Path(__file__).resolve().parent


class NpzImages(torch.utils.data.Dataset):
    def __init__(self, fname):
        z = np.load(here / "data" / fname)
        self.images, self.labels = z["images"], z["labels"]

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, i):
        return torch.as_tensor(self.images[i], dtype=torch.float32).unsqueeze(0), int(self.labels[i])


class SmallCNN(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 16, 3, padding=1)
        self.conv2 = nn.Conv2d(16, 32, 3, padding=1)
        self.fc1 = nn.Linear(32 * 4, 64)
        self.fc2 = nn.Linear(64, 10)

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.conv1(x)), 2)
        x = F.max_pool2d(F.relu(self.conv2(x)), 2)
        x = F.relu(self.fc1(x.flatten(1)))
        return self.fc2(F.dropout(x, 0.25, self.training))


def test(model, loader):
    model.eval()
    correct, loss = 0, 0.
    with torch.no_grad():
        for data, target in loader:
            output = model(data)
            loss += F.cross_entropy(output, target, reduction='sum').item()
            correct += output.argmax(1).eq(target).sum().item()
    n = len(loader.dataset)
    print('\nTest set: Average loss: {:.4f}, Accuracy: {}/{} ({:.1f}%)\n'.format(loss / n, correct, n, 100. * correct / n))


def main():
    torch.manual_seed(1)
    train_loader = torch.utils.data.DataLoader(NpzImages('train.npz'), batch_size=32, shuffle=True)
    test_loader = torch.utils.data.DataLoader(NpzImages('test.npz'), batch_size=200)
    model = SmallCNN()
    optimizer = torch.optim.RMSprop(model.parameters(), lr=1e-3)
    for epoch in range(1, 21):
        model.train()
        for batch_idx, (data, target) in enumerate(train_loader):
            optimizer.zero_grad()
            loss = F.cross_entropy(model(data), target)
            loss.backward()
            optimizer.step()
            if batch_idx % 20 == 0:
                print('Train Epoch: {} [{}/{}]\tLoss: {:.6f}'.format(epoch, batch_idx * 32, len(train_loader.dataset), loss.item()))
        test(model, test_loader)


if __name__ == '__main__':
    sys.exit(main())
