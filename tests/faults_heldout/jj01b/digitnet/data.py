import torch
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from torch.utils.data import DataLoader, Dataset


class DigitSet(Dataset):
    def __init__(self, images, labels, shift=0, generator=None):
        self.images = torch.tensor(images, dtype=torch.float32).unsqueeze(1) / 16.0
        self.labels = torch.tensor(labels, dtype=torch.long)
        self.shift = shift
        self.generator = generator

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, i):
        img = self.images[i]
        if self.shift:
            dx = int(torch.randint(-self.shift, self.shift + 1, (1,), generator=self.generator))
            if dx > 0:
                img = torch.nn.functional.pad(img, (dx, 0))[..., :8]
            elif dx < 0:
                img = torch.nn.functional.pad(img, (0, -dx))[..., -8:]
        return (img - 0.3) / 0.38, self.labels[i]


def loaders(cfg, seed):
    bunch = load_digits()
    x_tr, x_va, y_tr, y_va = train_test_split(
        bunch.images, bunch.target, test_size=cfg["val_fraction"], stratify=bunch.target, random_state=seed)
    gen = torch.Generator().manual_seed(seed)
    train = DataLoader(DigitSet(x_tr, y_tr, cfg["shift"], gen), batch_size=cfg["batch_size"], shuffle=True,
                       drop_last=True, generator=torch.Generator().manual_seed(seed + 1))
    val = DataLoader(DigitSet(x_va, y_va), batch_size=256)
    return train, val
