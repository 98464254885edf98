"""Passwords on a command line and in SQL: known by the program or the clause that takes them."""

from tilth.privacy.families.family import Family
from tilth.privacy.families.judgement import is_mixed, is_typed_secret, is_written_out

# A program, and what stands before the password among its arguments.
_ARGUMENTS = (
    (r"htpasswd", r"\s-\w{0,4}b\w{0,4}(?:\s+-\w+)*(?:\s+[^\s-]\S{0,199}){1,2}?\s+"),
    (r"ssh-keygen", r"\s-[NP][ ]?"),
    (r"mysqladmin", r"\spassword\s"),
    (r"sqlplus|sqlcl|impdp|expdp", r"\s[\w$#]{1,30}/"),
    (r"ansible-vault encrypt_string", r"\s"),
    (r"(?:un)?zip|mosquitto_(?:pub|sub)", r"\s-P[ ]?"),
    (r"7za?|rar", r"\s-h?p"),
    (r"openssl", r"\s-(?:k |K |pass(?:in|out)? pass:)"),
    (r"openssl passwd", r"(?:\s-\w{1,10})*\s"),
    (r"gpg2?", r"\s--passphrase[ =]"),
    (r"kubectl", r"--from-literal[= ][\"']?[\w.-]{0,40}(?i:pw|pass\w{0,6}|pwd|secret|token|key)="),
    (r"ldap[a-z]{2,10}", r"\s-w[ ]?"),
    (r"sshpass", r"\s-p[ ]?"),
    (r"az login", r"\s-p[ ]"),
    (r"smbclient|rpcclient|smbmap", r"\s-U[ ]?[\"']?[^\s%\"']{1,60}%"),
    (r"net use", r"\s\\\\\S{1,100}\s+"),
    (r"keytool|jarsigner", r"\s-(?:store|key)pass[ ]"),
    (r"rabbitmqctl", r"\s(?:add_user|change_password|authenticate_user)\s+\S{1,60}\s+"),
    (r"snmp[a-z]{2,12}", r"\s-[AX][ ]?"),
    (r"nmcli", r"\spassword\s"),
    (r"(?:chpasswd|vncpasswd|cryptsetup)[^\n<]{0,80}<<<", r"\s{0,3}[\"']?(?:[^\s:\"']{1,60}:)?"),
)
# What reads a password that another command prints.
_READER = r"(?:--password-stdin|\bsudo\s+(?:-\w+\s+)*-S\b|\b(?:ch|vnc)?passwd\b)"
_WORD = r"[\"']?(?P<secret>[^\s\"'$`-][^\s\"'|]{3,})"


def _of_argument(program: str, before: str) -> Family:
    pattern = rf"\b(?:{program})(?:\b|\s)[^\n|]{{0,300}}?{before}{_WORD}"
    return Family("command_password", program, pattern, is_typed_secret)


COMMAND_FAMILIES = (
    Family(
        "basic_auth",
        r"(?:curl|wget|http)",
        r"\b(?:curl|wget|https?)\b[^\n]{0,300}?\s(?:-u|--user)[ =]?"
        r"[\"']?[^\s:\"']{1,80}:(?P<secret>[^\s\"']{3,})",
        is_written_out,
    ),
    Family(
        "command_password",
        r"(?:mysql|mariadb|redis-cli|mongo|docker login)",
        r"\b(?:mysql(?:dump|admin)?|mariadb|mongo(?:sh)?|redis-cli|docker login)\b"
        r"[^\n]{0,200}?\s(?:-p|-a)[ ]?[\"']?(?P<secret>[^\s\"'-][^\s\"']{4,})",
        is_mixed,
    ),
    *(_of_argument(*row) for row in _ARGUMENTS),
    Family(
        "command_password",
        r"net user",
        r"\bnet user\s+[^\s/]{1,60}\s+(?P<secret>[^\s/]{4,})",
        is_mixed,
    ),
    Family(
        "command_password",
        _READER,
        rf"\b(?:echo|printf)\s+(?:-n\s+|[\"']%s[\"']\s+)?[\"']?(?:[a-z_][\w.-]{{0,31}}:)?{_WORD}"
        rf"[\"']?\s*\|[^\n|]{{0,200}}?{_READER}",
        is_typed_secret,
    ),
    Family(
        "command_password",
        r"--password-stdin",
        rf"--password-stdin[^\n|]{{0,200}}?<<<\s*{_WORD}",
        is_typed_secret,
    ),
    Family(
        "client_password",
        r"(?i:bindpw|requirepass|masterauth|auth) ",
        r"(?m)^[ \t]*(?:(?i:bindpw)|requirepass|masterauth|AUTH)[ \t]+"
        r"[\"']?(?P<secret>[^\s\"'$-][^\s\"']{3,})[\"']?[ \t]*\r?$",
        is_typed_secret,
    ),
    Family(
        "client_password",
        r"(?i:server|data source|user ?id|uid|database|host)=",
        r"(?i)\b(?:(?:server|data source|user ?id|uid|database|host)=[^;\n]{1,200};\s?)+"
        r"(?:password|pwd)=(?P<secret>[^;\s\"']{4,})",
        is_typed_secret,
    ),
    Family(
        "client_password",
        r"(?i:password|pwd)=",
        r"(?i)\b(?:password|pwd)=(?P<secret>[^;\s\"']{4,});\s?"
        r"(?:server|data source|user ?id|uid|database|host)=",
        is_typed_secret,
    ),
    Family(
        "sql_password",
        r"(?i:password|identified)",
        r"(?i)\b(?:(?:alter|create)\s+(?:user|role|login)\b[^\n;]{0,120}?\bpassword\s?=?"
        r"|set\s+password\b[^\n;]{0,120}?=|identified\s+(?:with\s+\S{1,40}\s+)?by)"
        r"\s*(?:password\(|n)?[\"'](?P<secret>[^\"'\n]{3,100})[\"']",
        is_written_out,
    ),
    Family(
        "sql_password",
        r"(?i:identified)",
        r"(?i)\bidentified\s+by\s+(?P<secret>[^\s\"';()]{4,100})",
        is_mixed,
    ),
    Family(
        "pgpass_line",
        r":[0-9*]{1,5}:",
        r"(?m)(?:^|[\"'])(?:[\w.-]{1,100}|\*):(?:\d{2,5}|\*):(?:[\w*-]{1,63}:){2}"
        r"(?P<secret>[^:\s\"']{3,100})(?:$|[\"'\r])",
        is_typed_secret,
    ),
)
