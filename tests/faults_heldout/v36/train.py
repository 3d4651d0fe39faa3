import torch
from sklearn.datasets import load_digits
from torch import nn
from torch.utils.data import DataLoader, TensorDataset, random_split

from engine import Engine
from nets.classifier import TextureNet


def main():
    torch.manual_seed(3)
    d = load_digits()
    data = TensorDataset(torch.tensor((d.images - 4.9) / 6.0, dtype=torch.float32), torch.tensor(d.target))
    train, val = random_split(data, [1400, 397])
    model = TextureNet()
    engine = Engine(model, nn.CrossEntropyLoss(), torch.optim.Adam(model.parameters(), lr=1e-3))
    engine.fit(DataLoader(train, batch_size=32, shuffle=True), DataLoader(val, batch_size=128), epochs=12)


if __name__ == "__main__":
    main()
