import torch
import torch.nn.functional as F

from distil.data import make
from distil.models import Encoder

torch.manual_seed(0)
x, y = make(12000, seed=50)
net = Encoder(depth=4)
opt = torch.optim.AdamW(net.parameters(), lr=1e-3)
for step in range(1800):
    i = torch.randint(len(x), (64,))
    loss = F.cross_entropy(net(x[i]), y[i])
    opt.zero_grad(); loss.backward(); opt.step()
xt, yt = make(1000, seed=51)
net.eval()
with torch.no_grad():
    print("teacher acc", (net(xt).argmax(1) == yt).float().mean().item())
torch.save(net.state_dict(), "teacher.pt")
