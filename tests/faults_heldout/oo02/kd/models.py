import torch.nn as nn
import torch.nn.functional as F


class TeacherNet(nn.Module):
    def __init__(self, width=32, classes=10):
        super().__init__()
        self.conv1 = nn.Conv2d(1, width, 3, padding=1)
        self.bn1 = nn.BatchNorm2d(width)
        self.conv2 = nn.Conv2d(width, width * 2, 3, padding=1)
        self.bn2 = nn.BatchNorm2d(width * 2)
        self.drop = nn.Dropout(0.25)
        self.fc = nn.Linear(width * 2 * 4, classes)

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.bn1(self.conv1(x))), 2)
        x = F.max_pool2d(F.relu(self.bn2(self.conv2(x))), 2)
        return self.fc(self.drop(x.flatten(1)))


class StudentNet(nn.Module):
    def __init__(self, width=8, classes=10):
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv2d(1, width, 3, stride=2, padding=1), nn.GELU(),
            nn.Conv2d(width, width * 2, 3, stride=2, padding=1), nn.GELU(), nn.Flatten())
        self.head = nn.Linear(width * 2 * 4, classes)

    def forward(self, x):
        return self.head(self.body(x))
