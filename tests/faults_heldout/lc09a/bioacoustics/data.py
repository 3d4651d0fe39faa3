import numpy as np
import torch
from torch.utils.data import Dataset


def load_calls(path):
    z = np.load(path)
    wave = torch.tensor(z["wave"], dtype=torch.float32)
    wave = wave / wave.std()
    return wave, torch.tensor(z["label"], dtype=torch.long), [str(n) for n in z["names"]]


class CallDataset(Dataset):
    def __init__(self, wave, label, transform=None):
        self.wave, self.label, self.transform = wave, label, transform

    def __len__(self):
        return len(self.label)

    def __getitem__(self, i):
        w = self.wave[i]
        if self.transform is not None:
            w = self.transform(w)
        return w[None], self.label[i]
