"""
Secrets that no vendor marks: keys in PEM, JWT, URLs with passwords, headers, assignments.

These come after the vendors' families, so that a value of a known format is named
for its format and not for the variable that holds it.
"""

from tilth.privacy.families.family import Family
from tilth.privacy.families.judgement import (
    is_argument_secret,
    is_bare_secret,
    is_environment_secret,
    is_mixed,
    is_opaque,
    is_quoted_secret,
    is_told_secret,
    is_url_password,
    is_written_out,
)
from tilth.privacy.families.variable_names import NAME_HINT, QUALIFIED_NAME

_BASE64_LINES = r"(?:[A-Za-z0-9+/=]|\\[nr]|[\s\"',+])"

_ENVIRONMENT_NAMES = (
    r"PASSWORD|PASSWD|PASSPHRASE|_PASS|PWD|PSK|SECRET|[A-Z]{0,12}_?TOKEN|API_?KEY|SECRET_KEY"
    r"|PRIVATE_KEY|ENCRYPTION_KEY|ACCESS_KEY|CREDENTIALS?|[A-Z0-9]{2,20}_KEY"
)

GENERIC_FAMILIES = (
    Family(
        "private_key",
        r"-BEGIN [A-Z0-9 ]*PRIVATE KEY",
        r"-----?\s?BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?\s?-?----"
        r"(?:[^-]*?(?:-[^-]+)*?-----?\s?END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?\s?-?----"
        rf"|{_BASE64_LINES}*(?:[A-Za-z0-9+/]{{40,}}{_BASE64_LINES}*)+)",
    ),
    Family(
        "private_key",
        r"PuTTY-User-Key-File",
        r"PuTTY-User-Key-File-\d(?:[^\n]*\n)+?Private-Lines: \d+\s+[A-Za-z0-9+/=\s]{40,}",
    ),
    Family(
        "json_web_token",
        r"\beyJ[A-Za-z0-9_-]{10,}\.",
        r"\beyJ[A-Za-z0-9_-]{10,}\.(?:eyJ)?[A-Za-z0-9_-]{10,}(?:\.[A-Za-z0-9_-]*){1,3}",
    ),
    Family(
        "connection_string",
        r"://[^\s/@\"'<>]*:[^\s@\"'<>]+@",
        r"(?i)[a-z][a-z0-9+.-]*://[^\s/:@\"'<>]*:(?P<secret>[^\s\"'<>@]+(?:@[^\s\"'<>@/.:]{1,40})?)@",
        is_url_password,
    ),
    Family(
        "url_credential",
        r"://[^\s/:@\"'<>]{16,}@",
        r"(?i)https?://(?P<secret>[a-z0-9_-]{16,})@",
        is_mixed,
    ),
    Family(
        "authorization_header",
        r"(?i:authorization|bearer)",
        r"(?i)(?:proxy-)?authorization[\"'\]]{0,2}\s{0,3}[:=,]\s{0,3}[\"'`]?"
        r"(?:bearer|basic|token|bot|apikey|api-key|key|digest|negotiate|ssws|splunk|genie-?key)?"
        r"[ \t]{1,3}(?P<secret>[a-z0-9._~+/=:-]{8,})",
        is_mixed,
    ),
    Family(
        "authorization_header",
        r"(?i:basic )",
        r"(?i)authorization[^\n]{0,12}basic\s+(?P<secret>[a-z0-9+/=_-]{8,})",
        is_written_out,
    ),
    Family(
        "bearer_token",
        r"(?i:bearer )",
        r"(?i)\bbearer[ \t]{1,3}(?P<secret>[a-z0-9._~+/=-]{16,})",
        is_mixed,
    ),
    Family(
        "session_cookie",
        r"(?i:cookie)",
        r"(?i)cookie[\"']?\s?[:=][^\n]{0,200}?(?:sess(?:ion)?[a-z_-]*|sid|auth[a-z_-]*|jwt)"
        r"=(?P<secret>[a-z0-9%._~+/=-]{16,})",
        is_opaque,
    ),
    Family(
        "password_hash",
        r"\$(?:2[abxy]|[156y]|apr1|argon2id?|scrypt)\$",
        r"\$(?:2[abxy]\$\d\d\$[./A-Za-z0-9]{53}"
        r"|(?:[156y]|apr1)\$[./A-Za-z0-9$=,]{0,40}\$[./A-Za-z0-9]{22,}"
        r"|argon2id?\$[A-Za-z0-9+/=,$]{40,}|scrypt\$[A-Za-z0-9+/=,$]{40,})",
    ),
    Family(
        "password_hash",
        r"(?i:pbkdf2|scrypt:|@bytearray\()",
        # As Django, Werkzeug and Qt write them.
        r"(?i)(?:pbkdf2_[a-z0-9]{2,12}\$\d{1,9}\$[^\s$\"']{1,64}\$[a-z0-9+/=]{27,}"
        r"|(?:pbkdf2:[a-z0-9]{2,12}:\d{1,9}|scrypt(?::\d{1,9}){3})\$[^\s$\"']{1,64}\$[0-9a-f]{40,}"
        r"|@bytearray\([a-z0-9+/=]{16,}:[a-z0-9+/=]{40,}\))",
    ),
    Family(
        "netrc_password",
        r"(?i:login)\s+\S+\s+password",
        r"(?i)\blogin\s+\S{1,100}\s+password\s+(?P<secret>\S{4,})",
        is_mixed,
    ),
    Family(
        "assignment",
        NAME_HINT,
        rf"(?i){QUALIFIED_NAME}[\"'`\]]{{0,2}}\s{{0,3}}(?::=|=>|={{1,3}}|:)\s{{0,3}}"
        r"[bru@]?[\"'`]{1,3}(?P<secret>[^\"'`\n]{4,})[\"'`]",
        is_quoted_secret,
    ),
    Family(
        "assignment",
        NAME_HINT,
        rf"(?i){QUALIFIED_NAME}[\"'`],\s?[\"'`](?P<secret>[^\"'`\s\\]{{6,}})[\"'`]",
        is_argument_secret,
    ),
    Family(
        "assignment",
        NAME_HINT,
        rf"(?i){QUALIFIED_NAME}[\"'`\]]{{0,2}}[ \t]{{0,3}}(?::=|=>|=|:)[ \t]{{0,3}}"
        r"(?P<secret>[^\s\"'`<>,;(){}\[\]&|\\]{6,})",
        is_bare_secret,
    ),
    Family(
        "assignment",
        NAME_HINT,
        rf"(?i){QUALIFIED_NAME}[\"'`\]]{{0,2}}:[ \t]+(?P<secret>[^\s\"'`<>,;(){{}}\[\]\\]{{6,}})",
        is_bare_secret,
    ),
    Family(
        "assignment",
        r"(?:PASS|PWD|PSK|SECRET|TOKEN|KEY|CREDENTIAL)[A-Z0-9_]*=",
        r"(?:^|\s)(?:export |set |ENV |ARG |- |\$env:|-e )?[A-Z0-9_]*?"
        rf"(?P<key>{_ENVIRONMENT_NAMES})(?:_[0-9]|_PROD|_DEV|_TEST|_BASE64)?"
        r"=(?P<secret>[^\s\"'`]{6,})",
        is_environment_secret,
    ),
    Family(
        "assignment",
        NAME_HINT,
        rf"(?i)<(?:[a-z]+:)?{QUALIFIED_NAME}>\s*(?P<secret>[^<>\s]{{4,}})\s*</",
        is_quoted_secret,
    ),
    Family(
        "assignment",
        r"name: *[\"']?[A-Z0-9_]*(?:PASS|PWD|SECRET|TOKEN|KEY|CREDENTIAL)",
        rf"name: *[\"']?[A-Z0-9_]*?(?P<key>{_ENVIRONMENT_NAMES})[\"']?[ \t]*\r?\n"
        r"[ \t]*value: *[\"']?(?P<secret>[^\s\"'`]{6,})",
        is_environment_secret,
    ),
    Family(
        "assignment",
        r"(?i:\b(?:pass|pw))(?:=|: )",
        r"\b(?P<key>(?i:pass|pw))(?:=|: +)[\"'`]?(?P<secret>[^\s\"'`<>,;(){}\[\]&|]{6,})",
        is_told_secret,
    ),
    Family(
        "command_flag",
        r"--[a-zA-Z-]*(?i:pass|token|secret|key)",
        r"--(?i:[a-z-]*?(?P<key>password|passwd|passphrase|pass|token|secret|api-?key|access-key"
        r"|secret-key))[= ][\"']?(?P<secret>[^\s\"'`<>]{4,})",
        is_bare_secret,
    ),
    Family(
        "hinted_token",
        r"(?i:pass ?word|secret|token|(?:api|access)[ _-]?key|credential|passphrase|bearer)",
        r"(?i:pass ?word|secret|token|(?:api|access)[ _-]?key|credential|passphrase|bearer)"
        r"[^\n]{0,40}?[^A-Za-z0-9_+/=.~-](?P<secret>[A-Za-z0-9_+/=~-]{20,})",
        is_opaque,
    ),
)
