import csv

import torch
import torch.nn as nn
from sklearn.metrics import mean_absolute_error, r2_score
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler
from torch.utils.data import DataLoader, Dataset


class Listings(Dataset):
    def __init__(self, x, y):
        self.x = torch.as_tensor(x, dtype=torch.float32)
        self.y = torch.as_tensor(y, dtype=torch.float32).view(-1, 1)

    def __len__(self):
        return len(self.x)

    def __getitem__(self, i):
        return self.x[i], self.y[i]


class Regressor(nn.Module):
    def __init__(self, n_in):
        super().__init__()
        self.layers = nn.Sequential(
            nn.Linear(n_in, 64),
            nn.ReLU(),
            nn.Linear(64, 32),
            nn.ReLU(),
            nn.Linear(32, 1),
        )

    def forward(self, x):
        return self.layers(x)


def read():
    with open("listings.csv") as f:
        rows = [[float(v) for v in r] for r in list(csv.reader(f))[1:]]
    return [r[:-1] for r in rows], [r[-1] for r in rows]


torch.manual_seed(0)
X, y = read()
X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.2, random_state=1)
scaler = StandardScaler().fit(X_train)
train_set = Listings(scaler.transform(X_train), y_train)
test_set = Listings(scaler.transform(X_test), y_test)
loader = DataLoader(train_set, batch_size=32, shuffle=True)

model = Regressor(train_set.x.shape[1])
criterion = nn.MSELoss()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)

for epoch in range(40):
    model.train()
    running = 0.0
    for xb, yb in loader:
        optimizer.zero_grad()
        loss = criterion(model(xb), yb)
        loss.backward()
        optimizer.step()
        running += loss.item()
    if (epoch + 1) % 5 == 0:
        print(f"Epoch {epoch + 1}/40, loss: {running / len(loader):.4f}")

model.eval()
with torch.no_grad():
    pred = model(test_set.x).squeeze(1).numpy()
print(f"MAE {mean_absolute_error(y_test, pred):.4f}  R2 {r2_score(y_test, pred):.3f}")
