import numpy as np

WALLS = [".....",
         ".#...",
         "...#.",
         ".#...",
         "....."]
MOVES = [(-1, 0), (1, 0), (0, -1), (0, 1)]


class Depot:
    """Fetch the parcel, bring it to the door. Floor is slippery, tips vary."""
    limit = 40

    def __init__(self, rng):
        self.rng = rng
        self.free = [(r, c) for r in range(5) for c in range(5) if WALLS[r][c] == "."]
        self.wall = np.array([[ch == "#" for ch in row] for row in WALLS], dtype=np.float32)

    def _cell(self, *avoid):
        while True:
            c = self.free[self.rng.integers(len(self.free))]
            if c not in avoid:
                return c

    def reset(self):
        self.door = (0, 0) if self.rng.random() < 0.5 else (4, 4)
        self.me = self._cell(self.door)
        self.parcel = self._cell(self.door, self.me)
        self.loaded, self.t = False, 0
        return self.obs()

    def obs(self):
        o = np.zeros((4, 5, 5), np.float32)
        o[0][self.me] = 1
        if not self.loaded:
            o[1][self.parcel] = 1
        o[2][self.door] = 1
        o[3] = self.loaded
        return o.ravel()

    def step(self, a):
        self.t += 1
        if self.rng.random() < 0.1:
            a = int(self.rng.integers(4))
        r, c = self.me[0] + MOVES[a][0], self.me[1] + MOVES[a][1]
        reward = -0.02
        if 0 <= r < 5 and 0 <= c < 5 and not self.wall[r, c]:
            self.me = (r, c)
        if not self.loaded and self.me == self.parcel:
            self.loaded = True
            reward += 0.5
        done = self.loaded and self.me == self.door
        if done:
            reward += 1.0 + self.rng.normal(0, 0.3)
        return self.obs(), float(reward), done, self.t >= self.limit
