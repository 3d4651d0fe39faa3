import numpy as np
import torch
from torch import nn, optim
from torch.utils.data import DataLoader, TensorDataset

from utils import Average, report, set_seed

# insurance claims: 1 = confirmed fraud by the investigators


def read(path):
    a = np.loadtxt(path, delimiter=";", skiprows=1)
    return a[:, :-1], a[:, -1].astype(int)


set_seed(99)
xtr, ytr = read("claims_train.csv")
xva, yva = read("claims_valid.csv")
m, s = xtr.mean(0), xtr.std(0)
to = lambda x, y: TensorDataset(torch.tensor((x - m) / s, dtype=torch.float32), torch.tensor(y))
train_loader = DataLoader(to(xtr, ytr), batch_size=64, shuffle=True)
valid = to(xva, yva)
print("train", xtr.shape, "valid", xva.shape)


class Net(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.fc1 = nn.Linear(d, 48)
        self.bn1 = nn.BatchNorm1d(48)
        self.fc2 = nn.Linear(48, 24)
        self.fc3 = nn.Linear(24, 2)
        self.drop = nn.Dropout(0.2)

    def forward(self, x):
        x = self.drop(torch.relu(self.bn1(self.fc1(x))))
        return self.fc3(torch.relu(self.fc2(x)))


net = Net(xtr.shape[1])
criterion = nn.CrossEntropyLoss()
optimizer = optim.Adam(net.parameters(), lr=1e-3, weight_decay=1e-4)

for epoch in range(15):
    net.train()
    meter = Average()
    for x, y in train_loader:
        optimizer.zero_grad()
        loss = criterion(net(x), y)
        loss.backward()
        optimizer.step()
        meter.add(loss.item(), len(y))
    net.eval()
    with torch.no_grad():
        logits = net(valid.tensors[0])
    r = report(valid.tensors[1], logits.argmax(1))
    print(f"ep {epoch + 1:2d} loss {meter.value:.4f} val_loss {criterion(logits, valid.tensors[1]).item():.4f} " + " ".join(f"{k} {v:.3f}" for k, v in r.items()))
