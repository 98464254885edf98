"""Writing small transcripts and exports, and reading them as what they are told to be."""

import io
import json
import zipfile
from collections.abc import Mapping
from pathlib import Path

from tests.transfer.read_lines import Reading, read_whole
from tilth.core.json import Json
from tilth.transfer.file_importer import Format
from tilth.transfer.reading.sample import take_sample
from tilth.transfer.reading.source_file import SourceFile


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
