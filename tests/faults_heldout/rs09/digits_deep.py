# deep MLP on the sklearn digits, PyTorch
import torch
import torch.nn as nn
import torch.optim as optim
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

torch.manual_seed(0)

digits = load_digits()
X_train, X_test, y_train, y_test = train_test_split(
    digits.data / 16.0, digits.target, test_size=0.25, random_state=0, stratify=digits.target)

X_train = torch.tensor((X_train - X_train.mean()) / X_train.std(), dtype=torch.float32)
X_test = torch.tensor((X_test - digits.data.mean() / 16.0) / (digits.data.std() / 16.0), dtype=torch.float32)
y_train = torch.tensor(y_train)
y_test = torch.tensor(y_test)


class DeepNet(nn.Module):
    def __init__(self, hidden=64, depth=7):
        super(DeepNet, self).__init__()
        layers = [nn.Linear(64, hidden), nn.Sigmoid()]
        for _ in range(depth - 1):
            layers.append(nn.Linear(hidden, hidden))
            layers.append(nn.Sigmoid())
        layers.append(nn.Linear(hidden, 10))
        self.layers = nn.Sequential(*layers)
        for m in self.modules():
            if isinstance(m, nn.Linear):
                nn.init.xavier_uniform_(m.weight)
                nn.init.zeros_(m.bias)

    def forward(self, x):
        return self.layers(x)


net = DeepNet()
criterion = nn.CrossEntropyLoss()
optimizer = optim.SGD(net.parameters(), lr=0.02, momentum=0.9)
batch_size = 32

for epoch in range(40):
    net.train()
    permutation = torch.randperm(X_train.size(0))
    running_loss = 0.0
    for i in range(0, X_train.size(0), batch_size):
        indices = permutation[i:i + batch_size]
        optimizer.zero_grad()
        outputs = net(X_train[indices])
        loss = criterion(outputs, y_train[indices])
        loss.backward()
        optimizer.step()
        running_loss += loss.item() * len(indices)

    if (epoch + 1) % 5 == 0:
        net.eval()
        with torch.no_grad():
            out = net(X_test)
            test_loss = criterion(out, y_test).item()
            acc = (out.argmax(1) == y_test).float().mean().item()
        print('Epoch [{}/40], Loss: {:.4f}, Test loss: {:.4f}, Accuracy: {:.3f}'.format(
            epoch + 1, running_loss / X_train.size(0), test_loss, acc))
