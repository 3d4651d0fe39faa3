"""Pooled filterbank statistics per utterance, with the speaker id."""
import numpy as np
import torch


class Utterances:
    def __init__(self, path):
        with np.load(path) as z:
            self.train = self._pair(z, "train")
            self.enroll = self._pair(z, "enroll")
            self.test = self._pair(z, "test")
        self.n_features = self.train[0].shape[1]
        self.n_speakers = int(self.train[1].max()) + 1

    @staticmethod
    def _pair(z, split):
        return (torch.from_numpy(z[f"{split}_x"].astype(np.float32)),
                torch.from_numpy(z[f"{split}_y"].astype(np.int64)))

    def micro_batches(self, size, generator):
        x, y = self.train
        order = torch.randperm(len(y), generator=generator)
        order = order[: len(order) - len(order) % size]
        for pick in order.split(size):
            yield x[pick], y[pick]
