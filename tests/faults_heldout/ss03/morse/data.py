import numpy as np
import torch


class Calls(torch.utils.data.Dataset):
    """Variable-length recordings; frames are stored as one long uint8 array."""

    def __init__(self, path, part):
        z = np.load(path)
        frames = z[f"{part}_frames"].astype("float32") / 120.0 - 0.5
        self.frames = np.split(frames, np.cumsum(z[f"{part}_nframes"])[:-1])
        self.symbols = np.split(z[f"{part}_symbols"].astype("int64"), np.cumsum(z[f"{part}_nsym"])[:-1])

    def __len__(self):
        return len(self.frames)

    def __getitem__(self, i):
        return torch.from_numpy(self.frames[i]), torch.from_numpy(self.symbols[i])


def collate(items):
    items.sort(key=lambda it: -len(it[0]))
    xs, ys = zip(*items)
    xlen = torch.tensor([len(x) for x in xs])
    ylen = torch.tensor([len(y) for y in ys])
    return torch.nn.utils.rnn.pad_sequence(xs, batch_first=True), xlen, torch.cat(ys), ylen
