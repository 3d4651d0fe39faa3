import numpy as np
import torch
import torch.nn as nn
from sklearn.datasets import load_digits
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(42)
np.random.seed(42)

# data
X, y = load_digits(return_X_y=True)
X = ((X - X.mean()) / X.std()).astype(np.float32)
order = np.random.permutation(len(X))
X, y = X[order], y[order]
X_train, y_train = torch.tensor(X[:1400]), torch.tensor(y[:1400])
X_test, y_test = torch.tensor(X[1400:]), torch.tensor(y[1400:])
train_loader = DataLoader(TensorDataset(X_train, y_train), batch_size=32, shuffle=True)

# model
class AutoEncoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(64, 48), nn.ReLU(), nn.Linear(48, 16))
        self.decoder = nn.Sequential(nn.Linear(16, 48), nn.ReLU(), nn.Linear(48, 64))

    def forward(self, x):
        return self.decoder(self.encoder(x))


model = AutoEncoder()
criterion = nn.MSELoss()
optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)

# training
for epoch in range(12):
    model.train()
    total_loss = 0.0
    for xb, yb in train_loader:
        optimizer.zero_grad()
        logits = model(xb)
        loss = criterion(logits, xb)
        loss.backward()
        optimizer.step()
        total_loss += loss.item()

    model.eval()
    with torch.no_grad():
        error = criterion(model(X_test), X_test).item()
        explained = 1 - error / X_test.var().item()
    print(f"Epoch {epoch + 1:02d} | loss {total_loss / len(train_loader):.4f} | test mse {error:.4f} explained {explained:.3f}")
