import torch
from sklearn.datasets import load_digits
from torch.utils.data import DataLoader, Dataset


class DigitImages(Dataset):
    def __init__(self, images, labels, shift=False):
        self.images, self.labels, self.shift = images, labels, shift

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, i):
        img = self.images[i]
        if self.shift:
            padded = torch.nn.functional.pad(img, (1, 1, 1, 1))
            dy, dx = torch.randint(0, 3, (2,)).tolist()
            img = padded[:, dy:dy + 8, dx:dx + 8]
        return img, self.labels[i]


def get_loaders(batch_size):
    d = load_digits()
    x = torch.tensor(d.images / 16.0, dtype=torch.float32).unsqueeze(1)
    y = torch.tensor(d.target)
    order = torch.randperm(len(y), generator=torch.Generator().manual_seed(1))
    tr, va = order[:1400], order[1400:]
    return (DataLoader(DigitImages(x[tr], y[tr], shift=True), batch_size=batch_size, shuffle=True, drop_last=True),
            DataLoader(DigitImages(x[va], y[va]), batch_size=200))
