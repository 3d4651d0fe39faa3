MODELS = {}


def register(name):
    def wrap(cls):
        MODELS[name] = cls
        return cls

    return wrap


def build(name, **kw):
    return MODELS[name](**kw)
