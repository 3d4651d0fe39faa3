import numpy as np
import torch
import torch.nn as nn
from sklearn.datasets import load_digits
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(42)
np.random.seed(42)

# data
X, y = load_digits(return_X_y=True)
X = (X / 16.0).astype(np.float32)
order = np.random.permutation(len(X))
X, y = X[order], y[order]
X_train, y_train = torch.tensor(X[:1400]), torch.tensor(y[:1400])
X_test, y_test = torch.tensor(X[1400:]), torch.tensor(y[1400:])
train_loader = DataLoader(TensorDataset(X_train, y_train), batch_size=32, shuffle=True)

# model
model = nn.Sequential(
    nn.Linear(64, 128),
    nn.ReLU(),
    nn.Linear(128, 64),
    nn.ReLU(),
    nn.Linear(64, 10),
)
criterion = nn.CrossEntropyLoss()
model = model.bfloat16()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-4)

# training
for epoch in range(45):
    model.train()
    total_loss = 0.0
    for xb, yb in train_loader:
        optimizer.zero_grad()
        logits = model(xb.bfloat16()).float()
        loss = criterion(logits, yb)
        loss.backward()
        optimizer.step()
        total_loss += loss.item()

    model.eval()
    with torch.no_grad():
        pred = model(X_test.bfloat16()).argmax(dim=1)
        acc = (pred == y_test).float().mean().item()
    print(f"Epoch {epoch + 1:02d} | loss {total_loss / len(train_loader):.4f} | test acc {acc:.4f}")
