from pathlib import Path

import numpy as np
import torch
from torch.utils.data import Dataset


class MelClips(Dataset):
    """Log-mel clips as exported by the feature job: float16 array [N, mel, frame] and integer tags."""

    def __init__(self, file: Path):
        with np.load(file) as z:
            self.mel = torch.from_numpy(z["logmel"].astype(np.float32)).unsqueeze(1)
            self.tag = torch.from_numpy(z["tag"].astype(np.int64))

    def __len__(self):
        return len(self.tag)

    def __getitem__(self, i):
        return self.mel[i], self.tag[i]


def input_stats(clips: MelClips):
    return clips.mel.mean().item(), clips.mel.std().item()
