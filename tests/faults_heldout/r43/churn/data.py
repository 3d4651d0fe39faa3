import torch
from sklearn.datasets import make_classification
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler
from torch.utils.data import DataLoader, TensorDataset


def build(cfg, batch_size):
    X, y = make_classification(cfg["n"], n_features=20, n_informative=8, n_redundant=4, class_sep=1.4,
                               weights=[1 - cfg["positives"]], flip_y=0.005, random_state=cfg["seed"])
    Xa, Xb, ya, yb = train_test_split(X, y, test_size=0.25, stratify=y, random_state=cfg["seed"])
    scaler = StandardScaler().fit(Xa)
    ds = [TensorDataset(torch.tensor(scaler.transform(a), dtype=torch.float32), torch.tensor(b))
          for a, b in ((Xa, ya), (Xb, yb))]
    counts = torch.bincount(ds[0].tensors[1]).float()
    weights = counts.sum() / (2 * counts)
    return DataLoader(ds[0], batch_size=batch_size, shuffle=True), DataLoader(ds[1], batch_size=512), weights
