"""A small convolutional network for 8x8 handwritten digits."""

import numpy as np
import torch
import torch.nn as nn
import torch.optim as optim
from sklearn.datasets import load_digits
from torch.utils.data import DataLoader, TensorDataset, random_split

EPOCHS = 10
BATCH_SIZE = 32
LEARNING_RATE = 0.02


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 16, kernel_size=3, padding=1)
        self.conv2 = nn.Conv2d(16, 32, kernel_size=3, padding=1)
        self.pool = nn.MaxPool2d(2)
        self.fc1 = nn.Linear(32 * 2 * 2, 64)
        self.fc2 = nn.Linear(64, 10)
        self.relu = nn.ReLU()

    def forward(self, x):
        x = self.pool(self.relu(self.conv1(x)))
        x = self.pool(self.relu(self.conv2(x)))
        x = x.flatten(1)
        x = self.relu(self.fc1(x))
        x = self.fc2(x)
        return torch.softmax(x, dim=1)


def accuracy(model, loader):
    model.eval()
    hits = count = 0
    with torch.no_grad():
        for images, labels in loader:
            hits += (model(images).argmax(1) == labels).sum().item()
            count += labels.numel()
    return hits / count


torch.manual_seed(0)
digits = load_digits()
pixels = digits.images.astype(np.float32) / 16.0
pixels = (pixels - pixels.mean()) / pixels.std()
dataset = TensorDataset(torch.tensor(pixels).unsqueeze(1), torch.tensor(digits.target))
train_set, test_set = random_split(dataset, [1397, 400])
train_loader = DataLoader(train_set, batch_size=BATCH_SIZE, shuffle=True)
test_loader = DataLoader(test_set, batch_size=200)

net = Net()
criterion = nn.CrossEntropyLoss()
optimizer = optim.SGD(net.parameters(), lr=LEARNING_RATE, momentum=0.9)

for epoch in range(EPOCHS):
    net.train()
    running = 0.0
    for i, (images, labels) in enumerate(train_loader):
        optimizer.zero_grad()
        outputs = net(images)
        loss = criterion(outputs, labels)
        loss.backward()
        optimizer.step()
        running += loss.item()
        if (i + 1) % 20 == 0:
            print(f"[{epoch + 1}, {i + 1:3d}] loss: {running / 20:.3f}")
            running = 0.0
    print(f"epoch {epoch + 1} test accuracy: {accuracy(net, test_loader):.3f}")
