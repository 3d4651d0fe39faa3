import numpy as np
import torch


class LaneStream:
    """Several long recordings side by side, served as consecutive chunks."""

    def __init__(self, x, y, chunk):
        self.x = torch.from_numpy(x.astype(np.float32))
        self.y = torch.from_numpy(y.astype(np.float32))
        self.chunk = chunk

    def __iter__(self):
        for s in range(0, self.x.shape[1], self.chunk):
            yield self.x[:, s:s + self.chunk], self.y[:, s:s + self.chunk]

    def __len__(self):
        return -(-self.x.shape[1] // self.chunk)


def open_streams(path, chunk):
    with np.load(path) as z:
        return (LaneStream(z["train_x"], z["train_y"], chunk),
                LaneStream(z["test_x"], z["test_y"], chunk))
