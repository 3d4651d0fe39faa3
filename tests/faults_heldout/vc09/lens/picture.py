import torch


def telescope_frame(size, gen):
    """A procedural sky: a few soft blobs, a ring and a gradient, values in [0, 1]."""
    axis = torch.linspace(-1, 1, size)
    yy, xx = torch.meshgrid(axis, axis, indexing="ij")
    img = 0.15 + 0.1 * xx
    for _ in range(9):
        cx, cy, w, a = (torch.rand(4, generator=gen) * torch.tensor([1.8, 1.8, 0.15, 0.6])).tolist()
        img = img + (0.2 + a) * torch.exp(-((xx - cx + 0.9) ** 2 + (yy - cy + 0.9) ** 2) / (2 * (0.04 + w) ** 2))
    radius = (xx**2 + yy**2).sqrt()
    img = img + 0.4 * torch.exp(-((radius - 0.6) / 0.05) ** 2)
    img = (img - img.min()) / (img.max() - img.min())
    coords = torch.stack([xx, yy], dim=-1).reshape(-1, 2)
    return coords, img.reshape(-1, 1)


def split_pixels(coords, values, share, gen):
    order = torch.randperm(len(coords), generator=gen)
    cut = int(len(coords) * share)
    seen, held = order[:cut], order[cut:]
    return (coords[seen], values[seen]), (coords[held], values[held])
