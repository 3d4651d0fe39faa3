from .model import SpanTagger

__all__ = ["SpanTagger"]
