import torch
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from torch.utils.data import Dataset


class Digits(Dataset):
    def __init__(self, images, labels, shift=0):
        self.images = torch.as_tensor(images, dtype=torch.float32).div(16.0).unsqueeze(1)
        self.labels = torch.as_tensor(labels, dtype=torch.long)
        self.shift = shift

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, i):
        img = (self.images[i] - 0.305) / 0.376
        if self.shift:
            dy, dx = torch.randint(-self.shift, self.shift + 1, (2,)).tolist()
            pad = self.shift
            img = torch.nn.functional.pad(img, (pad,) * 4, value=-0.811)
            img = img[:, pad + dy:pad + dy + 8, pad + dx:pad + dx + 8]
        return img, self.labels[i]


def splits(shift, seed):
    d = load_digits()
    xa, xb, ya, yb = train_test_split(d.images, d.target, test_size=0.25, random_state=seed, stratify=d.target)
    return Digits(xa, ya, shift), Digits(xb, yb)
