import copy

import torch
import torch.nn.functional as F


class Client:
    def __init__(self, x, y):
        self.x, self.y = x, y

    def __len__(self):
        return len(self.y)

    def update(self, global_model, lr, epochs, batch_size):
        model = copy.deepcopy(global_model)
        model.train()
        opt = torch.optim.SGD(model.parameters(), lr=lr)
        total = n = 0
        for _ in range(epochs):
            for idx in torch.randperm(len(self)).split(batch_size):
                loss = F.cross_entropy(model(self.x[idx]), self.y[idx])
                opt.zero_grad()
                loss.backward()
                opt.step()
                total += loss.item() * len(idx)
                n += len(idx)
        return model.state_dict(), total / n
