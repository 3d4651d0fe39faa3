# Handwritten digits with a small CNN
import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

SEED = 42
torch.manual_seed(SEED)

digits = load_digits()
X = torch.tensor(digits.images, dtype=torch.float32).unsqueeze(1) / 16
y = torch.tensor(digits.target, dtype=torch.long)
train_idx, test_idx = train_test_split(range(len(X)), test_size=0.2, random_state=SEED, stratify=y)
x_train, y_train = X[train_idx], y[train_idx]
x_test, y_test = X[test_idx], y[test_idx]
mean, std = x_train.mean(), x_train.std()
x_train, x_test = (x_train - mean) / std, (x_test - mean) / std


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 16, 3, padding=1)
        self.conv2 = nn.Conv2d(16, 32, 3, padding=1)
        self.drop = nn.Dropout(0.25)
        self.fc1 = nn.Linear(32 * 4 * 4, 64)
        self.fc2 = nn.Linear(64, 10)

    def forward(self, x):
        x = F.relu(self.conv1(x))
        x = F.max_pool2d(F.relu(self.conv2(x)), 2)
        x = self.drop(x.flatten(1))
        return self.fc2(F.relu(self.fc1(x)))


model = Net()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
batch_size = 32
n = len(x_train)
history = []

for epoch in range(15):
    model.train()
    perm = torch.randperm(n)
    x_shuffled = x_train[perm]
    running_loss, correct = 0.0, 0
    for i in range(0, n, batch_size):
        inputs = x_shuffled[i:i + batch_size]
        labels = y_train[i:i + batch_size]
        optimizer.zero_grad()
        outputs = model(inputs)
        loss = F.cross_entropy(outputs, labels)
        loss.backward()
        optimizer.step()
        running_loss += loss.item() * len(inputs)
        correct += (outputs.argmax(1) == labels).sum().item()

    model.eval()
    with torch.no_grad():
        test_out = model(x_test)
        test_loss = F.cross_entropy(test_out, y_test).item()
        test_acc = (test_out.argmax(1) == y_test).float().mean().item()
    history.append((running_loss / n, test_loss, test_acc))
    print(f"Epoch {epoch + 1:2d}: loss={running_loss / n:.4f} acc={correct / n:.4f} "
          f"test_loss={test_loss:.4f} test_acc={test_acc:.4f}")

print("best test accuracy:", max(h[2] for h in history))
