# Predict a+b from two pictures of digits, without seeing the single labels.
import torch
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from torch.nn.functional import cross_entropy
from torch.utils.data import DataLoader, Dataset

from encoder import DigitEncoder, PairSum

torch.manual_seed(0)


class Pairs(Dataset):
    def __init__(self, x, y, n, seed):
        g = torch.Generator().manual_seed(seed)
        self.i = torch.randint(len(x), (n,), generator=g)
        self.j = torch.randint(len(x), (n,), generator=g)
        self.x, self.y = x, y

    def __len__(self):
        return len(self.i)

    def __getitem__(self, k):
        i, j = self.i[k], self.j[k]
        return self.x[i], self.x[j], self.y[i] + self.y[j]


d = load_digits()
X = torch.tensor(d.images / 16.0, dtype=torch.float32).unsqueeze(1)
Y = torch.tensor(d.target)
itr, ite = train_test_split(range(len(X)), test_size=0.25, random_state=1, stratify=d.target)
train = DataLoader(Pairs(X[itr], Y[itr], 6000, 1), batch_size=100, shuffle=True)
test = DataLoader(Pairs(X[ite], Y[ite], 1500, 2), batch_size=500)

model = PairSum(DigitEncoder())
opt = torch.optim.Adam(model.parameters(), lr=2e-3)


def evaluate():
    model.eval()
    with torch.no_grad():
        hits = sum((model(a, b).argmax(1) == s).sum().item() for a, b, s in test)
    model.train()
    return hits / len(test.dataset)


for epoch in range(8):
    tot = 0.0
    for a, b, s in train:
        opt.zero_grad()
        loss = cross_entropy(model(a, b), s)
        loss.backward()
        opt.step()
        tot += loss.item()
    print("epoch", epoch, "loss %.3f" % (tot / len(train)), "acc %.3f" % evaluate(), flush=True)

emb = model.encoder.export(X[ite])
print("exported", emb.shape)
