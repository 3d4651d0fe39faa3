import wave

import numpy as np


def read_wav(path):
    with wave.open(path, "rb") as f:
        raw = f.readframes(f.getnframes())
        return np.frombuffer(raw, dtype="<i2").astype(np.float32) / 32768.0, f.getframerate()


def mu_encode(x, levels):
    mu = levels - 1
    y = np.sign(x) * np.log1p(mu * np.abs(x)) / np.log1p(mu)
    return ((y + 1) / 2 * mu + 0.5).astype(np.int64)


def mu_decode(c, levels):
    mu = levels - 1
    y = 2 * np.asarray(c, dtype=np.float32) / mu - 1
    return np.sign(y) * np.expm1(np.abs(y) * np.log1p(mu)) / mu
