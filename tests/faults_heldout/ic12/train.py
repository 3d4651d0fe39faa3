import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

from lib.callbacks import GradientClipping, Progress
from lib.loop import Loop


class IRNN(nn.Module):
    """ReLU recurrent net with an identity start (Le, Jaitly and Hinton, 2015)."""

    def __init__(self, n_symbols, hidden, n_out):
        super().__init__()
        self.embed = nn.Embedding(n_symbols, 16)
        self.rnn = nn.RNN(16, hidden, nonlinearity="relu", batch_first=True)
        self.out = nn.Linear(hidden, n_out)
        nn.init.eye_(self.rnn.weight_hh_l0)
        nn.init.normal_(self.rnn.weight_ih_l0, std=0.05)
        nn.init.zeros_(self.rnn.bias_hh_l0)
        nn.init.zeros_(self.rnn.bias_ih_l0)

    def forward(self, seq):
        h, _ = self.rnn(self.embed(seq))
        return self.out(h[:, -1])


def main():
    torch.manual_seed(1)
    z = np.load("recall.npz")
    data = TensorDataset(torch.from_numpy(z["seq"].astype(np.int64)), torch.from_numpy(z["key"].astype(np.int64)))
    train, test = torch.utils.data.random_split(data, [1200, 300])
    model = IRNN(11, 48, 5)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9)
    loop = Loop(model, optimizer, nn.CrossEntropyLoss(),
                DataLoader(train, batch_size=30, shuffle=True), DataLoader(test, batch_size=300),
                callbacks=[GradientClipping(max_norm=0.2), Progress()])
    loop.run(epochs=20)


if __name__ == "__main__":
    main()
