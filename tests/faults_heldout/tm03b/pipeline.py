import torch
from torch.utils.data import TensorDataset


class Transform:
    """uint8 image -> float tensor, (img - mean) / std in grey levels, optional random flips."""

    def __init__(self, mean, std, flip=False):
        self.mean, self.std, self.flip = mean, std, flip

    def __call__(self, images):
        return ((torch.from_numpy(images).float() - self.mean) / self.std).unsqueeze(1)

    def augment(self, x, y):
        if self.flip:
            for dim in (-1, -2):
                pick = torch.rand(len(x)) < 0.5
                x[pick], y[pick] = x[pick].flip(dim), y[pick].flip(dim)
        return x, y


def as_dataset(images, masks, transform):
    return TensorDataset(transform(images), torch.from_numpy(masks).float())
