"""
The limits of an import. Input beyond them is refused, never partly read in silence.

The numbers are caps against hostile files, far above what real ones need (threat T16: byte, depth,
node and ratio caps before anything is parsed).
"""

_MIB = 1 << 20

RECORD_BYTES_MAX = 64 * _MIB  # one line, or one element of a JSON array
JSON_DEPTH_MAX = 64
JSON_NODES_MAX = 1_000_000  # an empty list costs Python 56 bytes, in the file two

DOCUMENT_BYTES_MAX = 8 * _MIB  # a document is held whole while it is cut into sections
MARKDOWN_LINES_MAX = 50_000  # a heading on each takes a second and 65 MB

INFLATED_BYTES_MAX = 4096 * _MIB
INFLATION_MAX = 100  # bytes out for each byte in; JSON with much repetition reaches 30
INFLATION_FREE_BYTES = _MIB  # so little is harmless at any ratio
ZIP_MEMBERS_MAX = 10_000
ZIP_DIRECTORY_BYTES_MAX = 4 * _MIB  # 10,000 entries with names of 350 bytes

FOLDER_DEPTH_MAX = 32
FOLDER_FILES_MAX = 100_000

SAMPLE_BYTES = 256 * 1024  # what is read of a file to tell its format
