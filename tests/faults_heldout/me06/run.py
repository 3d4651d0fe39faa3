import json
import sys

import torch
from torch import nn

from tasks import MarkedSum


class Reader(nn.Module):
    def __init__(self, hidden):
        super().__init__()
        self.rnn = nn.GRU(2, hidden, batch_first=True)
        self.out = nn.Linear(hidden, 1)
        for name, p in self.rnn.named_parameters():
            if name.startswith("weight_hh"):
                for block in p.data.chunk(3):
                    nn.init.orthogonal_(block)

    def forward(self, x):
        _, h = self.rnn(x)
        return self.out(h[-1]).squeeze(-1)


def main(path):
    conf = json.load(open(path))
    torch.manual_seed(conf["seed"])
    data = MarkedSum(seed=100)
    check_x, check_y = MarkedSum(seed=200).sample(1000, conf["stages"][-1]["length"])
    net = Reader(conf["hidden"])
    opt = torch.optim.Adam(net.parameters(), lr=conf["lr"])
    total = sum(s["steps"] for s in conf["stages"])
    sched = torch.optim.lr_scheduler.LambdaLR(
        opt, lambda i: 1.0 if i < 0.7 * total else max(0.02, (total - i) / (0.3 * total)))
    step = 0
    for stage in conf["stages"]:
        print(f"-- length {stage['length']}")
        window = []
        for _ in range(stage["steps"]):
            net.train()
            x, y = data.sample(conf["batch"], stage["length"])
            loss = nn.functional.mse_loss(net(x), y)
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(net.parameters(), conf["clip"])
            opt.step()
            sched.step()
            step += 1
            window.append(loss.item())
            if step % 50 == 0:
                net.eval()
                with torch.no_grad():
                    full = nn.functional.mse_loss(net(check_x), check_y).item()
                print(f"{step:5d}  mse {sum(window) / len(window):.5f}  full-length mse {full:.5f}")
                window = []
    print(f"constant guess: {check_y.var().item():.4f}")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "conf/run.json")
