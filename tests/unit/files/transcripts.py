"""Writing small transcripts and exports, and reading them as what they are told to be."""

import io
import json
import zipfile
from collections.abc import Mapping
from pathlib import Path

from tests.unit.files.reading import Reading, read_whole
from tilth.domain.json import Json
from tilth.files.importer import Format
from tilth.files.sample import take_sample
from tilth.files.source_file import SourceFile


def read_known(form: Format, folder: Path, name: str, content: str | bytes) -> Reading:
    """Read *content* as a file of *form*, which must know its own."""
    reading = read_whole(form, folder, name, content)
    assert form.sniff(take_sample(SourceFile(folder / name))), f"{form.HOST} knows it not"
    return reading


def zip_of(members: Mapping[str, Json]) -> bytes:
    """Pack each value as JSON under its name."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, value in members.items():
            archive.writestr(name, json.dumps(value))
    return packed.getvalue()
