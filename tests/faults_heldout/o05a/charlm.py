import json, math
import torch, torch.nn as nn

conf = json.load(open('charlm.json'))
torch.manual_seed(conf['seed'])

text = open(conf['corpus']).read()
chars = sorted(set(text))
stoi = {c: i for i, c in enumerate(chars)}
ids = torch.tensor([stoi[c] for c in text])
cut = int(0.9 * len(ids))
K = conf['context']

# every row: K characters and the one that follows
def rows(stream):
    w = stream.unfold(0, K + 1, 1)
    return w[:, :K], w[:, K]

xt, yt = rows(ids[:cut])
xv, yv = rows(ids[cut:])


class NextChar(nn.Module):
    def __init__(self, n, dim, hidden):
        super().__init__()
        self.emb = nn.Embedding(n, dim)
        self.fc1 = nn.Linear(K * dim, hidden)
        self.fc2 = nn.Linear(hidden, hidden)
        self.out = nn.Linear(hidden, n)

    def forward(self, x):
        h = self.emb(x).flatten(1)
        h = torch.tanh(self.fc1(h))
        h = h + torch.tanh(self.fc2(h))
        return self.out(h)


def make_scheduler(opt, c):
    if c['type'] == 'exponential':
        return torch.optim.lr_scheduler.ExponentialLR(opt, gamma=c['gamma'])
    if c['type'] == 'step':
        return torch.optim.lr_scheduler.StepLR(opt, step_size=c['step_size'], gamma=c['gamma'])
    raise ValueError(c['type'])


model = NextChar(len(chars), conf['dim'], conf['hidden'])
opt = torch.optim.Adam(model.parameters(), lr=conf['lr'])
sched = make_scheduler(opt, conf['scheduler'])
interval = conf['scheduler']['interval']
lossf = nn.CrossEntropyLoss()
print(f'{len(xt)} train rows, {len(chars)} symbols, uniform loss {math.log(len(chars)):.3f}')

for epoch in range(conf['epochs']):
    model.train()
    tot = cnt = 0
    for idx in torch.randperm(len(xt)).split(conf['batch_size']):
        loss = lossf(model(xt[idx]), yt[idx])
        opt.zero_grad()
        loss.backward()
        opt.step()
        if interval == 'batch':
            sched.step()
        tot += loss.item(); cnt += 1
    if interval == 'epoch':
        sched.step()
    model.eval()
    with torch.no_grad():
        v = lossf(model(xv), yv).item()
    print(f'epoch {epoch}: train {tot / cnt:.3f}  val {v:.3f}  bits/char {v / math.log(2):.3f}')

model.eval()
out = 'Once there was a '
with torch.no_grad():
    for _ in range(100):
        x = torch.tensor([[stoi[c] for c in out[-K:]]])
        p = torch.softmax(model(x)[0] / 0.8, -1)
        out += chars[int(torch.multinomial(p, 1))]
print(repr(out))
