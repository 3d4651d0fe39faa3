"""Data files of the held-back specimens."""
import gzip
import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
from data import Write, blobs

Rng = np.random.Generator


def rows(change: Callable | None = None, seed: int = 0, **settings: object) -> Write:
    """rows.json.gz with x, y and settings of the tensor-only script."""
    def write(folder: Path) -> None:
        _, x, y = blobs(640, 10, 3, 20 + seed, 1.5)
        if change is not None:
            cut = len(x) * 3 // 4
            x[:cut], y[:cut] = change(x[:cut].copy(), y[:cut].copy(), np.random.default_rng(seed))
        payload = {"x": np.round(x, 3).tolist(), "y": y.tolist(), "settings": settings}
        with gzip.GzipFile(folder / "rows.json.gz", "wb", mtime=0) as f:
            f.write(json.dumps(payload).encode())
    return write


def ratings(mixed: bool = False, n: int = 6000, seed: int = 0, unit: float = 1.0, copies: bool = False) -> Write:
    """train.tsv and test.tsv of a rank-3 preference model; `mixed` permutes the stars of the training rows."""
    def write(folder: Path) -> None:
        rng = np.random.default_rng(seed)
        u, i = rng.integers(0, 80, n), rng.integers(0, 60, n)
        a, b = rng.standard_normal((80, 3)), rng.standard_normal((60, 3))
        stars = 3.2 + 0.5 * rng.standard_normal(80)[u] + 0.5 * rng.standard_normal(60)[i] + 0.45 * (a[u] * b[i]).sum(1)
        stars = np.round(np.clip(stars + 0.2 * rng.standard_normal(n), 1, 5) * 2) / 2
        cut = int(0.85 * n)
        train = rng.permutation(stars[:cut]) if mixed else stars[:cut]
        for name, part, s in (("train", slice(0, cut), train), ("test", slice(cut, n), stars[cut:])):
            lines = [f"{p}\t{q}\t{r * unit:g}" for p, q, r in zip(u[part], i[part], s)]
            (folder / f"{name}.tsv").write_text("user\titem\tstars\n" + "\n".join(lines) + "\n")
    return write


def scenes(empty: int = 0, n: int = 170, seed: int = 0, shift: bool = False, small: bool = False, val_scale: float = 1.0) -> Write:
    """scenes.npz: 16x16 noise with discs and their masks; `empty` scenes have none, `shift` pairs masks with other scenes."""
    def make(count: int, rng: Rng) -> tuple[np.ndarray, np.ndarray]:
        yy, xx = np.mgrid[:16, :16]
        images = 0.35 * rng.standard_normal((count, 16, 16))
        masks = np.zeros((count, 16, 16), np.uint8)
        for k in range(count):
            for _ in range(rng.integers(1, 3)):
                cy, cx, r = *rng.uniform(3, 13, 2), 1.0 if small else rng.uniform(2, 4)
                masks[k] |= ((yy - cy) ** 2 + (xx - cx) ** 2 < r * r).astype(np.uint8)
            images[k] += masks[k] * rng.uniform(0.7, 1.3)
        return images, masks

    def write(folder: Path) -> None:
        rng = np.random.default_rng(seed)
        (images, masks), (vi, vm) = make(n, rng), make(40, rng)
        for k in range(empty):
            images[k * 3], masks[k * 3] = 0.35 * rng.standard_normal((16, 16)), 0
        masks = np.roll(masks, 1, axis=0) if shift else masks
        np.savez_compressed(folder / "scenes.npz", images=images.astype(np.float16), masks=masks, val_images=(vi * val_scale).astype(np.float16), val_masks=vm)
    return write


def strings(long: int = 0, n: int = 1500, seed: int = 0) -> Write:
    """strings.txt with random digits, 3 to 6 long; every `long`-th is 40 long."""
    def write(folder: Path) -> None:
        rng = np.random.default_rng(seed)
        size = [40 if long and k % long == long - 1 else int(rng.integers(3, 7)) for k in range(n)]
        (folder / "strings.txt").write_text("\n".join("".join(map(str, rng.integers(0, 10, s))) for s in size) + "\n")
    return write


def pump(share: float = 0.5, flip: float = 0.0, sort: bool = False, scale: float = 1.0, nan: float = 0.0, roll: int = 0, seed: int = 0,
         n: int = 1200, valid_flip: bool = False, **cfg: object) -> Write:
    """train.npy, valid.npy (12 readings and the failure flag) and pump.cfg."""
    def make(count: int, rng: Rng, p: float) -> np.ndarray:
        y = (rng.random(count) < p).astype(float)
        x = rng.standard_normal((count, 12))
        x[:, 0] += 1.6 * y
        x[:, 1] *= 1 + 1.2 * y
        x[:, 2] += np.where(y > 0, np.sign(x[:, 3]), -np.sign(x[:, 3]))
        return np.column_stack([x, y])

    def write(folder: Path) -> None:
        rng = np.random.default_rng(seed)
        train, valid = make(n, rng, share), make(500, rng, 0.5 if share > 0.2 else share)
        wrong = rng.random(n) < flip
        train[wrong, -1] = rng.integers(0, 2, wrong.sum())
        train = train[train[:, -1].argsort(kind="stable")] if sort else train
        train[:, -1] = np.roll(train[:, -1], roll)
        valid[:, -1] = 1 - valid[:, -1] if valid_flip else valid[:, -1]
        for part in (train, valid):
            part[:, :-1] *= scale * np.logspace(-1, 2, 12) if scale != 1.0 else 1.0
        train[:, :-1][rng.random((n, 12)) < nan] = np.nan
        np.save(folder / "train.npy", train.astype(np.float16 if scale == 1.0 else np.float32))
        np.save(folder / "valid.npy", valid.astype(np.float16 if scale == 1.0 else np.float32))
        if cfg:
            (folder / "pump.cfg").write_text("[train]\n" + "".join(f"{k} = {v}\n" for k, v in cfg.items()))
    return write


def bearing(offset: float = 0.0, gain: float = 1.0, life_unit: float = 1.0, late: int = 0, nan: int = 0, test_gain: float = 1.0, seed: int = 0) -> Write:
    """bearing.npz: two vibration channels whose amplitude and pitch grow with wear, and the remaining life."""
    def make(length: int, rng: Rng) -> tuple[np.ndarray, np.ndarray]:
        wear = np.concatenate([np.linspace(0, 1, length // 4) for _ in range(4)])
        t = np.arange(len(wear))
        noise = rng.standard_normal((len(wear), 2))
        x = np.column_stack([(0.4 + wear) * np.sin(t * (0.5 + 0.6 * wear)), wear * np.cos(1.9 * t)]) + 0.25 * noise
        return x, 1 - wear

    def write(folder: Path) -> None:
        rng = np.random.default_rng(seed)
        (s, life), (ts, tl) = make(3200, rng), make(1200, rng)
        life = np.roll(life, late)
        s = s * gain + offset
        s[rng.integers(0, len(s), nan)] = np.nan
        np.savez_compressed(folder / "bearing.npz", signal=s.astype(np.float32), life=(life * life_unit).astype(np.float32),
                            test_signal=((ts * gain + offset) * test_gain).astype(np.float32), test_life=(tl * life_unit).astype(np.float32))
    return write
