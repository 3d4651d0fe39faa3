import numpy as np


def spectrogram(wave, win=64, hop=32, preemph=0.0, floor=1e-4):
    """Log power spectrogram, (clips, bins, frames)."""
    wave = wave.astype(np.float32) / 128.0
    if preemph:
        wave = np.concatenate([wave[:, :1], wave[:, 1:] - preemph * wave[:, :-1]], axis=1)
    starts = range(0, wave.shape[1] - win + 1, hop)
    frames = np.stack([wave[:, s:s + win] for s in starts], axis=1) * np.hanning(win)
    power = np.abs(np.fft.rfft(frames, axis=-1)) ** 2
    return np.log(power + floor).transpose(0, 2, 1).astype(np.float32)


class Scaler:
    def fit(self, x):
        self.mean = x.mean((0, 2), keepdims=True)
        self.std = x.std((0, 2), keepdims=True)
        return self

    def __call__(self, x):
        return (x - self.mean) / self.std
