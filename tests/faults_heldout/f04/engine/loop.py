class Loop:
    def __init__(self, model, criterion, optimizer, hooks):
        self.model, self.criterion, self.optimizer, self.hooks = model, criterion, optimizer, hooks
        self.epoch = self.step = 0

    def fire(self, event):
        for hook in self.hooks:
            getattr(hook, event)(self)

    def fit(self, loader, epochs):
        for self.epoch in range(epochs):
            self.model.train()
            self.fire("before_epoch")
            for inputs, targets in loader:
                self.fire("before_step")
                self.batch_size = len(targets)
                self.loss = self.criterion(self.model(inputs), targets)
                self.loss.backward()
                self.fire("after_backward")
                self.step += 1
                self.fire("after_step")
            self.fire("after_epoch")
