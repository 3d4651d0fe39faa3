import torch

MOVES = torch.tensor([[0, 1], [0, -1], [1, 0], [-1, 0]])


class Warehouse:
    """Many robots at once: walk to a bay on a floor with shelves, one pay-off on arrival."""

    def __init__(self, n, gen, size=5, limit=50):
        self.n, self.gen, self.size, self.limit = n, gen, size, limit
        self.wall = torch.zeros(size, size, dtype=torch.bool)
        self.wall[1:4, 1] = True
        self.wall[1:3, 3] = True
        self.free = (~self.wall).nonzero()
        self.robot = self._cells(n)
        self.bay = self._cells(n)
        self.age = torch.zeros(n, dtype=torch.long)

    def _cells(self, k):
        return self.free[torch.randint(len(self.free), (k,), generator=self.gen)]

    def observe(self):
        flat = lambda c: torch.nn.functional.one_hot(c[:, 0] * self.size + c[:, 1], self.size ** 2)
        return torch.cat([flat(self.robot), flat(self.bay)], 1).float()

    def step(self, action):
        nxt = (self.robot + MOVES[action]).clamp(0, self.size - 1)
        blocked = self.wall[nxt[:, 0], nxt[:, 1]].unsqueeze(1)
        self.robot = torch.where(blocked, self.robot, nxt)
        self.age += 1
        arrived = (self.robot == self.bay).all(1)
        reward = arrived.float() - 0.02
        over = arrived | (self.age >= self.limit)
        k = int(over.sum())
        if k:
            self.robot[over] = self._cells(k)
            self.bay[over] = self._cells(k)
            self.age[over] = 0
        return reward, over, arrived
