import numpy as np
import torch
import torch.nn.functional as F
from sklearn.metrics import average_precision_score, roc_auc_score
from torch.utils.data import DataLoader, TensorDataset

from detector import EventDetector


def loaders(path, batch):
    z = np.load(path)
    x = torch.tensor(z["trace"].astype(np.float32)).unsqueeze(1)
    y = torch.tensor(z["event"].astype(np.float32))
    x = (x - x[:1800].mean()) / x[:1800].std()
    return (DataLoader(TensorDataset(x[:1800], y[:1800]), batch, shuffle=True),
            DataLoader(TensorDataset(x[1800:], y[1800:]), 600))


def evaluate(model, dl):
    model.eval()
    with torch.no_grad():
        p = torch.cat([torch.sigmoid(model(x)) for x, _ in dl]).numpy()
    y = torch.cat([t for _, t in dl]).numpy()
    return roc_auc_score(y, p), average_precision_score(y, p)


if __name__ == "__main__":
    torch.manual_seed(8)
    train, test = loaders("windows.npz", 32)
    model = EventDetector()
    opt = torch.optim.Adam(model.parameters(), lr=1e-3)
    for epoch in range(10):
        model.train()
        s = n = 0
        for x, y in train:
            loss = F.binary_cross_entropy_with_logits(model(x), y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            s += loss.item() * len(y)
            n += len(y)
        auc, ap = evaluate(model, test)
        print(f"epoch {epoch} bce {s / n:.4f} auc {auc:.3f} ap {ap:.3f}")
