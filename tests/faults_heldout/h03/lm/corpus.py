import torch


class Corpus:
    def __init__(self, path, val_fraction=0.1):
        with open(path) as f:
            text = f.read()
        cut = int(len(text) * (1 - val_fraction))
        self.chars = ["\x00"] + sorted(set(text[:cut]))
        self.index = {c: i for i, c in enumerate(self.chars)}
        self.train = self.encode(text[:cut])
        self.val = self.encode(text[cut:])

    def encode(self, s):
        return torch.tensor([self.index.get(c, 0) for c in s], dtype=torch.long)


def batchify(ids, streams):
    """Cuts one long sequence into parallel streams: (time, streams)."""
    n = (len(ids) - 1) // streams
    x = ids[:n * streams].view(streams, n).t().contiguous()
    y = ids[1:n * streams + 1].view(streams, n).t().contiguous()
    return x, y


def windows(x, y, bptt):
    for i in range(0, x.size(0), bptt):
        yield x[i:i + bptt], y[i:i + bptt]
