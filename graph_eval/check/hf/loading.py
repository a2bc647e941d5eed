"""Weights and tokenizers of a hub, or of a folder. Nothing else is ever taken in their place."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
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
    def fingerprint(self) -> str:
        """Name and revision; of a folder, its files by size and beginning."""
        if self.folder is None:
            return f"{self.name}@{self.revision}"
        digest = hashlib.blake2b(digest_size=8)
        for path in sorted(self.folder.iterdir()):
            if path.is_file():
                with path.open("rb") as stream:
                    digest.update(f"{path.name}:{path.stat().st_size}".encode() + stream.read(HEAD))
        return digest.hexdigest()


def load_tokenizer(found: Source, name: str | None = None) -> Any:
    """The source's own tokenizer, or that of another name on the hub."""
    wanted = found if name is None else Source(name, None)
    return pretrained(_transformers().AutoTokenizer.from_pretrained, wanted)


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


def _transformers() -> Any:
    try:
        import transformers
    except ImportError as problem:
        raise MissingPartError(f"{problem.name} is not installed", "pip install 'graph_eval[hf]'") from problem
    return transformers


def weights(found: Source) -> dict[str, Any]:
    """The tensors of a source by name, from safetensors, or from a torch file without unpickling anything else."""
    import torch

    folder = found.folder or Path(_downloaded(found))
    if (path := folder / "model.safetensors").is_file():
        from safetensors.torch import load_file

        return dict(load_file(str(path)))
    if (path := folder / "pytorch_model.bin").is_file():
        return dict(torch.load(path, map_location="cpu", weights_only=True))
    raise MissingPartError(f"{found.name} holds no weights", "model.safetensors or pytorch_model.bin are read")


def _downloaded(found: Source) -> str:
    """The hub's copy on this machine."""
    from huggingface_hub import snapshot_download

    return str(pretrained(snapshot_download, found))
