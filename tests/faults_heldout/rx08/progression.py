# %% disease progression one year after baseline
import numpy as np
import torch
from sklearn.datasets import load_diabetes
from sklearn.metrics import r2_score
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

SEED = 42
EPOCHS = 60
np.random.seed(SEED)
torch.manual_seed(SEED)

# %% data
X, y = load_diabetes(return_X_y=True, scaled=False)
X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.25, random_state=SEED)

x_scaler = StandardScaler().fit(X_train)
y_mean, y_std = y_train.mean(), y_train.std()


def tensor(a):
    return torch.tensor(a, dtype=torch.float32)


train_ds = TensorDataset(tensor(x_scaler.transform(X_train)), tensor((y_train - y_mean) / y_std))
train_dl = DataLoader(train_ds, batch_size=32, shuffle=True)
x_test = tensor(x_scaler.transform(X_test))

# %% model
model = nn.Sequential(
    nn.Linear(X.shape[1], 32),
    nn.ReLU(),
    nn.Dropout(0.2),
    nn.Linear(32, 16),
    nn.ReLU(),
    nn.Linear(16, 1),
)
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3, weight_decay=1e-3)

# %% training
for epoch in range(EPOCHS):
    model.train()
    epoch_loss = 0.0
    for xb, yb in train_dl:
        pred = model(xb)
        loss = torch.mean((pred - yb) ** 2)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        epoch_loss += loss.item() * len(xb)
    if (epoch + 1) % 10 == 0:
        print(f"epoch {epoch + 1}: train loss {epoch_loss / len(train_ds):.4f}")

# %% evaluation
model.eval()
with torch.no_grad():
    y_hat = model(x_test).squeeze(1).numpy() * y_std + y_mean
print("test R2  ", round(r2_score(y_test, y_hat), 3))
print("test MAE ", round(float(np.abs(y_test - y_hat).mean()), 1))
