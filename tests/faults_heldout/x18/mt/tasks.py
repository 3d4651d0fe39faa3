"""Three targets from one digit image: the digit, how much ink it has, and whether it is left-heavy."""
import torch
from sklearn.datasets import load_digits


def load(seed, n_train=1300):
    d = load_digits()
    img = torch.tensor(d.images, dtype=torch.float32) / 16.0
    ink = img.mean((1, 2))
    left = (img[:, :, :4].sum((1, 2)) > img[:, :, 4:].sum((1, 2))).float()
    digit = torch.tensor(d.target)
    order = torch.randperm(len(img), generator=torch.Generator().manual_seed(seed))
    tr, te = order[:n_train], order[n_train:]
    ink = (ink - ink[tr].mean()) / ink[tr].std()
    img = img + 0.1 * torch.randn(img.shape, generator=torch.Generator().manual_seed(seed + 1))   # camera noise

    def part(i):
        return {"x": img[i].unsqueeze(1), "digit": digit[i], "ink": ink[i], "left": left[i]}

    return part(tr), part(te)
