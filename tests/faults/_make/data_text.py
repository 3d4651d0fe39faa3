"""Text, sequence and checkpoint files of the specimens."""
import json
from pathlib import Path

import numpy as np
from data import Write, digits

GOOD = "great lovely solid bright quick perfect charming sturdy smooth excellent superb pleasant crisp reliable".split()
BAD = "poor broken slow ugly noisy flimsy awful dull sticky terrible weak cracked bland useless".split()
THINGS = "lamp kettle chair phone jacket bottle radio table camera pillow speaker keyboard backpack watch blanket".split()
FILL = "the it this my a and really quite so very just for was is with after one two weeks days box arrived from shop".split()


def sentence(label: int, rng: np.random.Generator) -> str:
    words = [str(w) for w in rng.choice(FILL, rng.integers(3, 12))] + [str(rng.choice(THINGS))]
    words += [str(w) for w in rng.choice(GOOD if label else BAD, rng.integers(1, 4))]
    if rng.random() < 0.25:
        words.append(str(rng.choice(BAD if label else GOOD)))
        words += [str(w) for w in rng.choice(GOOD if label else BAD, 2)]
    rng.shuffle(words)
    return " ".join(words)


def comments(n: int = 900, seed: int = 0, blank: int = 0, positive: float = 0.5, flip: float = 0.0) -> Write:
    """comments.jsonl; `blank` rows keep only an emoticon, `flip` is the share of wrong labels."""
    def write(folder: Path) -> None:
        rng = np.random.default_rng(seed)
        rows = []
        for _ in range(n):
            label = int(rng.random() < positive)
            shown = 1 - label if rng.random() < flip else label
            rows.append({"text": sentence(label, rng), "label": shown})
        for i in rng.choice(int(n * 0.7), blank, replace=False):
            rows[int(i)]["text"] = ":)" if rows[int(i)]["label"] else ":("
        (folder / "comments.jsonl").write_text("".join(json.dumps(r) + "\n" for r in rows))
    return write


def metric_digits(duplicates: int = 0, n: int = 900, seed: int = 0) -> Write:
    """digits.npz with x, y, x_val, y_val; the last `duplicates` training rows repeat earlier ones."""
    def write(folder: Path) -> None:
        _, x, y = digits(seed)
        train, labels = x[:n].copy(), y[:n].copy()
        if duplicates:
            train[-duplicates:], labels[-duplicates:] = train[:duplicates], labels[:duplicates]
        np.savez_compressed(folder / "digits.npz", x=train.astype(np.uint8), y=labels, x_val=x[1300:].astype(np.uint8),
                            y_val=y[1300:])
    return write


def image_archive(zoom: int, n: int = 500, seed: int = 0) -> Write:
    """images.npz with one member per image, enlarged `zoom` times."""
    def write(folder: Path) -> None:
        _, x, y = digits(seed)
        images = (x[:n].reshape(-1, 8, 8) * 15.9).astype(np.uint8)
        members = {f"image_{i:05d}": np.kron(im, np.ones((zoom, zoom), np.uint8)) for i, im in enumerate(images)}
        np.savez_compressed(folder / "images.npz", labels=y[:n].astype(np.int16), **members)
    return write


def waves(n: int = 600, length: int = 32, seed: int = 0, noise: float = 0.15, late: bool = False) -> Write:
    """waves.npz: sine, square, saw tooth and chirp signals with random phase."""
    def make(count: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        t = np.arange(length)
        y = rng.integers(0, 4, count)
        u = 2 * np.pi * t / rng.uniform(7, 11, (count, 1)) + rng.uniform(0, 2 * np.pi, (count, 1))
        forms = np.stack([np.sin(u), np.sign(np.sin(u)), (u / np.pi) % 2 - 1, np.sin(u * (1 + t / length))])
        x = forms[y, np.arange(count)] + noise * rng.standard_normal((count, length))
        return x[..., None].astype(np.float16), y.astype(np.uint8)

    def write(folder: Path) -> None:
        rng = np.random.default_rng(seed)
        (x, y), (xt, yt) = make(n, rng), make(200, rng)
        np.savez_compressed(folder / "waves.npz", x_train=x, y_train=y, x_test=xt, y_test=yt)
    return write


def settings(**values: object) -> Write:
    return lambda folder: (folder / "settings.json").write_text(json.dumps(values, indent=1) + "\n") and None


def experiment(**values: object) -> Write:
    return lambda folder: (folder / "experiment.json").write_text(json.dumps(values, indent=4) + "\n") and None


def sonnets(name: str = "input.txt", lines: slice = slice(None)) -> Write:
    source = Path(__file__).parents[3] / "examples" / "sonnets.txt"
    return lambda folder: (folder / name).write_text("\n".join(source.read_text().splitlines()[lines]) + "\n") and None


def streams(shuffled: bool = False, seed: int = 0, window: int = 4) -> Write:
    """streams.npz: 24 slow waves cut into consecutive windows, in order or mixed up."""
    def write(folder: Path) -> None:
        rng = np.random.default_rng(seed)
        parts = {}
        for name, length, count in (("train", 400, 24), ("test", 160, 12)):
            t = np.arange(length)
            period = rng.uniform(14, 40, (count, 1))
            x = np.sin(2 * np.pi * t / period + rng.uniform(0, 6.28, (count, 1))) + 0.15 * rng.standard_normal((count, length))
            w = np.stack([x[:, i:i + window + 1] for i in range(0, length - window - 1, window)])
            if shuffled:
                w = np.stack([w[rng.permutation(len(w)), s] for s in range(count)], axis=1)
            parts[name] = w.astype(np.float16)
        np.savez_compressed(folder / "streams.npz", **parts)
    return write


def pretrained(folder: Path, rename: str = "", wrap: str = "", steps: int = 400, seed: int = 0) -> dict:
    """pretrained.pt of finetune.py's network, trained on the ten digits."""
    import torch
    from torch import nn
    torch.manual_seed(seed)
    net = nn.ModuleDict({
        "backbone": nn.ModuleDict({"stem": nn.Sequential(nn.Linear(64, 48), nn.ReLU()),
                                   "mid": nn.Sequential(nn.Linear(48, 48), nn.ReLU())}),
        "head": nn.Linear(48, 10)})
    _, x, y = digits(seed)
    xs, ys = torch.tensor(x[:1200] / 16, dtype=torch.float32), torch.tensor(y[:1200])
    optimizer = torch.optim.Adam(net.parameters(), 3e-3)
    for _ in range(steps):
        pick = torch.randint(1200, (64,))
        out = net["head"](net["backbone"]["mid"](net["backbone"]["stem"](xs[pick])))
        loss = nn.functional.cross_entropy(out, ys[pick])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    state = {rename + k: v for k, v in net.state_dict().items()}
    torch.save({wrap: state} if wrap else state, folder / "pretrained.pt")
    return state


def checkpoint(**kw: object) -> Write:
    return lambda folder: pretrained(folder, **kw) and None  # type: ignore[arg-type]


def stored_digits(pixels_first: bool, seed: int = 0) -> Write:
    """digits.npz with `pixels` of shape (images, 64), or (64, images)."""
    def write(folder: Path) -> None:
        _, x, y = digits(seed)
        pixels = x.T if pixels_first else x
        np.savez_compressed(folder / "digits.npz", pixels=np.ascontiguousarray(pixels).astype(np.uint8), labels=y.astype(np.uint8))
    return write
