import torch
from torch.utils.data import DataLoader, TensorDataset

from hazard import RiskNet, concordance, cox_loss


class Trainer:
    def __init__(self, opt, train, valid):
        self.opt, self.valid = opt, valid
        self.loader = DataLoader(TensorDataset(*train), batch_size=opt.batch_size, shuffle=True, drop_last=True)
        self.net = RiskNet(train[0].size(1), opt.hidden, opt.dropout)
        self.sgd = torch.optim.SGD(self.net.parameters(), lr=opt.lr, momentum=opt.momentum,
                                   weight_decay=opt.weight_decay)
        self.sched = torch.optim.lr_scheduler.MultiStepLR(self.sgd, opt.milestones, gamma=0.3)
        opt.out.mkdir(exist_ok=True)

    def step(self, x, months, event):
        self.sgd.zero_grad()
        loss = cox_loss(self.net(x), months, event)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.net.parameters(), self.opt.max_grad_norm)
        self.sgd.step()
        return loss.item()

    @torch.no_grad()
    def assess(self):
        self.net.eval()
        x, months, event = self.valid
        risk = self.net(x)
        return cox_loss(risk, months, event).item(), concordance(risk, months, event)

    def fit(self):
        best, wait = 0.0, 0
        for epoch in range(self.opt.epochs):
            self.net.train()
            losses = [self.step(*b) for b in self.loader]
            self.sched.step()
            vloss, cindex = self.assess()
            print("epoch %2d  train %.4f  valid %.4f  c-index %.4f" % (epoch, sum(losses) / len(losses), vloss, cindex))
            if cindex > best:
                best, wait = cindex, 0
                torch.save({"net": self.net.state_dict(), "epoch": epoch}, self.opt.out / "risknet.pt")
            else:
                wait += 1
                if wait >= self.opt.patience:
                    print("stopping early")
                    break
        return best
