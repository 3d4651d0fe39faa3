import torch


def draw_scenes(n, size=24, stride=4, max_objects=8, seed=0):
    """Noisy images with a few bright squares; targets on a size/stride grid.

    Returns images (n,1,S,S), occupancy (n,G,G), box size in pixels (n,G,G)."""
    g = torch.Generator().manual_seed(seed)
    grid = size // stride
    img = torch.randn(n, 1, size, size, generator=g) * 0.25
    occ, side = torch.zeros(n, grid, grid), torch.zeros(n, grid, grid)
    for k in range(n):
        for _ in range(int(torch.randint(0, max_objects + 1, (1,), generator=g))):
            s = int(torch.randint(3, 6, (1,), generator=g))
            y, x = torch.randint(s // 2, size - s // 2 - 1, (2,), generator=g).tolist()
            if occ[k, y // stride, x // stride]:
                continue
            img[k, 0, y - s // 2:y - s // 2 + s, x - s // 2:x - s // 2 + s] += 1.0
            occ[k, y // stride, x // stride] = 1.0
            side[k, y // stride, x // stride] = s
    return img, occ, side
