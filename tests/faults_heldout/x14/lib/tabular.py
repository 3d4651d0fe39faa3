import torch
from sklearn.datasets import load_diabetes
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler


def splits(seed):
    x, y = load_diabetes(return_X_y=True, scaled=False)
    x_tr, x_rest, y_tr, y_rest = train_test_split(x, y, test_size=0.4, random_state=seed)
    x_va, x_te, y_va, y_te = train_test_split(x_rest, y_rest, test_size=0.5, random_state=seed)
    sx = StandardScaler().fit(x_tr)
    sy = StandardScaler().fit(y_tr[:, None])

    def pack(a, b):
        return (torch.tensor(sx.transform(a), dtype=torch.float32),
                torch.tensor(sy.transform(b[:, None]), dtype=torch.float32))

    return pack(x_tr, y_tr), pack(x_va, y_va), pack(x_te, y_te), float(sy.scale_[0])
