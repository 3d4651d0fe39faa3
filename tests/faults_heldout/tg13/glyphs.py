import numpy as np


class GlyphFont:
    """A glyph is a handful of strokes on a 16x16 canvas; a drawing of it jitters the control points."""

    def __init__(self, n_glyphs, seed, size=16):
        rng = np.random.default_rng(seed)
        self.size = size
        self.strokes = [rng.uniform(0.12, 0.88, (rng.integers(3, 5), 2, 2)) for _ in range(n_glyphs)]

    def draw(self, glyph, n, rng):
        pts = self.strokes[glyph][None] + rng.normal(0, 0.035, (n,) + self.strokes[glyph].shape)
        angle = rng.normal(0, 0.15, (n, 1, 1))
        scale = rng.uniform(0.85, 1.1, (n, 1, 1))
        c = pts - 0.5
        rot = np.stack([np.cos(angle) * c[..., 0] - np.sin(angle) * c[..., 1],
                        np.sin(angle) * c[..., 0] + np.cos(angle) * c[..., 1]], -1)
        pts = rot * scale[..., None] + 0.5 + rng.normal(0, 0.05, (n, 1, 1, 2))
        t = np.linspace(0, 1, 14)[:, None]
        path = pts[:, :, None, 0] * (1 - t) + pts[:, :, None, 1] * t
        path = path.reshape(n, -1, 2) * self.size
        grid = np.arange(self.size) + 0.5
        dx = (grid[None, None] - path[..., :1]) ** 2
        dy = (grid[None, None] - path[..., 1:]) ** 2
        img = np.exp(-(dx[:, :, None, :] + dy[:, :, :, None]) / 0.9).max(1)
        return (img + rng.normal(0, 0.08, img.shape)).astype(np.float32)
