import torch


class Corpus:
    """A text file as character windows. Whole paragraphs go to the held-out part."""

    def __init__(self, path, context, held_out, generator):
        with open(path, encoding="utf-8") as f:
            paragraphs = f.read().split("\n\n")
        chars = sorted(set("".join(paragraphs)) | {"\n"})
        self.vocabulary = chars
        self.index = {c: i for i, c in enumerate(chars)}
        self.context = context
        order = torch.randperm(len(paragraphs), generator=generator).tolist()
        k = int(held_out * len(paragraphs))
        self.held = self._encode(paragraphs[i] for i in sorted(order[:k]))
        self.train = self._encode(paragraphs[i] for i in sorted(order[k:]))

    def _encode(self, paragraphs):
        text = "\n\n".join(paragraphs)
        return torch.tensor([self.index[c] for c in text], dtype=torch.long)

    def batch(self, part, starts):
        window = part[starts[:, None] + torch.arange(self.context + 1)]
        return window[:, :-1], window[:, -1]

    def sample(self, size):
        return self.batch(self.train, torch.randint(len(self.train) - self.context, (size,)))

    def sweep(self, size, stride):
        for starts in torch.arange(0, len(self.held) - self.context, stride).split(size):
            yield self.batch(self.held, starts)
