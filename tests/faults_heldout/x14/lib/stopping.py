import copy


class EarlyStopping:
    """Keeps the weights with the lowest validation loss and says when to give up."""

    def __init__(self, model, patience, min_delta=1e-4):
        self.model, self.patience, self.min_delta = model, patience, min_delta
        self.best, self.best_epoch, self.weights = float("inf"), -1, None

    def update(self, epoch, val_loss):
        if val_loss < self.best - self.min_delta:
            self.best, self.best_epoch = val_loss, epoch
            self.weights = copy.deepcopy(self.model.state_dict())
        return epoch - self.best_epoch >= self.patience

    def restore(self):
        self.model.load_state_dict(self.weights)
