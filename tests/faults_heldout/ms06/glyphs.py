"""Hand-drawn-like glyphs: every glyph is a set of strokes, every drawing jitters them."""
import numpy as np
import torch

SIZE = 16


class GlyphBook:
    def __init__(self, n_glyphs, seed):
        rng = np.random.default_rng(seed)
        self.strokes = [rng.uniform(3, 12, (rng.integers(2, 4), 3, 2)) for _ in range(n_glyphs)]

    def draw(self, glyph, rng):
        img = np.zeros((SIZE, SIZE), dtype=np.float32)
        shift = rng.uniform(-1.0, 1.0, 2)
        yy, xx = np.mgrid[0:SIZE, 0:SIZE]
        for pts in self.strokes[glyph]:
            p = pts + rng.normal(0, 0.55, pts.shape) + shift
            s = np.linspace(0, 1, 14)[:, None]
            curve = (1 - s) ** 2 * p[0] + 2 * s * (1 - s) * p[1] + s ** 2 * p[2]
            d = ((yy[None] - curve[:, 0, None, None]) ** 2 + (xx[None] - curve[:, 1, None, None]) ** 2).min(0)
            img = np.maximum(img, np.exp(-d / 0.8))
        return np.clip(img + rng.normal(0, 0.05, img.shape), 0, 1)

    def collect(self, per_glyph, seed):
        rng = np.random.default_rng(seed)
        y = np.repeat(np.arange(len(self.strokes)), per_glyph)
        x = np.stack([self.draw(g, rng) for g in y]).astype(np.float32)
        return torch.from_numpy(x).unsqueeze(1), torch.from_numpy(y)


class PKSampler:
    """Batches of P glyphs with K drawings each."""

    def __init__(self, labels, p, k, batches, generator):
        self.groups = [torch.nonzero(labels == c).flatten() for c in labels.unique()]
        self.p, self.k, self.batches, self.generator = p, k, batches, generator

    def __len__(self):
        return self.batches

    def __iter__(self):
        for _ in range(self.batches):
            chosen = torch.randperm(len(self.groups), generator=self.generator)[:self.p]
            yield torch.cat([self.groups[c][torch.randperm(len(self.groups[c]), generator=self.generator)[:self.k]]
                             for c in chosen]).tolist()
