import logging


class LogMetrics:
    def __call__(self, trainer, epoch, logs):
        logging.info("epoch %02d %s", epoch, " ".join(f"{k}={v:.4f}" for k, v in logs.items()))


class EarlyStopping:
    def __init__(self, key, patience, min_delta=1e-4):
        self.key, self.patience, self.min_delta = key, patience, min_delta
        self.best, self.bad = float("inf"), 0

    def __call__(self, trainer, epoch, logs):
        if logs[self.key] < self.best - self.min_delta:
            self.best, self.bad = logs[self.key], 0
        else:
            self.bad += 1
            if self.bad >= self.patience:
                logging.info("no progress in %s for %d epochs", self.key, self.bad)
                trainer.stop = True
