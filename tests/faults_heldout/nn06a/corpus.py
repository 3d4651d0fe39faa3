from pathlib import Path

import torch


class Corpus:
    def __init__(self, path, context):
        text = Path(path).read_text(encoding="utf-8")
        self.chars = sorted(set(text))
        lookup = {c: i for i, c in enumerate(self.chars)}
        ids = torch.tensor([lookup[c] for c in text])
        cut = int(0.9 * len(ids))
        self.parts = {"train": ids[:cut], "val": ids[cut:]}
        self.context = context

    def batch(self, part, n, gen):
        src = self.parts[part]
        start = torch.randint(0, len(src) - self.context - 1, (n,), generator=gen)
        win = torch.stack([src[s:s + self.context + 1] for s in start.tolist()])
        return win[:, :-1], win[:, 1:]
