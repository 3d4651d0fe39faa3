import torch


class Corpus:
    def __init__(self, path, context, seed):
        text = open(path).read()
        self.chars = sorted(set(text))
        lookup = {c: i for i, c in enumerate(self.chars)}
        ids = torch.tensor([lookup[c] for c in text])
        cut = int(0.9 * len(ids))
        self.parts = {"train": ids[:cut], "val": ids[cut:]}
        self.context = context
        self.seed = seed

    def windows(self, part, starts):
        ids = self.parts[part]
        w = torch.stack([ids[s:s + self.context + 1] for s in starts.tolist()])
        return w[:, :-1], w[:, 1:]

    def get_batch(self, part, size):
        """Random windows; own generator so that runs can be repeated exactly."""
        gen = torch.Generator().manual_seed(self.seed)
        starts = torch.randint(len(self.parts[part]) - self.context - 1, (size,), generator=gen)
        return self.windows(part, starts)
