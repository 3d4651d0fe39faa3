import pathlib

import numpy as np
import torch
from torch.utils.data import Dataset


class Clips(Dataset):
    """Short clips as log spectrograms; speed perturbation by band-limited resampling."""

    def __init__(self, path, split, opts, train):
        with np.load(path) as z:
            self.wave = z[f"{split}_wave"].astype(np.float32) / 127.0
            self.label = z[f"{split}_label"].astype(np.int64)
        self.opts, self.train = opts, train
        self.window = np.hanning(opts["frame"]).astype(np.float32)
        self.rng = np.random.default_rng(opts["seed"])

    def __len__(self):
        return len(self.label)

    def perturb(self, w):
        over = self.opts["oversample"]
        n = len(w)
        fine = np.fft.irfft(np.fft.rfft(w), n * over) * over
        speed = self.rng.uniform(0.95, 1.05)
        at = np.clip((np.arange(n) * speed * over).astype(int), 0, n * over - 1)
        return fine[at].astype(np.float32)

    def spectrogram(self, w):
        f, h = self.opts["frame"], self.opts["hop"]
        frames = np.lib.stride_tricks.sliding_window_view(w, f)[::h] * self.window
        return np.log(np.abs(np.fft.rfft(frames, axis=1)).astype(np.float32) + 0.05)

    def __getitem__(self, i):
        w = self.wave[i]
        if self.train:
            w = self.perturb(w)
        return torch.from_numpy((self.spectrogram(w) + 1.0) / 1.5)[None], int(self.label[i])
