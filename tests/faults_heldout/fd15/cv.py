"""5-fold cross-validation of a small MLP on the breast-cancer table."""
import numpy as np
import torch
from sklearn.datasets import load_breast_cancer
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import StratifiedKFold
from sklearn.preprocessing import StandardScaler
from torch import nn

EPOCHS = 16
BATCH_SIZE = 32


def build_model(n_features):
    return nn.Sequential(
        nn.Linear(n_features, 24), nn.ReLU(), nn.Dropout(0.3),
        nn.Linear(24, 12), nn.ReLU(),
        nn.Linear(12, 1),
    )


def fit_fold(x_train, y_train, x_val, y_val, seed):
    torch.manual_seed(seed)
    scaler = StandardScaler().fit(x_train)
    x_train = torch.tensor(scaler.transform(x_train), dtype=torch.float32)
    x_val = torch.tensor(scaler.transform(x_val), dtype=torch.float32)
    y_train = torch.tensor(y_train, dtype=torch.float32)
    y_val_t = torch.tensor(y_val, dtype=torch.float32)

    model = build_model(x_train.shape[1])
    optimizer = torch.optim.AdamW(model.parameters(), lr=2e-3, weight_decay=0.1)
    criterion = nn.BCEWithLogitsLoss()
    for epoch in range(EPOCHS):
        model.train()
        epoch_loss = 0.0
        for idx in torch.randperm(len(x_train)).split(BATCH_SIZE):
            optimizer.zero_grad()
            logits = model(x_train[idx]).squeeze(1)
            loss = criterion(logits, y_train[idx])
            loss.backward()
            optimizer.step()
            epoch_loss += loss.item() * len(idx)
        if (epoch + 1) % 4 == 0:
            model.eval()
            with torch.no_grad():
                val_loss = criterion(model(x_val).squeeze(1), y_val_t).item()
            print(f"    epoch {epoch + 1:2d} train {epoch_loss / len(x_train):.4f} val {val_loss:.4f}")

    model.eval()
    with torch.no_grad():
        p = torch.sigmoid(model(x_val).squeeze(1)).numpy()
    return ((p > 0.5) == y_val).mean(), roc_auc_score(y_val, p)


def main():
    x, y = load_breast_cancer(return_X_y=True)
    folds = StratifiedKFold(n_splits=5, shuffle=True, random_state=17)
    accs, aucs = [], []
    for k, (tr, va) in enumerate(folds.split(x, y)):
        print(f"fold {k + 1}")
        acc, auc = fit_fold(x[tr], y[tr], x[va], y[va], seed=100 + k)
        accs.append(acc)
        aucs.append(auc)
        print(f"  accuracy {acc:.4f}  AUC {auc:.4f}")
    print(f"accuracy {np.mean(accs):.4f} +- {np.std(accs):.4f}   AUC {np.mean(aucs):.4f} +- {np.std(aucs):.4f}")


if __name__ == "__main__":
    main()
