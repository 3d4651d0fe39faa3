import numpy as np

MOVES = np.array([[-1, 0], [1, 0], [0, -1], [0, 1]])


class VecGrid:
    """Many copies of a size x size room: walk to the target. Every step costs 0.02, arriving pays 1."""

    def __init__(self, n, size=5, limit=30, seed=0):
        self.n, self.size, self.limit = n, size, limit
        self.rng = np.random.default_rng(seed)
        self.agent = np.zeros((n, 2), int)
        self.goal = np.zeros((n, 2), int)
        self.clock = np.zeros(n, int)
        self._reset(np.ones(n, bool))

    def _reset(self, which):
        k = int(which.sum())
        cells = np.array([self.rng.choice(self.size ** 2, 2, replace=False) for _ in range(k)]).reshape(k, 2)
        self.agent[which] = np.stack(np.divmod(cells[:, 0], self.size), 1)
        self.goal[which] = np.stack(np.divmod(cells[:, 1], self.size), 1)
        self.clock[which] = 0

    def observe(self):
        obs = np.zeros((self.n, 4 * self.size), np.float32)
        rows = np.arange(self.n)
        for j, v in enumerate((self.agent[:, 0], self.agent[:, 1], self.goal[:, 0], self.goal[:, 1])):
            obs[rows, j * self.size + v] = 1
        return obs

    def step(self, action):
        self.agent = np.clip(self.agent + MOVES[action], 0, self.size - 1)
        self.clock += 1
        arrived = (self.agent == self.goal).all(1)
        timeout = (self.clock >= self.limit) & ~arrived
        reward = np.where(arrived, 1.0, -0.02).astype(np.float32)
        final = self.observe()
        done = arrived | timeout
        if done.any():
            self._reset(done)
        return self.observe(), reward, arrived, timeout, final
