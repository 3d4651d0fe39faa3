import numpy as np


class CourierGrid:
    """5x5 grid: fetch the parcel, bring it to the depot, avoid the ponds."""

    SIZE = 5
    PONDS = {(1, 1), (1, 3), (3, 2)}
    DEPOT = (4, 4)
    MOVES = ((-1, 0), (1, 0), (0, -1), (0, 1))

    def __init__(self, seed, limit=30):
        self.rng = np.random.default_rng(seed)
        self.limit = limit
        self.cells = [(r, c) for r in range(self.SIZE) for c in range(self.SIZE)
                      if (r, c) not in self.PONDS and (r, c) != self.DEPOT]

    def reset(self):
        a, b = self.rng.choice(len(self.cells), 2, replace=False)
        self.pos, self.parcel = self.cells[a], self.cells[b]
        self.loaded, self.t = False, 0
        return self._obs()

    def _obs(self):
        planes = np.zeros((2, self.SIZE, self.SIZE), np.float32)
        planes[0][self.pos] = 1
        goal = self.DEPOT if self.loaded else self.parcel
        planes[1][goal] = 1
        return np.append(planes.ravel(), np.float32(self.loaded))

    def step(self, a):
        self.t += 1
        dr, dc = self.MOVES[a]
        r = min(max(self.pos[0] + dr, 0), self.SIZE - 1)
        c = min(max(self.pos[1] + dc, 0), self.SIZE - 1)
        self.pos = (r, c)
        reward, terminal, delivered = -0.02, False, False
        if self.pos in self.PONDS:
            reward, terminal = -1.0, True
        elif not self.loaded and self.pos == self.parcel:
            reward, self.loaded = 0.5, True
        elif self.loaded and self.pos == self.DEPOT:
            reward, terminal, delivered = 1.0, True, True
        return self._obs(), reward, terminal, self.t >= self.limit and not terminal, delivered
