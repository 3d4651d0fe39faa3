import torch
import torch.nn.functional as F


def scans(n, seed, size=32):
    """Textured plates with a short, faint scratch here and there; mask marks scratch pixels."""
    g = torch.Generator().manual_seed(seed)
    base = F.interpolate(torch.randn(n, 1, 8, 8, generator=g), size=size, mode="bicubic", align_corners=False)
    img = 0.5 * base + 0.6 * torch.randn(n, 1, size, size, generator=g)
    mask = torch.zeros(n, size, size, dtype=torch.long)
    for k in range(n):
        r, c = torch.randint(3, size - 11, (2,), generator=g).tolist()
        length = int(torch.randint(6, 11, (1,), generator=g))
        down = int(torch.randint(0, 2, (1,), generator=g))
        for s in range(length):
            mask[k, r + s * down, c + s * (1 - down)] = 1
    img[:, 0] += 0.9 * mask
    return img, mask
