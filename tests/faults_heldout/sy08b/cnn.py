from torch import nn


class WaferCNN(nn.Module):
    def __init__(self, n_classes, width=12, dropout=0.2):
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv2d(2, width, 3, padding=1),
            nn.BatchNorm2d(width),
            nn.ReLU(),
            nn.MaxPool2d(2),
            nn.Conv2d(width, 2 * width, 3, padding=1),
            nn.BatchNorm2d(2 * width),
            nn.ReLU(),
            nn.MaxPool2d(2),
        )
        self.classifier = nn.Sequential(
            nn.Flatten(),
            nn.Dropout(dropout),
            nn.Linear(2 * width * 5 * 5, 48),
            nn.ReLU(),
            nn.Dropout(dropout),
            nn.Linear(48, n_classes),
        )

    def forward(self, x):
        return self.classifier(self.body(x))
