"""Secrets that a sentence states, in several languages."""

from tilth.privacy.families.family import Family
from tilth.privacy.families.judgement import has_many_digits, is_mixed, is_told_secret

# A letter that is not of ASCII is one byte, whichever: see `tilth.privacy.text_views`.
_NAMES = (
    r"pass ?word|passwd|pass ?phrase|passcode|pwd|pw|contrase.a|(?:wlan-)?passwort|secret(?: key)?"
    r"|(?:access |api |auth |bearer |bot |refresh )?token|(?:api|access)[ -]?key|credentials?"
    r"|login"
)
_NAMES_ELSEWHERE = (
    r"passwort|kennwort|pa.wort|contrase.a|clave|mot de passe|senha|wachtwoord|password"
    r"|parola(?: d'ordine)?|has.o|l.senord(?:et)?|adgangskode[nr]?|passord(?:et)?|salasana|heslo"
    r"|jelsz.|.ifre|parol[ae]?|mdp"
)
_FOR = r"(?:\s(?:for|to|of|on|at|in)(?:\s[a-z0-9_.'@-]{1,30}){1,4}?)?"
_FOR_ELSEWHERE = (
    r"(?:\s(?:f.r|zu[mr]?|d[ea]s|vo[nm]|auf|im|du|de|de la|de l'|del|do|da|van|voor|per|della?)"
    r"(?:\s?[^\s:,;.]{1,30}){1,4}?)?"
)
_IS = (
    r"(?:(?:\sis|\swas|'s|\sist|\slautet|\ses|\sest)"
    r"(?:\s(?:now|still|currently|just|set to|always))?"
    r"|\s(?:was\s|is\s|has been\s)?(?:changed|reset|set|rotated)(?:\sfrom\s\S{1,60})?\sto)"
)
_IS_ELSEWHERE = (
    r"(?:\s(?:ist|lautet|hei.t|war|w.re|es|est|era|.|is|to|.r|er|on|je)"
    r"(?:\s(?:jetzt|nun|dann|ahora|maintenant|agora|nu|ora))?)"
)
_VALUE = r"[\"'`]?(?P<secret>[^\s\"'`,;]{3,}[^\s\"'`,;:.)])"

SENTENCE_FAMILIES = (
    Family(
        "told_secret",
        r"(?i:pass ?word|passwd|pass ?phrase|passcode|pwd|pw|contrase|passwort|secret|token|key"
        r"|credential|login)",
        rf"(?i)\b(?P<key>{_NAMES}){_FOR}{_IS}:?\s{_VALUE}",
        is_told_secret,
    ),
    Family(
        "told_secret",
        r"(?i:pass ?word|passwd|pass ?phrase)",
        rf"(?i)\b(?:with|using|by)\s(?:the\s)?(?P<key>pass ?word|passwd|pass ?phrase):?\s{_VALUE}",
        is_told_secret,
    ),
    Family(
        "told_secret",
        r"(?i:chang|reset|rotat)",
        rf"(?i)\b(?:changed?|reset|rotated?)\s(?:[a-z]{{1,12}}\s){{0,3}}?(?P<key>{_NAMES})\s"
        rf"(?:from\s\S{{1,60}}\s)?to\s{_VALUE}",
        is_told_secret,
    ),
    Family(
        "told_secret",
        rf"(?i:{_NAMES_ELSEWHERE})",
        rf"(?i)(?P<key>{_NAMES_ELSEWHERE}){_FOR_ELSEWHERE}(?:{_IS_ELSEWHERE}:?|\s?:)\s{_VALUE}",
        is_told_secret,
    ),
    Family(
        "told_secret",
        r"(?i:\bas\s(?:the|our|my|your|its|an?)\s)",
        r"(?i)\b(?:use|using|take|set|with)\s[\"'`]?(?P<secret>[^\s\"'`,;]{6,})[\"'`]?\sas\s"
        r"(?:the|our|my|your|its|an?)\s(?:[a-z]{1,20}\s)?"
        r"(?P<key>(?:api|access|secret|auth)[ -]?(?:key|token)|pass ?word|pass ?phrase|token"
        r"|secret)\b",
        is_mixed,
    ),
    Family(
        "told_secret",
        r"(?i:log ?in|sign ?in|cred|zugangsdaten|identifiants|credenciales)",
        r"(?i)\b(?:log ?in|sign ?in|cred(?:ential)?s|zugangsdaten|identifiants|credenciales)"
        r"(?:\s(?:with|as|using|are|is))?:?\s[\"'`]?"
        r"[a-z0-9_.@-]{1,60}[\"'`]?(?:\s?/\s?|:)[\"'`]?"
        r"(?P<secret>[^\s\"'`,;/]{4,60}[^\s\"'`,;:./)])",
        is_mixed,
    ),
    Family(
        "told_secret",
        r"(?i:user)",
        r"(?i)\buser(?:name)?(?::|=|\sis)?\s?[^\s,:=]{1,60},?\s(?:and\s)?(?P<key>pw|pass(?:word)?)"
        r"(?::|=|\sis)?\s[\"'`]?(?P<secret>[^\s\"'`,;]{5,})",
        is_told_secret,
    ),
    Family(
        "told_secret",
        r"(?i:wlan|wi-?fi|wpa)",
        r"(?i)\b(?:wlan|wi-?fi|wpa2?)[ -](?:key|schl.ssel|code)(?:\s?:|\s=|\sis|\sist)\s"
        r"(?P<secret>[^\s\"'`,;]{8,63})",
        has_many_digits,
    ),
    Family(
        "told_secret",
        r"(?i:set_?(?:password|secret))",
        r"(?i)\b(?:[a-z]+[_.])?set_?(?P<key>password|secret)\([\"'](?P<secret>[^\"'\n]{5,})[\"']",
        is_told_secret,
    ),
)
