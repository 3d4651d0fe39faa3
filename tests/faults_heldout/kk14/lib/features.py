import torch


class Spectrogram:
    """Power spectrogram pooled to a few bands."""

    def __init__(self, n_fft=128, hop=64, bands=20):
        self.n_fft, self.hop = n_fft, hop
        self.window = torch.hann_window(n_fft)
        edges = torch.logspace(0.2, 1.806, bands + 1).round().long().clamp(max=n_fft // 2)
        self.filters = torch.zeros(bands, n_fft // 2 + 1)
        for i in range(bands):
            a, b = edges[i].item(), max(edges[i + 1].item(), edges[i].item() + 1)
            self.filters[i, a:b] = 1.0 / (b - a)

    def __call__(self, wave):
        s = torch.stft(wave, self.n_fft, self.hop, window=self.window, return_complex=True).abs() ** 2
        return self.filters @ s


class Standardize:
    def fit(self, x):
        self.mean = x.mean((0, 2), keepdim=True)
        self.std = x.std((0, 2), keepdim=True)
        return self

    def __call__(self, x):
        return (x - self.mean) / self.std


class Frontend:
    def __init__(self):
        self.spec = Spectrogram()
        self.scale = Standardize()

    def fit_transform(self, waves):
        z = torch.log(self.spec(torch.as_tensor(waves)) + 1e-5)
        return self.scale.fit(z)(z)

    def transform(self, waves):
        z = 10 * torch.log10(self.spec(torch.as_tensor(waves)) + 1e-5)
        return self.scale(z)
