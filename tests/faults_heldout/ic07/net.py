from torch import nn


def block(i, o):
    return [nn.Conv2d(i, o, 3, padding=1), nn.ReLU(inplace=True), nn.MaxPool2d(2)]


class WordNet(nn.Sequential):
    def __init__(self, n_words, c=10):
        super().__init__(*block(1, c), *block(c, 2 * c), nn.Flatten(), nn.Linear(2 * c * 4 * 6, 64),
                         nn.ReLU(), nn.Dropout(0.2), nn.Linear(64, n_words))
