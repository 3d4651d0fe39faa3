import torch


class CharCorpus:
    def __init__(self, path, context, batch_size, seed):
        text = path.read_text()
        self.chars = sorted(set(text))
        stoi = {c: i for i, c in enumerate(self.chars)}
        ids = torch.tensor([stoi[c] for c in text])
        cut = int(0.9 * len(ids))
        self.train, self.val = ids[:cut], ids[cut:]
        self.context, self.batch_size = context, batch_size
        self.generator = torch.Generator().manual_seed(seed)

    def batch(self):
        starts = torch.randint(len(self.train) - self.context - 1, (self.batch_size,), generator=self.generator)
        rows = torch.stack([self.train[s : s + self.context + 1] for s in starts])
        return rows[:, :-1], rows[:, 1:]

    def val_batches(self, limit=8):
        step = self.context + 1
        rows = self.val[: len(self.val) // step * step].view(-1, step)
        for block in rows[: limit * self.batch_size].split(self.batch_size):
            yield block[:, :-1], block[:, 1:]
