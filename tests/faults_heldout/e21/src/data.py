import torch
from sklearn.datasets import make_classification
from torch.utils.data import TensorDataset


def datasets(seed):
    x, y = make_classification(n_samples=3600, n_features=24, n_informative=12, n_redundant=4, n_classes=6,
                               n_clusters_per_class=2, class_sep=2.0, flip_y=0.01, random_state=seed)
    tr, va = slice(0, 2880), slice(2880, None)
    x = (x - x[tr].mean(0)) / x[tr].std(0)
    x, y = torch.tensor(x, dtype=torch.float32), torch.tensor(y)
    return TensorDataset(x[tr], y[tr]), TensorDataset(x[va], y[va])
