import numpy as np
from torch.utils.data import Sampler


class SpeakerBatches(Sampler):
    """Batches of `speakers` speakers with `takes` recordings each."""

    def __init__(self, labels, speakers, takes, batches, seed):
        self.by_speaker = {s: np.flatnonzero(labels == s) for s in np.unique(labels)}
        self.speakers, self.takes, self.batches = speakers, takes, batches
        self.rng = np.random.default_rng(seed)

    def __len__(self):
        return self.batches

    def __iter__(self):
        names = np.array(list(self.by_speaker))
        for _ in range(self.batches):
            chosen = self.rng.choice(names, self.speakers, replace=False)
            yield [int(i) for s in chosen for i in self.rng.choice(self.by_speaker[s], self.takes, replace=False)]
