import torch


class CharCorpus:
    def __init__(self, path, context, val_fraction=0.1):
        text = path.read_text()
        self.chars = sorted(set(text))
        lookup = {c: i for i, c in enumerate(self.chars)}
        ids = torch.tensor([lookup[c] for c in text])
        cut = int(len(ids) * (1 - val_fraction))
        self.train, self.val = ids[:cut], ids[cut:]
        self.context = context

    def sample(self, batch_size, generator):
        start = torch.randint(0, len(self.train) - self.context - 1, (batch_size,), generator=generator)
        window = start[:, None] + torch.arange(self.context + 1)
        chunk = self.train[window]
        return chunk[:, :-1], chunk[:, 1:]

    def validation(self):
        n = (len(self.val) - 1) // self.context
        x = self.val[: n * self.context].view(n, self.context)
        y = self.val[1: n * self.context + 1].view(n, self.context)
        return x, y

    def decode(self, ids):
        return "".join(self.chars[i] for i in ids)
