import torch
import torch.nn as nn
import torch.optim as optim
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
EPOCHS = 60
BATCH = 32

X, y = load_breast_cancer(return_X_y=True)
X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.3, random_state=1, stratify=y)
scaler = StandardScaler().fit(X_train)
X_train = torch.tensor(scaler.transform(X_train), dtype=torch.float32)
X_test = torch.tensor(scaler.transform(X_test), dtype=torch.float32)
y_train = torch.tensor(y_train, dtype=torch.float32).unsqueeze(1)
y_test = torch.tensor(y_test, dtype=torch.float32).unsqueeze(1)

loader = DataLoader(TensorDataset(X_train, y_train), batch_size=BATCH, shuffle=True)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1 = nn.Linear(30, 24)
        self.fc2 = nn.Linear(24, 12)
        self.out = nn.Linear(12, 1)

    def forward(self, x):
        x = torch.relu(self.fc1(x))
        x = torch.relu(self.fc2(x))
        return self.out(x)


net = Net()
criterion = nn.BCEWithLogitsLoss()
optimizer = optim.SGD(net.parameters(), lr=0.02, momentum=0.9, weight_decay=1e-3)

for epoch in range(EPOCHS):
    net.train()
    running = 0.0
    for xb, yb in loader:
        pred = net(xb)
        loss = criterion(pred, yb)
        loss.backward()
        optimizer.zero_grad()
        optimizer.step()
        running += loss.item()

    if epoch % 5 == 4:
        net.eval()
        with torch.no_grad():
            logits = net(X_test)
            test_loss = criterion(logits, y_test).item()
            acc = ((logits > 0).float() == y_test).float().mean().item()
        print("Epoch %d: loss %.4f, test loss %.4f, test acc %.3f" % (epoch + 1, running / len(loader), test_loss, acc))

print("done")
