import copy

import torch
from torch import nn

from .models import Encoder


def load_teacher(path):
    teacher = Encoder(depth=4)
    teacher.load_state_dict(torch.load(path, weights_only=True))
    teacher.eval()
    return teacher.requires_grad_(False)


def student_from(teacher, keep):
    """Student takes the listed teacher blocks as its start, with new embeddings and head."""
    student = Encoder(depth=len(keep))
    student.blocks = nn.ModuleList(copy.deepcopy(teacher.blocks[k]) for k in keep)
    return student.train()
