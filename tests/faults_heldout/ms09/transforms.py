import torch


class Compose:
    def __init__(self, steps):
        self.steps = steps

    def __call__(self, img):
        for step in self.steps:
            img = step(img)
        return img


class Brightness:
    def __init__(self, amount):
        self.amount = amount

    def __call__(self, img):
        return (img * (1 + self.amount * (2 * torch.rand(1) - 1))).clamp(0, 1)


class HorizontalFlip:
    def __init__(self, p=0.5):
        self.p = p

    def __call__(self, img):
        return img.flip(-1) if torch.rand(1).item() < self.p else img


class Blot:
    """Hide a small square, like dirt on the lens."""

    def __init__(self, size):
        self.size = size

    def __call__(self, img):
        img = img.clone()
        r = torch.randint(0, img.shape[-2] - self.size, (1,)).item()
        c = torch.randint(0, img.shape[-1] - self.size, (1,)).item()
        img[..., r:r + self.size, c:c + self.size] = img.mean()
        return img


class Normalize:
    def __init__(self, mean, std):
        self.mean, self.std = mean, std

    def __call__(self, img):
        return (img - self.mean) / self.std
