import torch


class CharText:
    def __init__(self, path, val_share=0.1):
        text = open(path, encoding="utf-8").read()
        self.chars = sorted(set(text))
        lut = {c: i for i, c in enumerate(self.chars)}
        ids = torch.tensor([lut[c] for c in text])
        cut = int(len(ids) * (1 - val_share))
        self.train, self.val = ids[:cut], ids[cut:]

    def random_chunks(self, n, seq_len):
        start = torch.randint(0, len(self.train) - seq_len - 1, (n,))
        w = torch.stack([self.train[s : s + seq_len + 1] for s in start])
        return w[:, :-1], w[:, 1:]

    def val_chunks(self, seq_len, n):
        w = self.val[: (len(self.val) - 1) // seq_len * seq_len + 1]
        x, y = w[:-1].view(-1, seq_len), w[1:].view(-1, seq_len)
        return x[:n], y[:n]
