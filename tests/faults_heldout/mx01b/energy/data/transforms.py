import numpy as np


class Identity:
    def fit(self, y):
        return self

    def forward(self, y):
        return y

    def inverse(self, z):
        return z


class Standard:
    def fit(self, y):
        self.mean, self.std = float(np.mean(y)), float(np.std(y))
        return self

    def forward(self, y):
        return (y - self.mean) / self.std

    def inverse(self, z):
        return z * self.std + self.mean


class LogStandard(Standard):
    def fit(self, y):
        return super().fit(np.log(y))

    def forward(self, y):
        return super().forward(np.log(y))

    def inverse(self, z):
        return super().inverse(z).exp()


TARGET_TRANSFORMS = {
    "none": Identity,
    "standard": Standard,
    "log": LogStandard,
}
