"""Alert triage: 4 % positives, weighted BCE, PR-AUC on a held-out part."""
import numpy as np
import torch
from sklearn.datasets import make_classification
from sklearn.metrics import average_precision_score, balanced_accuracy_score
from sklearn.model_selection import train_test_split
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def load(seed=4):
    x, y = make_classification(6000, 20, n_informative=8, n_redundant=4, n_clusters_per_class=2, weights=[0.96],
                               class_sep=1.6, flip_y=0.0, random_state=seed)
    xt, xv, yt, yv = train_test_split(x, y, test_size=0.25, stratify=y, random_state=seed)
    mu, sd = xt.mean(0), xt.std(0)
    as_t = lambda a: torch.tensor(a, dtype=torch.float32)
    return as_t((xt - mu) / sd), as_t(yt), as_t((xv - mu) / sd), as_t(yv)


class Triage(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(d, 64), nn.ReLU(), nn.Dropout(0.2), nn.Linear(64, 32), nn.ReLU(), nn.Linear(32, 1))

    def forward(self, x):
        return self.layers(x)[:, 0]


def evaluate(model, x, y):
    model.eval()
    with torch.no_grad():
        p = torch.sigmoid(model(x)).numpy()
    return average_precision_score(y.numpy(), p), balanced_accuracy_score(y.numpy(), p > 0.5)


def main():
    torch.manual_seed(0)
    np.random.seed(0)
    xt, yt, xv, yv = load()
    pos = yt.mean().item()
    loss_fn = nn.BCEWithLogitsLoss(pos_weight=torch.tensor((1 - pos) / pos))
    model = Triage(xt.shape[1])
    opt = torch.optim.AdamW(model.parameters(), lr=2e-3, weight_decay=1e-2)
    loader = DataLoader(TensorDataset(xt, yt), batch_size=128, shuffle=True)
    print(f"positives: {pos:.3f}, weight {loss_fn.pos_weight.item():.1f}")
    for epoch in range(9):
        model.train()
        total = 0.0
        for x, y in loader:
            loss = loss_fn(model(x), y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item() * len(y)
        if epoch % 3 == 2:
            ap, bal = evaluate(model, xv, yv)
            print(f"epoch {epoch + 1} weighted loss {total / len(yt):.4f} PR-AUC {ap:.3f} balanced acc {bal:.3f}")


if __name__ == "__main__":
    main()
