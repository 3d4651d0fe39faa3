import torch

TONICS = 12
MODES = 2
MAJOR = (0, 2, 4, 5, 7, 9, 11)
MINOR = (0, 2, 3, 5, 7, 8, 10)
CHROMATIC = 7
LENGTH = 16


def phrases(n, seed):
    """token 0: key (tonic and mode), then 16 pitch classes; label: scale degree or chromatic."""
    g = torch.Generator().manual_seed(seed)
    tonic = torch.randint(TONICS, (n,), generator=g)
    mode = torch.randint(MODES, (n,), generator=g)
    scales = torch.full((MODES, 12), CHROMATIC)
    for m, steps in enumerate((MAJOR, MINOR)):
        for deg, s in enumerate(steps):
            scales[m, s] = deg
    inside = torch.tensor([MAJOR, MINOR])[mode]
    pick = torch.randint(7, (n, LENGTH), generator=g)
    rel = inside.gather(1, pick)
    stray = torch.rand(n, LENGTH, generator=g) < 0.15
    rel = torch.where(stray, torch.randint(12, (n, LENGTH), generator=g), rel)
    label = scales[mode].gather(1, rel)
    pitch = (rel + tonic[:, None]) % 12
    key = 12 + tonic * MODES + mode
    return torch.cat([key[:, None], pitch], 1), label
