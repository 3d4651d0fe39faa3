import numpy as np
import torch
from torch.utils.data import Dataset


class ClipFolder(Dataset):
    """Clips of one archive as log-magnitude spectra."""

    def __init__(self, archive, frame=64):
        self.archive = archive
        self.frame = frame
        with np.load(archive) as z:
            self.labels = z["labels"].astype(np.int64)

    def __len__(self):
        return len(self.labels)

    def _spectrum(self, wave):
        frames = wave.reshape(-1, self.frame) * np.hanning(self.frame).astype(np.float32)
        mag = np.abs(np.fft.rfft(frames, axis=1))
        return np.log1p(mag).astype(np.float32)

    def __getitem__(self, i):
        with np.load(self.archive) as z:
            wave = z["waves"][i].astype(np.float32) / 127.0
        return torch.from_numpy(self._spectrum(wave)), self.labels[i]
