"""The version of the package, and of what its results depend on."""

from __future__ import annotations

__version__ = "0.3.0"
LIBRARIES = ("numpy", "onnxruntime", "pydantic", "spacy", "tokenizers")


def versions() -> dict[str, str]:
    """The versions of the package, of Python and of the libraries behind the offline default, by name."""
    import platform
    from importlib.metadata import PackageNotFoundError, version

    installed = {"graph_eval": __version__, "python": platform.python_version(), "machine": platform.machine()}
    for library in LIBRARIES:
        try:
            installed[library] = version(library)
        except PackageNotFoundError:
            installed[library] = "missing"
    return installed
