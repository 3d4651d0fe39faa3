"""The usual swing-up pendulum, without gym."""
import numpy as np

MAX_TORQUE, MAX_SPEED, DT, G, M, L = 2.0, 8.0, 0.05, 10.0, 1.0, 1.0


class Pendulum:
    def __init__(self, seed):
        self.rng = np.random.default_rng(seed)

    def reset(self):
        self.th = self.rng.uniform(-np.pi, np.pi)
        self.om = self.rng.uniform(-1, 1)
        return self.obs()

    def obs(self):
        return np.array([np.cos(self.th), np.sin(self.th), self.om], dtype=np.float32)

    def step(self, torque):
        u = float(np.clip(torque, -MAX_TORQUE, MAX_TORQUE))
        a = (self.th + np.pi) % (2 * np.pi) - np.pi
        cost = a ** 2 + 0.1 * self.om ** 2 + 0.001 * u ** 2
        self.om = np.clip(self.om + (3 * G / (2 * L) * np.sin(self.th) + 3 / (M * L ** 2) * u) * DT,
                          -MAX_SPEED, MAX_SPEED)
        self.th += self.om * DT
        return self.obs(), -cost
