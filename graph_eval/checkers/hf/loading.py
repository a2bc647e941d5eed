"""Loads weights and tokenizers from the hub or from a folder. Missing ones raise an error and are never replaced."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from graph_eval.errors import MissingPartError

PACKAGES = ("torch", "transformers", "safetensors")
HEAD = 1 << 20  # bytes at the beginning of a file that the digest reads


@dataclass(frozen=True, slots=True)
class Source:
    """A name on the hub with its revision, or a folder."""

    name: str
    revision: str | None

    @property
    def folder(self) -> Path | None:
        path = Path(self.name)
        return path if path.is_dir() else None

    @property
    def place(self) -> Path | None:
        """The folder, or the folder of the file."""
        path = Path(self.name)
        return path.parent if path.is_file() else self.folder

    @property
    def fingerprint(self) -> str:
        """Name and revision. For a folder, a digest of the names, sizes and first bytes of its files."""
        if self.place is None:
            return f"{self.name}@{self.revision}"
        digest = hashlib.blake2b(digest_size=8)
        for path in sorted(self.place.iterdir()):
            if path.is_file():
                with path.open("rb") as stream:
                    digest.update(f"{path.name}:{path.stat().st_size}".encode() + stream.read(HEAD))
        return digest.hexdigest()


def local_or_hub(source: Source, file: str, hub_name: str) -> Source:
    """The source's folder if it contains the file, else `hub_name` on the hub."""
    place = source.place
    return Source(str(place), None) if place is not None and (place / file).exists() else Source(hub_name, None)


def load_tokenizer(source: Source) -> Any:
    return from_pretrained(_transformers().AutoTokenizer, source)


def from_pretrained(kind: Any, source: Source, **options: Any) -> Any:
    """Calls `kind.from_pretrained` with the source. Raises MissingPartError with a hint on what to download."""
    return _downloaded(kind.from_pretrained, source, **options)


def _downloaded(load: Callable[..., Any], source: Source, **options: Any) -> Any:
    if source.folder is None:
        options |= {"revision": source.revision or "main"}
    try:
        return load(source.name, **options)
    except (OSError, ValueError) as problem:
        reason = str(problem).strip().splitlines()[0]
        if source.folder is not None:
            raise MissingPartError(
                f"{source.name} is not the expected model: {reason}", "pass the folder that contains config.json"
            ) from None
        hint = f"download it on a machine with network access (hf download {source.name}), or pass its folder"
        raise MissingPartError(f"loading {source.name} from the hub failed: {reason}", hint) from None


def model_of(kind: Any, source: Source, dtype: Any, unused: str | None = None) -> Any:
    """The model of an Auto class.

    Raises MissingPartError if weights are missing, because transformers would use random values. Weights whose name
    begins with `unused` may be missing.
    """
    model, info = from_pretrained(kind, source, dtype=dtype, output_loading_info=True)
    missing = sorted(map(str, (*info["missing_keys"], *info["mismatched_keys"])))
    missing = [name for name in missing if unused is None or not name.startswith(unused)]
    if missing:
        raise MissingPartError(
            f"{source.name} is not the expected model: missing weights {', '.join(missing[:3])}",
            "pass the folder of the model that the checker names",
        )
    return model


def needs_hf() -> None:
    """Raises MissingPartError for the first package of the extra `hf` that is not installed.

    Before anything else: transformers without torch would fail at the weights, or ask for them first.
    """
    for name in PACKAGES:
        if find_spec(name) is None:
            raise MissingPartError(f"{name} is not installed", "pip install 'graph_eval[hf]'")


def _transformers() -> Any:
    needs_hf()
    import transformers

    return transformers


def weights(source: Source, names: Sequence[str] = ("model.safetensors", "pytorch_model.bin")) -> dict[str, Any]:
    """The tensors of a source by name, from the first existing file of `names`.

    A file is safetensors, or a torch file of which only tensors and plain values are unpickled. Raises MissingPartError
    for a missing or unreadable file.
    """
    path = _file(source, names)
    if path.suffix == ".safetensors":
        from safetensors.torch import load_file

        return dict(load_file(str(path)))
    import pickle

    import torch

    try:
        state = torch.load(path, map_location="cpu", weights_only=True)
    except (pickle.UnpicklingError, RuntimeError, EOFError) as problem:
        reason = str(problem).strip().splitlines()[0]
        hint = "only tensors are read from such a file: save the state_dict alone, preferably as safetensors"
        raise MissingPartError(f"reading {path} failed: {reason}", hint) from None
    return dict(state.get("state_dict", state))


def with_weights(model: Any, state: dict[str, Any], source: Source, tied: Sequence[str] = ()) -> Any:
    """The model with these tensors. Raises MissingPartError if one is missing that is not `tied` to another."""
    hint = "pass the folder of the model that the checker names"
    try:
        missing = set(model.load_state_dict(state, strict=False).missing_keys) - set(tied)
    except RuntimeError as problem:
        reason = " ".join(str(problem).split())[:200]
        raise MissingPartError(f"{source.name} is not the expected model: {reason}", hint) from None
    if missing:
        names = ", ".join(sorted(missing)[:3])
        raise MissingPartError(f"{source.name} is not the expected model: missing weights {names}", hint)
    return model


def _file(source: Source, names: Sequence[str]) -> Path:
    """The source itself if it is a file, else the first existing file of `names` in its folder or on the hub."""
    if (path := Path(source.name)).is_file():
        return path
    if source.folder is not None:
        for name in names:
            if (source.folder / name).is_file():
                return source.folder / name
        raise MissingPartError(f"{source.name} has no weights file", f"expected one of {', '.join(names)}")
    from huggingface_hub import hf_hub_download

    problems = []
    for name in names:
        try:
            return Path(_downloaded(hf_hub_download, source, filename=name))
        except MissingPartError as problem:
            problems.append(problem)
    raise problems[0]
