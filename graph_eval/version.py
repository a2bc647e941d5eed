"""The version of the package, as setup.cfg and every run on disk name it."""

__version__ = "0.3.0"
