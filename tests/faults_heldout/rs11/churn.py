import copy

import numpy as np
import torch
import torch.nn as nn
from sklearn.metrics import f1_score, roc_auc_score
from sklearn.model_selection import train_test_split
from sklearn.utils import resample
from torch.utils.data import DataLoader, TensorDataset

SEED = 9
torch.manual_seed(SEED)
np.random.seed(SEED)

data = np.genfromtxt("churn.csv", delimiter=",", skip_header=1).astype(np.float32)
stay, churn = data[data[:, -1] == 0], data[data[:, -1] == 1]
print("stay", len(stay), "churn", len(churn))

# only one customer in seven leaves -> upsample the minority to balance the classes
churn_up = resample(churn, replace=True, n_samples=len(stay), random_state=SEED)
data = np.concatenate([stay, churn_up])

train, val = train_test_split(data, test_size=0.25, random_state=SEED, stratify=data[:, -1])
mean, std = train[:, :-1].mean(0), train[:, :-1].std(0)


def tensors(a):
    x = torch.from_numpy((a[:, :-1] - mean) / std)
    return x, torch.from_numpy(a[:, -1])


x_train, y_train = tensors(train)
x_val, y_val = tensors(val)
loader = DataLoader(TensorDataset(x_train, y_train), batch_size=32, shuffle=True)

model = nn.Sequential(
    nn.Linear(x_train.shape[1], 64), nn.ReLU(), nn.Dropout(0.2),
    nn.Linear(64, 32), nn.ReLU(), nn.Dropout(0.2),
    nn.Linear(32, 1),
)
loss_fn = nn.BCEWithLogitsLoss()
opt = torch.optim.Adam(model.parameters(), lr=1e-3)

best, best_state, patience = float("inf"), None, 0
for epoch in range(120):
    model.train()
    total = 0.0
    for xb, yb in loader:
        opt.zero_grad()
        loss = loss_fn(model(xb).squeeze(1), yb)
        loss.backward()
        opt.step()
        total += loss.item() * len(xb)

    model.eval()
    with torch.no_grad():
        logit = model(x_val).squeeze(1)
        val_loss = loss_fn(logit, y_val).item()
    if val_loss < best - 1e-4:
        best, best_state, patience = val_loss, copy.deepcopy(model.state_dict()), 0
    else:
        patience += 1
    if epoch % 5 == 0:
        print(f"epoch {epoch:3d} train {total / len(x_train):.4f} val {val_loss:.4f} "
              f"auc {roc_auc_score(y_val, logit):.4f}")
    if patience >= 10:
        break

model.load_state_dict(best_state)
model.eval()
with torch.no_grad():
    p = torch.sigmoid(model(x_val).squeeze(1))
print(f"stopped at {epoch}, best val {best:.4f}, auc {roc_auc_score(y_val, p):.4f}, "
      f"f1 {f1_score(y_val, p > 0.5):.4f}")
