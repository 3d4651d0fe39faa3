# Benign / malignant classification of the Wisconsin breast cancer data.
import copy

import torch
from sklearn.datasets import load_breast_cancer
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler
from torch import nn

torch.manual_seed(3)

X, y = load_breast_cancer(return_X_y=True)
X_rest, X_test, y_rest, y_test = train_test_split(X, y, test_size=0.2, stratify=y, random_state=1)
X_train, X_val, y_train, y_val = train_test_split(X_rest, y_rest, test_size=0.25, stratify=y_rest, random_state=1)

scaler = StandardScaler().fit(X_train)


def tensors(a, b):
    return (torch.tensor(scaler.transform(a), dtype=torch.float32),
            torch.tensor(b, dtype=torch.float32).unsqueeze(1))


X_train, y_train = tensors(X_train, y_train)
X_val, y_val = tensors(X_val, y_val)
X_test, y_test = tensors(X_test, y_test)

model = nn.Sequential(
    nn.Linear(30, 32), nn.ReLU(), nn.Dropout(0.3),
    nn.Linear(32, 16), nn.ReLU(), nn.Dropout(0.2),
    nn.Linear(16, 1),
)
criterion = nn.BCEWithLogitsLoss()
optimizer = torch.optim.Adam(model.parameters(), lr=2e-3, weight_decay=1e-4)
scheduler = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, mode="min", factor=0.5, patience=6)

BATCH = 32
PATIENCE = 20
best_loss, best_state, best_epoch = float("inf"), None, 0

for epoch in range(1, 151):
    model.train()
    order = torch.randperm(len(X_train))
    running = 0.0
    for i in range(0, len(order), BATCH):
        idx = order[i:i + BATCH]
        optimizer.zero_grad()
        loss = criterion(model(X_train[idx]), y_train[idx])
        loss.backward()
        optimizer.step()
        running += loss.item() * len(idx)
    train_loss = running / len(X_train)

    model.eval()
    with torch.no_grad():
        logits = model(X_val)
        val_loss = criterion(logits, y_val).item()
        val_acc = ((logits > 0).float() == y_val).float().mean().item()
    scheduler.step(val_loss)

    if val_loss < best_loss:
        best_loss, best_epoch = val_loss, epoch
        best_state = copy.deepcopy(model.state_dict())
    if epoch % 5 == 0:
        print(f"epoch {epoch:3d} | train {train_loss:.4f} | val {val_loss:.4f} | val acc {val_acc:.3f} "
              f"| lr {optimizer.param_groups[0]['lr']:.1e}")
    if epoch - best_epoch >= PATIENCE:
        print(f"no improvement for {PATIENCE} epochs, stopping at {epoch}")
        break

model.load_state_dict(best_state)
model.eval()
with torch.no_grad():
    logits = model(X_test)
acc = ((logits > 0).float() == y_test).float().mean().item()
auc = roc_auc_score(y_test.numpy().ravel(), logits.numpy().ravel())
print(f"best epoch {best_epoch} (val loss {best_loss:.4f})  test accuracy {acc:.3f}  test AUC {auc:.4f}")
