"""5-fold cross-validation of a small MLP on the Wisconsin breast cancer data."""
import copy

import numpy as np
import torch
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import StratifiedKFold
from sklearn.preprocessing import StandardScaler

from fitting import fit, score
from models import TumorClassifier

EPOCHS = 40
BATCH_SIZE = 32
LR = 1e-3
FOLDS = 5
SEED = 2024


def to_tensor(a):
    return torch.as_tensor(a, dtype=torch.float32)


def run_cv():
    torch.manual_seed(SEED)
    data = load_breast_cancer()
    X, y = data.data, data.target

    # every fold starts from the same initial weights so folds are comparable
    template = TumorClassifier(X.shape[1])
    optimizer = torch.optim.AdamW(template.parameters(), lr=LR, weight_decay=1e-3)

    results = []
    folds = StratifiedKFold(FOLDS, shuffle=True, random_state=SEED)
    for k, (tr, va) in enumerate(folds.split(X, y), start=1):
        scaler = StandardScaler().fit(X[tr])
        x_tr, x_va = to_tensor(scaler.transform(X[tr])), to_tensor(scaler.transform(X[va]))
        y_tr, y_va = to_tensor(y[tr]), to_tensor(y[va])

        model = copy.deepcopy(template)
        print(f"fold {k}: {len(tr)} train / {len(va)} valid")
        final_loss = fit(model, optimizer, x_tr, y_tr, EPOCHS, BATCH_SIZE, verbose=True)
        s = score(model, x_va, y_va)
        results.append(s)
        print(f"    train bce {final_loss:.4f}  valid acc {s['acc']:.3f}  auc {s['auc']:.3f}")

    for name in ("acc", "auc"):
        vals = np.array([r[name] for r in results])
        print(f"{name}: {vals.mean():.3f} +/- {vals.std():.3f}")


if __name__ == "__main__":
    run_cv()
