"""Sleep recordings: one row of band-power features per 30 s epoch, staged by a scorer."""
import numpy as np
import torch
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import Dataset

STAGES = ["W", "N1", "N2", "N3", "R"]
MOVE = np.array([[.86, .13, .01, .00, .00],
                 [.06, .62, .30, .00, .02],
                 [.02, .03, .84, .08, .03],
                 [.01, .00, .10, .89, .00],
                 [.03, .04, .02, .00, .91]])
#                 delta theta alpha sigma beta  emg  eog
CENTRE = np.array([[-.6, -.4, 1.0, -.4, .8, .9, .7],
                   [-.3, .5, .2, -.3, .2, .3, .4],
                   [.3, .1, -.4, .9, -.2, -.1, -.5],
                   [1.3, -.2, -.7, .2, -.7, -.4, -.6],
                   [-.4, .7, -.2, -.5, .1, -1.0, .8]])


class Nights(Dataset):
    def __init__(self, n, seed):
        rng = np.random.default_rng(seed)
        self.rows = []
        for _ in range(n):
            length = int(rng.integers(45, 80))
            s, stages = 0, []
            for _ in range(length):
                stages.append(s)
                s = rng.choice(5, p=MOVE[s])
            stages = np.array(stages)
            person = rng.normal(0, 0.2, 7)
            x = CENTRE[stages] + person + rng.normal(0, 1.15, (length, 7))
            self.rows.append((torch.tensor(x, dtype=torch.float32), torch.tensor(stages)))

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, i):
        return self.rows[i]


def collate(batch):
    xs, ys = zip(*batch)
    return pad_sequence(xs, batch_first=True), pad_sequence(ys, batch_first=True), torch.tensor([len(y) for y in ys])
