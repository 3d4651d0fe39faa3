import torch


class Compose:
    def __init__(self, *steps):
        self.steps = steps

    def __call__(self, img):
        for s in self.steps:
            img = s(img)
        return img


class ToTensor:
    def __call__(self, img):
        return torch.tensor(img, dtype=torch.float32).div(16.0).unsqueeze(0)


class Normalize:
    def __init__(self, mean, std):
        self.mean, self.std = mean, std

    def __call__(self, x):
        return (x - self.mean) / self.std


class RandomShift:
    """Translate by at most one pixel, zero filled."""

    def __call__(self, x):
        padded = torch.nn.functional.pad(x, (1, 1, 1, 1))
        i, j = torch.randint(3, (2,)).tolist()
        return padded[:, i:i + 8, j:j + 8]
