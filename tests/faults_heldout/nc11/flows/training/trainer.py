import torch


class FlowTrainer:
    def __init__(self, flow, cfg, callbacks):
        self.flow, self.callbacks = flow, callbacks
        self.batch_size, self.max_epochs = cfg["batch_size"], cfg["max_epochs"]
        self.optimizer = {"adam": torch.optim.Adam, "sgd": torch.optim.SGD}[cfg["optimizer"]["type"]](
            flow.parameters(), lr=cfg["optimizer"]["lr"])
        self.stop = False

    def _emit(self, event, *args):
        for cb in self.callbacks:
            if hasattr(cb, event):
                getattr(cb, event)(self, *args)

    @torch.no_grad()
    def nll(self, x):
        self.flow.eval()
        return -self.flow.log_prob(x).mean().item()

    def fit(self, splits):
        epoch = 0
        while epoch < self.max_epochs and not self.stop:
            epoch += 1
            self.flow.train()
            total = 0.0
            for idx in torch.randperm(len(splits.train)).split(self.batch_size):
                loss = -self.flow.log_prob(splits.train[idx]).mean()
                self.optimizer.zero_grad()
                loss.backward()
                self.optimizer.step()
                total += loss.item() * len(idx)
            logs = {"epoch": epoch, "train_nll": total / len(splits.train), "val_nll": self.nll(splits.val)}
            if epoch % 5 == 0:
                print("  ".join(f"{k} {v:.4f}" if isinstance(v, float) else f"{k} {v:3d}" for k, v in logs.items()))
            self._emit("epoch_end", logs)
        self._emit("fit_end")
