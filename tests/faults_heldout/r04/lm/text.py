import torch


class CharCorpus:
    def __init__(self, path, val_frac=0.1):
        text = open(path).read()
        self.chars = sorted(set(text))
        self.stoi = {c: i for i, c in enumerate(self.chars)}
        data = torch.tensor([self.stoi[c] for c in text])
        n = int(len(data) * (1 - val_frac))
        self.parts = {"train": data[:n], "val": data[n:]}

    def batch(self, split, batch, block, gen):
        d = self.parts[split]
        ix = torch.randint(len(d) - block - 1, (batch,), generator=gen)
        x = torch.stack([d[i:i + block] for i in ix])
        y = torch.stack([d[i + 1:i + block + 1] for i in ix])
        return x, y
