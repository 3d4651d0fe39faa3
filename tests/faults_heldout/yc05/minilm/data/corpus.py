import torch


class CharCorpus:
    def __init__(self, text, val_fraction):
        self.chars = sorted(set(text))
        self.stoi = {c: i for i, c in enumerate(self.chars)}
        ids = torch.tensor([self.stoi[c] for c in text])
        cut = int(len(ids) * (1 - val_fraction))
        self.train, self.val = ids[:cut], ids[cut:]

    @classmethod
    def from_file(cls, path, val_fraction):
        return cls(path.read_text(encoding="utf8"), val_fraction)

    def encode(self, s):
        return torch.tensor([self.stoi[c] for c in s])

    def decode(self, ids):
        return "".join(self.chars[i] for i in ids)

    def random_batch(self, batch, block, generator):
        at = torch.randint(0, len(self.train) - block - 1, (batch,), generator=generator)
        rows = self.train[at[:, None] + torch.arange(block + 1)]
        return rows[:, :-1], rows[:, 1:]

    def val_batches(self, batch, block):
        n = (len(self.val) - 1) // block
        x = self.val[: n * block].view(n, block)
        y = self.val[1 : n * block + 1].view(n, block)
        for i in range(0, n, batch):
            yield x[i:i + batch], y[i:i + batch]
