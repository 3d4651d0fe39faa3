import torch


class ContiguousStream:
    """Cuts (T, C) series into windows; row c of every window continues row c of the one before it."""

    def __init__(self, u, y, window):
        self.u, self.y, self.w = torch.from_numpy(u), torch.from_numpy(y), window

    def __len__(self):
        return self.u.shape[0] // self.w

    def __iter__(self):
        for k in range(len(self)):
            s = slice(k * self.w, (k + 1) * self.w)
            yield self.u[s].T.unsqueeze(-1), self.y[s].T.unsqueeze(-1)
