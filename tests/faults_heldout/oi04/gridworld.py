import torch

MOVES = torch.tensor([[0, 1], [0, -1], [1, 0], [-1, 0]])


class CourierGrid:
    """Batch of n x n grids. Reach the depot; every move costs, pits end the episode."""

    def __init__(self, batch, size=6, horizon=24, generator=None):
        self.batch, self.size, self.horizon = batch, size, horizon
        self.gen = generator
        self.goal = torch.tensor([size - 1, size - 1])
        self.pits = torch.tensor([[1, 2], [3, 1], [4, 4]])

    @property
    def n_obs(self):
        return 2 * self.size

    def _obs(self):
        eye = torch.eye(self.size)
        return torch.cat([eye[self.pos[:, 0]], eye[self.pos[:, 1]]], 1)

    def reset(self):
        self.pos = torch.randint(0, self.size - 2, (self.batch, 2), generator=self.gen)
        on_pit = (self.pos[:, None] == self.pits).all(-1).any(1)
        self.pos[on_pit] = 0
        self.done = torch.zeros(self.batch, dtype=torch.bool)
        self.t = 0
        return self._obs()

    def step(self, action):
        live = ~self.done
        nxt = (self.pos + MOVES[action]).clamp(0, self.size - 1)
        self.pos = torch.where(live[:, None], nxt, self.pos)
        at_goal = (self.pos == self.goal).all(1)
        in_pit = (self.pos[:, None] == self.pits).all(-1).any(1)
        reward = (-0.05 + 1.0 * at_goal - 1.0 * in_pit) * live
        self.done = self.done | at_goal | in_pit
        self.t += 1
        return self._obs(), reward, live
