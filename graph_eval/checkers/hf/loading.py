"""Weights and tokenizers of a hub, or of a folder. Nothing else is ever taken in their place."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from graph_eval.errors import MissingPartError

HEAD = 1 << 20  # bytes of a weights file that its digest reads, with its size


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
        """The folder, also of a single file."""
        path = Path(self.name)
        return path.parent if path.is_file() else self.folder

    @property
    def fingerprint(self) -> str:
        """Name and revision; of a folder, its files by size and beginning."""
        if self.place is None:
            return f"{self.name}@{self.revision}"
        digest = hashlib.blake2b(digest_size=8)
        for path in sorted(self.place.iterdir()):
            if path.is_file():
                with path.open("rb") as stream:
                    digest.update(f"{path.name}:{path.stat().st_size}".encode() + stream.read(HEAD))
        return digest.hexdigest()


def own_or(found: Source, file: str, name: str) -> Source:
    """The source's folder where it holds the file; else another name on the hub."""
    place = found.place
    return Source(str(place), None) if place is not None and (place / file).exists() else Source(name, None)


def load_tokenizer(found: Source) -> Any:
    return pretrained(_transformers().AutoTokenizer.from_pretrained, found)


def pretrained(load: Callable[..., Any], found: Source, **more: Any) -> Any:
    """What `load`, a from_pretrained, gives. Raises MissingPartError that says what to get where it cannot be had."""
    if found.folder is None:
        more |= {"revision": found.revision or "main"}
    try:
        return load(found.name, **more)
    except (OSError, ValueError) as problem:
        reason = str(problem).strip().splitlines()[0]
        if found.folder is not None:
            raise MissingPartError(f"{found.name} holds no such model: {reason}", "is it the right folder?") from None
        hint = f"download it where there is a network (hf download {found.name}), or name a folder that holds it"
        raise MissingPartError(f"{found.name} cannot be had: {reason}", hint) from None


def model_of(kind: Any, found: Source, dtype: Any, unused: str | None = None) -> Any:
    """The model of an Auto class. Raises MissingPartError where the weights lack a part that chance would fill, unless
    its name begins with `unused`."""
    model, told = pretrained(kind.from_pretrained, found, dtype=dtype, output_loading_info=True)
    wrong = sorted(map(str, (*told["missing_keys"], *told["mismatched_keys"])))
    wrong = [name for name in wrong if unused is None or not name.startswith(unused)]
    if wrong:
        raise MissingPartError(
            f"{found.name} holds another model: it lacks {', '.join(wrong[:3])}", "is it the right name or folder?"
        )
    return model


def _transformers() -> Any:
    try:
        import transformers
    except ImportError as problem:
        raise MissingPartError(f"{problem.name} is not installed", "pip install 'graph_eval[hf]'") from problem
    return transformers


def weights(found: Source, names: Sequence[str] = ("model.safetensors", "pytorch_model.bin")) -> dict[str, Any]:
    """The tensors of a source by name, from its first file of those names: safetensors, or a torch file of which
    nothing but tensors and plain values is unpickled."""
    path = _file(found, names)
    if path.suffix == ".safetensors":
        from safetensors.torch import load_file

        return dict(load_file(str(path)))
    import pickle

    import torch

    try:
        state = torch.load(path, map_location="cpu", weights_only=True)
    except (pickle.UnpicklingError, RuntimeError, EOFError) as problem:
        reason = str(problem).strip().splitlines()[0]
        hint = "only tensors are taken from such a file: save its state_dict alone, best as safetensors"
        raise MissingPartError(f"{path} cannot be read: {reason}", hint) from None
    return dict(state.get("state_dict", state))


def fitted(model: Any, state: dict[str, Any], found: Source, tied: Sequence[str] = ()) -> Any:
    """The model with these tensors. Raises MissingPartError where one is missing that is not `tied` to another."""
    try:
        missing = set(model.load_state_dict(state, strict=False).missing_keys) - set(tied)
    except RuntimeError as problem:
        reason = " ".join(str(problem).split())[:200]
        raise MissingPartError(f"{found.name} holds another model: {reason}", "is it the right folder?") from None
    if missing:
        names = ", ".join(sorted(missing)[:3])
        raise MissingPartError(f"{found.name} holds another model: it lacks {names}", "is it the right folder?")
    return model


def _file(found: Source, names: Sequence[str]) -> Path:
    """The source itself where it is a file; else the first of those names in its folder, or of the hub's copy."""
    if (path := Path(found.name)).is_file():
        return path
    if found.folder is not None:
        for name in names:
            if (found.folder / name).is_file():
                return found.folder / name
        raise MissingPartError(f"{found.name} holds no weights", f"one of these is read: {', '.join(names)}")
    from huggingface_hub import hf_hub_download

    problems = []
    for name in names:
        try:
            return Path(pretrained(hf_hub_download, found, filename=name))
        except MissingPartError as problem:
            problems.append(problem)
    raise problems[0]
