"""A forklift on a small floor plan: '#' walls, 'O' oil (episode ends), 'G' the dock."""
from collections import deque

import numpy as np

PLAN = ["........",
        ".##..O..",
        ".#....#.",
        "...O..#.",
        ".#..##..",
        ".#......",
        "...O.#.G"]
MOVES = [(-1, 0), (0, 1), (1, 0), (0, -1)]


class Warehouse:
    rows, cols = len(PLAN), len(PLAN[0])
    step_cost, dock, spill, limit = -0.02, 1.0, -1.0, 40

    def __init__(self, seed):
        self.rng = np.random.default_rng(seed)
        self.free = [(r, c) for r in range(self.rows) for c in range(self.cols) if PLAN[r][c] == "."]

    def observe(self):
        o = np.zeros(self.rows + self.cols, np.float32)
        o[self.pos[0]] = o[self.rows + self.pos[1]] = 1.0
        return o

    def reset(self, start=None):
        self.pos = start or self.free[self.rng.integers(len(self.free))]
        self.t = 0
        return self.observe()

    def step(self, a):
        """-> observation, reward, terminated (dock or oil), truncated (time limit)"""
        self.t += 1
        r, c = self.pos[0] + MOVES[a][0], self.pos[1] + MOVES[a][1]
        if 0 <= r < self.rows and 0 <= c < self.cols and PLAN[r][c] != "#":
            self.pos = (r, c)
        cell = PLAN[self.pos[0]][self.pos[1]]
        reward = self.step_cost + (self.dock if cell == "G" else self.spill if cell == "O" else 0.0)
        return self.observe(), reward, cell in "GO", self.t >= self.limit

    def shortest(self):
        """Steps to the dock from every free cell, avoiding oil."""
        goal = next((r, row.index("G")) for r, row in enumerate(PLAN) if "G" in row)
        dist, queue = {goal: 0}, deque([goal])
        while queue:
            r, c = queue.popleft()
            for dr, dc in MOVES:
                n = (r + dr, c + dc)
                if 0 <= n[0] < self.rows and 0 <= n[1] < self.cols and n not in dist and PLAN[n[0]][n[1]] == ".":
                    dist[n] = dist[(r, c)] + 1
                    queue.append(n)
        return {k: v for k, v in dist.items() if PLAN[k[0]][k[1]] == "."}
