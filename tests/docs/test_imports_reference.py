from pathlib import Path

from tilth.transfer.reading import limits

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "imports.md"
MIB = 1 << 20


def test_every_limit_is_said():
    page = PAGE.read_text(encoding="utf-8")
    unpacked_gib = limits.INFLATED_BYTES_MAX // (MIB << 10)

    for said in (
        f"| {limits.RECORD_BYTES_MAX // MIB} MiB |",
        f"| {limits.JSON_DEPTH_MAX} levels, {limits.JSON_NODES_MAX:,} values |",
        f"| {limits.DOCUMENT_BYTES_MAX // MIB} MiB, {limits.MARKDOWN_LINES_MAX:,} lines |",
        f"| {unpacked_gib} GiB, {limits.INFLATION_MAX} times its size |",
        f"| {limits.ZIP_MEMBERS_MAX:,} members;",
        f"| {limits.FOLDER_FILES_MAX:,} files, {limits.FOLDER_DEPTH_MAX} levels |",
    ):
        assert said in page
