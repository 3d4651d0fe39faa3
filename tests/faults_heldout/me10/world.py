import torch

LAYOUT = """
#########
#S..#...#
#.#.#.#.#
#.#...#.#
#.###.#.#
#...#.#G#
#.#...#.#
#.....#.#
#########
""".split()
MOVES = [(-1, 0), (1, 0), (0, -1), (0, 1)]


class Maze:
    """Each step costs 0.05, the goal pays 1; one move in ten goes in a random direction."""

    def __init__(self, seed, slip=0.1, limit=80):
        self.gen = torch.Generator().manual_seed(seed)
        self.slip, self.limit = slip, limit
        self.free = [(r, c) for r, row in enumerate(LAYOUT) for c, ch in enumerate(row) if ch != "#"]
        self.index = {p: i for i, p in enumerate(self.free)}
        self.begin = next(p for p in self.free if LAYOUT[p[0]][p[1]] == "S")
        self.n = len(self.free)

    def reset(self, anywhere=False):
        self.t = 0
        self.pos = self.begin
        if anywhere:
            self.pos = self.free[torch.randint(self.n, (), generator=self.gen)]
            if LAYOUT[self.pos[0]][self.pos[1]] == "G":
                self.pos = self.begin
        return self.observe()

    def observe(self):
        return self.index[self.pos]

    def step(self, action):
        self.t += 1
        if torch.rand((), generator=self.gen) < self.slip:
            action = int(torch.randint(4, (), generator=self.gen))
        r, c = self.pos[0] + MOVES[action][0], self.pos[1] + MOVES[action][1]
        if LAYOUT[r][c] != "#":
            self.pos = (r, c)
        goal = LAYOUT[self.pos[0]][self.pos[1]] == "G"
        return self.observe(), (1.0 if goal else -0.05), goal, self.t >= self.limit
