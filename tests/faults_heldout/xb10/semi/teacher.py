import copy

import torch


class MeanTeacher:
    def __init__(self, student, decay):
        self.model = copy.deepcopy(student).requires_grad_(False)
        self.decay = decay
        self.steps = 0

    @torch.no_grad()
    def update(self, student):
        self.steps += 1
        d = min(self.decay, 1 - 1 / (self.steps + 1))
        for t, s in zip(self.model.parameters(), student.parameters()):
            t.lerp_(s, 1 - d)
