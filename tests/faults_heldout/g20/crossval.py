"""Five-fold cross-validation of a small deep ensemble; all members of a fold train in one batched pass."""
import math

import numpy as np
import torch
import torch.nn.functional as F
from sklearn.datasets import load_breast_cancer
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import StratifiedKFold
from sklearn.preprocessing import StandardScaler


class ManyLinear(torch.nn.Module):
    """`members` independent affine maps: (members, batch, n_in) -> (members, batch, n_out)."""

    def __init__(self, members, n_in, n_out):
        super().__init__()
        bound = 1 / math.sqrt(n_in)
        self.weight = torch.nn.Parameter(torch.empty(members, n_in, n_out).uniform_(-bound, bound))
        self.bias = torch.nn.Parameter(torch.empty(members, 1, n_out).uniform_(-bound, bound))

    def forward(self, x):
        return torch.baddbmm(self.bias, x, self.weight)


def ensemble(members, n_in, hidden=24):
    return torch.nn.Sequential(ManyLinear(members, n_in, hidden), torch.nn.ReLU(), torch.nn.Dropout(0.2),
                               ManyLinear(members, hidden, 1))


def fit_fold(x, y, members=4, epochs=12, batch=32, lr=5e-3, weight_decay=1e-2):
    model = ensemble(members, x.shape[1])
    optimizer = torch.optim.AdamW(model.parameters(), lr=lr, weight_decay=weight_decay)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=epochs)
    history = []
    for _ in range(epochs):
        model.train()
        orders = torch.stack([torch.randperm(len(x)) for _ in range(members)])     # own order for each member
        total = 0.0
        for idx in orders.split(batch, dim=1):
            logits = model(x[idx]).squeeze(-1)
            per_member = F.binary_cross_entropy_with_logits(logits, y[idx], reduction="none").mean(dim=1)
            loss = per_member.sum()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += per_member.detach().mean().item() * idx.shape[1]
        scheduler.step()
        history.append(total / len(x))
    return model.eval(), history


@torch.no_grad()
def predict(model, x, members=4):
    return torch.sigmoid(model(x.expand(members, -1, -1)).squeeze(-1)).mean(0)


def main():
    torch.manual_seed(30)
    data = load_breast_cancer()
    folds = StratifiedKFold(5, shuffle=True, random_state=30)
    accs, aucs = [], []
    for k, (tr, te) in enumerate(folds.split(data.data, data.target)):
        scaler = StandardScaler().fit(data.data[tr])
        to = lambda rows: torch.tensor(scaler.transform(data.data[rows]), dtype=torch.float32)
        y = torch.tensor(data.target, dtype=torch.float32)
        model, history = fit_fold(to(tr), y[tr])
        p_tr, p_te = predict(model, to(tr)), predict(model, to(te))
        acc_tr = ((p_tr > 0.5).float() == y[tr]).float().mean().item()
        acc = ((p_te > 0.5).float() == y[te]).float().mean().item()
        auc = roc_auc_score(y[te].numpy(), p_te.numpy())
        accs.append(acc), aucs.append(auc)
        print(f"fold {k}: loss {history[0]:.3f} -> {history[-1]:.3f}  train acc {acc_tr:.3f}  held-out acc {acc:.3f} auc {auc:.4f}")
    print(f"accuracy {np.mean(accs):.3f} +- {np.std(accs):.3f}, auc {np.mean(aucs):.4f}")


if __name__ == "__main__":
    main()
