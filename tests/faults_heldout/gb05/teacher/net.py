import copy

import torch
from torch import nn


class Encoder(nn.Module):
    def __init__(self, ch=12, classes=4):
        super().__init__()
        self.conv = nn.Sequential(
            nn.Conv1d(1, ch, 7, padding=3), nn.BatchNorm1d(ch), nn.GELU(), nn.AvgPool1d(4),
            nn.Conv1d(ch, 2 * ch, 5, padding=2), nn.BatchNorm1d(2 * ch), nn.GELU(), nn.AvgPool1d(4),
        )
        self.out = nn.Linear(2 * ch, classes)

    def forward(self, x):
        return self.out(self.conv(x).amax(-1))


class MeanTeacher(nn.Module):
    def __init__(self, student, decay=0.97):
        super().__init__()
        self.student = student
        self.teacher = copy.deepcopy(student)
        self.decay = decay

    @torch.no_grad()
    def sync(self):
        for t, s in zip(self.teacher.parameters(), self.student.parameters()):
            t.mul_(self.decay).add_(s, alpha=1 - self.decay)
        for t, s in zip(self.teacher.buffers(), self.student.buffers()):
            t.copy_(s)

    def agreement(self, a, b):
        return ((self.teacher(a).softmax(-1) - self.teacher(b).softmax(-1)) ** 2).sum(-1).mean()
