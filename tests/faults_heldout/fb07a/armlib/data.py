from dataclasses import dataclass

import numpy as np
import torch


@dataclass
class Fold:
    q: torch.Tensor
    pose: torch.Tensor

    def batches(self, size, rng):
        order = torch.from_numpy(rng.permutation(len(self.q)))
        for chunk in order.split(size):
            yield self.q[chunk], self.pose[chunk]


def load_log(path, val_fraction, rng):
    """Joint angles (rad) -> end-effector pose (x, y, z in metres, pitch in rad); both standardised on the training fold."""
    log = np.load(path)
    q, pose = log["joints"].astype(np.float32), log["pose"].astype(np.float32)
    order = rng.permutation(len(q))
    n_val = int(len(q) * val_fraction)
    val, tr = order[:n_val], order[n_val:]
    qm, qs = q[tr].mean(0), q[tr].std(0)
    pm, ps = pose[tr].mean(0), pose[tr].std(0)
    fold = lambda i: Fold(torch.from_numpy((q[i] - qm) / qs), torch.from_numpy((pose[i] - pm) / ps))
    return fold(tr), fold(val), torch.from_numpy(ps)
