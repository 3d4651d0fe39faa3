"""Image transforms that are assembled from the config file."""


class Scale:
    def __init__(self, factor):
        self.factor = factor

    def __call__(self, img):
        return img * self.factor


class Normalize:
    def __init__(self, mean, std):
        self.mean, self.std = mean, std

    def __call__(self, img):
        return (img - self.mean) / self.std


class Compose:
    def __init__(self, steps):
        self.steps = steps

    def __call__(self, img):
        for step in self.steps:
            img = step(img)
        return img


REGISTRY = {"scale": Scale, "normalize": Normalize}


def from_config(entries):
    steps = []
    for entry in entries:
        kwargs = dict(entry)
        steps.append(REGISTRY[kwargs.pop("type")](**kwargs))
    return Compose(steps)
