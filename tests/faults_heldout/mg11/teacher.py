import copy

import torch


class MeanTeacher:
    def __init__(self, student, top=0.98):
        self.net = copy.deepcopy(student)
        self.net.requires_grad_(False)
        self.top, self.count = top, 0

    @torch.no_grad()
    def follow(self, student):
        self.count += 1
        keep = min(self.top, 1 - 1 / (self.count + 1))
        for t, s in zip(self.net.parameters(), student.parameters()):
            t.mul_(keep).add_(s, alpha=1 - keep)

    @torch.no_grad()
    def __call__(self, x):
        return torch.softmax(self.net(x), 1)
