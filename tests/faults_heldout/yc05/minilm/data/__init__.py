from .corpus import CharCorpus

__all__ = ["CharCorpus"]
