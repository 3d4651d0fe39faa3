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


def lm_settings(**values: object) -> Write:
    return settings(**{"seed": 1, "n_embd": 48, "n_head": 4, "n_layer": 2, "block_size": 32, "post_norm": False, "batch_size": 12,
                       "lr": 3e-3, "warmup": 20, "beta2": 0.99, "max_iters": 300, "eval_interval": 50, **values})


def sensors(target_scale: float = 1.0, x_scale: float = 1.0, outliers: float = 0.0, columns: int = 1, seed: int = 0,
            target_shape: tuple[int, ...] | None = None, noise: float = 0.1) -> Write:
    """sensors.npz: 10 readings and a smooth function of them as the target(s)."""
    def write(folder: Path) -> None:
        rng = np.random.default_rng(seed)
        x = rng.standard_normal((1000, 10))
        w1, w2 = rng.standard_normal((10, 6)) / 3, rng.standard_normal((6, columns))
        y = (np.tanh(x @ w1) @ w2) + noise * rng.standard_normal((1000, columns))
        if outliers:
            rows = rng.choice(800, int(800 * outliers), replace=False)
            x[rows] *= 30
        x, y = x * x_scale, y * target_scale
        y = y.reshape(target_shape) if target_shape else y
        kind = np.float16 if max(abs(x).max(), abs(y).max()) < 6e4 and abs(y).max() > 1e-2 else np.float32
        np.savez_compressed(folder / "sensors.npz", x=x[:800].astype(kind), y=y[:800].astype(kind), x_val=x[800:].astype(kind),
                            y_val=y[800:].astype(kind))
    return write


def ini(**values: object) -> Write:
    body = "".join(f"{k} = {v}\n" for k, v in values.items())
    return lambda folder: (folder / "train.ini").write_text("[run]\n" + body) and None


def vae_json(**values: object) -> Write:
    cfg = {"seed": 0, "latent": 8, "lr": 2e-3, "epochs": 20, "batch_size": 50, "kl_weight": 1.0, **values}
    return lambda folder: (folder / "vae.json").write_text(json.dumps(cfg) + "\n") and None


def tasks(mass_unit: float = 1.0, **values: object) -> Write:
    """tasks.npz with the digits, their labels and the ink mass in some unit; tasks.json with settings."""
    def write(folder: Path) -> None:
        _, x, y = digits(3)
        mass = x.sum(1) / 300 * mass_unit
        np.savez_compressed(folder / "tasks.npz", **{
            "x": (x[:1300] / 16).astype(np.float32), "y": y[:1300], "m": mass[:1300].astype(np.float32),
            "x_val": (x[1300:] / 16).astype(np.float32), "y_val": y[1300:], "m_val": mass[1300:].astype(np.float32)})
        (folder / "tasks.json").write_text(json.dumps(values) + "\n")
    return write


def patterns(long_rows: int = 0, n: int = 700, seed: int = 0, pad_all: int = 0) -> Write:
    """train.jsonl and test.jsonl; the label is decided by the last tokens. Token 0 is the padding."""
    def row(rng: np.random.Generator, length: int) -> dict:
        tokens = rng.integers(1, 12, length)
        label = int(tokens[-1] % 2 * 2 + (tokens[-2] > 6))
        return {"tokens": tokens.tolist(), "label": label}

    def write(folder: Path) -> None:
        rng = np.random.default_rng(seed)
        for name, count in (("train", n), ("test", 200)):
            rows = [row(rng, int(rng.integers(9, 11)) if pad_all else 10) for _ in range(count)]
            every = count // max(1, int(long_rows * count / n)) if long_rows else 0
            for i in range(0, count, every) if every else ():
                rows[i] = row(rng, int(rng.integers(55, 70)))
            (folder / f"{name}.jsonl").write_text("".join(json.dumps(r) + "\n" for r in rows))
    return write


def transactions(share: float, n: int = 3000, seed: int = 0, gap: float = 1.1) -> Write:
    """transactions.npz with `share` frauds, whose readings lie `gap` standard deviations away in 6 of 10 columns."""
    def write(folder: Path) -> None:
        rng = np.random.default_rng(seed)
        parts = {}
        for name, count in (("train", n), ("val", 1500)):
            y = (rng.random(count) < share).astype(np.uint8)
            x = rng.standard_normal((count, 10))
            x[:, :6] += gap / np.sqrt(1) * 0.75 * y[:, None]
            parts[f"x_{name}"], parts[f"y_{name}"] = x.astype(np.float16), y
        np.savez_compressed(folder / "transactions.npz", **parts)
    return write


def regression(low: float | None = None, high: float | None = None, scale: float = 1.0, offset: float = 0.0, n: int = 900,
               seed: int = 0, noise: float = 0.05) -> Write:
    """table.csv with 6 columns and a smooth target, rescaled into [low, high] or by scale and offset."""
    def write(folder: Path) -> None:
        rng = np.random.default_rng(seed)
        x = rng.uniform(-1, 1, (n, 6))
        y = np.sin(2 * x[:, 0]) + x[:, 1] * x[:, 2] + 0.5 * x[:, 3] ** 2 - x[:, 4] + noise * rng.standard_normal(n)
        y = (y - y.mean()) / y.std()
        y = low + (y - y.min()) / (y.max() - y.min()) * (high - low) if low is not None else y * scale + offset
        rows = "".join(",".join(f"{v:.3f}" for v in r) + f",{t:.6g}\n" for r, t in zip(x, y))
        (folder / "table.csv").write_text("temp,flow,press,level,speed,load,output\n" + rows)
    return write


def tagged(long_rows: int = 0, n: int = 400, seed: int = 0) -> Write:
    """lines.json: words and tags of short lines; `long_rows` percent of them are very long."""
    kinds = {"NUM": [str(i) for i in range(40)], "VERB": "start stop open close send read write fail wait retry".split(),
             "NOUN": "file socket disk user job cache queue worker token page".split(), "O": "the a to at of on in by".split()}

    def line(rng: np.random.Generator, length: int) -> dict:
        tags = [str(t) for t in rng.choice(list(kinds), length, p=[0.2, 0.2, 0.25, 0.35])]
        words = []
        for i, t in enumerate(tags):
            if i and tags[i - 1] == "O" and t == "VERB":
                tags[i] = t = "NOUN"
                words.append(str(rng.choice(kinds["VERB"])))
            else:
                words.append(str(rng.choice(kinds[t])))
        return {"words": words, "tags": tags}

    def write(folder: Path) -> None:
        rng = np.random.default_rng(seed)
        lengths = [int(rng.integers(90, 110)) if rng.random() < long_rows / 100 else 8 for _ in range(n)]
        (folder / "lines.json").write_text(json.dumps([line(rng, k) for k in lengths]))
    return write
