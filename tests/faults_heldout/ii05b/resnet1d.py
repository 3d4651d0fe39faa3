import torch.nn as nn
import torch.nn.functional as F


class Block(nn.Module):
    def __init__(self, c_in, c_out, stride):
        super().__init__()
        self.conv1 = nn.Conv1d(c_in, c_out, 5, stride=stride, padding=2, bias=False)
        self.bn1 = nn.BatchNorm1d(c_out)
        self.conv2 = nn.Conv1d(c_out, c_out, 5, padding=2, bias=False)
        self.bn2 = nn.BatchNorm1d(c_out)
        self.short = nn.Conv1d(c_in, c_out, 1, stride=stride, bias=False)

    def forward(self, x):
        h = F.relu(self.bn1(self.conv1(x)))
        return F.relu(self.bn2(self.conv2(h)) + self.short(x))


class ResNet1d(nn.Module):
    def __init__(self, leads=2, classes=5, width=16, dropout=0.3):
        super().__init__()
        self.stem = nn.Conv1d(leads, width, 7, padding=3)
        self.blocks = nn.Sequential(Block(width, width, 2), Block(width, 2 * width, 2), Block(2 * width, 3 * width, 2))
        self.drop = nn.Dropout(dropout)
        self.fc = nn.Linear(3 * width, classes)

    def forward(self, x):
        h = self.blocks(F.relu(self.stem(x))).mean(-1)
        return self.fc(self.drop(h))
