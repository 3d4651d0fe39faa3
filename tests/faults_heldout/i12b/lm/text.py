import torch


class Corpus:
    """Character ids of one text; every `val_stride`-th block of it is held out."""

    def __init__(self, text, context, block, val_stride):
        self.alphabet = sorted(set(text))
        stoi = {c: i for i, c in enumerate(self.alphabet)}
        self.ids = torch.tensor([stoi[c] for c in text])
        self.context = context
        train, val = [], []
        for n, start in enumerate(range(0, len(self.ids) - block + 1, block)):
            target = val if n % val_stride == val_stride - 1 else train
            # a window never leaves its block
            target.append(torch.arange(start, start + block - context))
        self.train_pos, self.val_pos = torch.cat(train), torch.cat(val)

    def windows(self, pos):
        w = self.ids[pos.unsqueeze(1) + torch.arange(self.context + 1)]
        return w[:, :-1], w[:, -1]

    def batch(self, n, gen):
        pick = torch.randint(len(self.train_pos), (n,), generator=gen)
        return self.windows(self.train_pos[pick])

    def validation(self):
        return self.windows(self.val_pos)
