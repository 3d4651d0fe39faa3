MODELS, TOKENIZERS, SCHEDULES = {}, {}, {}


def register(table, name):
    def wrap(obj):
        if name in table:
            raise KeyError(f"{name} registered twice")
        table[name] = obj
        return obj
    return wrap
