"""Tokens of code hosts, package registries, builds, and the tools around code."""

from tilth.privacy.families.family import Family, near
from tilth.privacy.families.judgement import is_mixed

CODE_HOST_FAMILIES = (
    Family("github_token", r"gh[pousr]_", r"gh[pousr]_[A-Za-z0-9]{36,}"),
    Family("github_token", r"github_pat_", r"github_pat_[A-Za-z0-9_]{36,}"),
    Family(
        "gitlab_token",
        r"gl(?:pat|oas|dt|rtr?|ptt|ft|imt|agent|soat|ffct|cbt|wt)-",
        r"gl(?:pat|oas|dt|rtr?|ptt|ft|imt|agent|soat|ffct|cbt|wt)-[A-Za-z0-9_.=-]{20,}",
    ),
    Family("gitlab_token", r"GR1348941", r"GR1348941[A-Za-z0-9_-]{20,}"),
    Family("bitbucket_token", r"ATBB", r"\bATBB[A-Za-z0-9]{24,}"),
    Family("gitea_token", r"(?i:gitea|forgejo)", near("gitea|forgejo", r"[0-9a-f]{40}")),
    Family("npm_token", r"npm_", r"\bnpm_[A-Za-z0-9]{36,}"),
    Family("pypi_token", r"pypi-AgE", r"pypi-AgE[A-Za-z0-9_-]{50,}"),
    Family("rubygems_key", r"rubygems_", r"rubygems_[0-9a-f]{48}"),
    Family("nuget_key", r"\boy2", r"\boy2[a-z0-9]{43}\b"),
    Family("crates_token", r"\bcio", r"\bcio[A-Za-z0-9]{32}\b", is_mixed),
    Family("clojars_token", r"CLOJARS_", r"CLOJARS_[a-z0-9]{60}"),
    Family("packagist_token", r"packagist_", r"packagist_[a-z]{3}_[0-9a-f]{68}"),
    Family("docker_token", r"dckr_", r"dckr_(?:pat|oat)_[A-Za-z0-9_-]{27,}"),
    Family("docker_auth", r'"auth"', r'"auth"\s*:\s*"(?P<secret>[A-Za-z0-9+/]{12,}={0,2})"'),
    Family("circleci_token", r"CCIP", r"CCIP(?:AT|RJ)_[A-Za-z0-9_]{20,}"),
    Family("buildkite_token", r"bkua_", r"bkua_[0-9a-f]{40}"),
    Family("jfrog_key", r"AKCp", r"\bAKCp[A-Za-z0-9]{60,}"),
    Family("jfrog_key", r"cmVmdGtu", r"\bcmVmdGtu[A-Za-z0-9]{50,}"),
    Family("sonar_token", r"\bsq[apu]_", r"\bsq[apu]_[0-9a-f]{40}\b"),
    Family(
        "snyk_token", r"(?i:snyk)", near("snyk", r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}")
    ),
    Family("codecov_token", r"(?i:codecov)", near("codecov", r"[0-9a-f-]{32,36}")),
    Family("sourcegraph_token", r"sgp_", r"\bsgp_(?:[0-9a-f]{16}_|local_)?[0-9a-f]{40}\b"),
    Family("sentry_token", r"sntrys_", r"sntrys_eyJ[A-Za-z0-9+/=_-]{30,}"),
    Family("sentry_token", r"sntryu_", r"sntryu_[0-9a-f]{64}"),
    Family("postman_key", r"PMAK-", r"PMAK-[0-9a-f]{24}-[0-9a-f]{34}"),
    Family("readme_key", r"rdme_", r"rdme_[a-z0-9]{70}"),
    Family("netlify_token", r"nfp_", r"\bnfp_[A-Za-z0-9]{36,}"),
    Family("render_key", r"rnd_", r"\brnd_[A-Za-z0-9]{28,}", is_mixed),
    Family("vercel_token", r"vercel_blob_rw_", r"vercel_blob_rw_[A-Za-z0-9_]{30,}"),
    Family("vercel_token", r"(?i:vercel)", near("vercel", r"[A-Za-z0-9]{24}"), is_mixed),
    Family("linear_key", r"lin_(?:api|oauth)_", r"lin_(?:api|oauth)_[A-Za-z0-9]{32,}"),
    Family("atlassian_token", r"AT[AC]TT3", r"\bAT[AC]TT3[A-Za-z0-9_=-]{50,}"),
    Family("clickup_token", r"\bpk_", r"\bpk_\d{6,9}_[A-Z0-9]{32}\b"),
    Family("asana_token", r"[12]/\d{16}", r"\b[12]/\d{16}(?:/\d{16})?:[0-9a-f]{32}\b"),
    Family("figma_token", r"fig[a-z]{1,2}_", r"\bfig(?:d|dr|o|oh|or|ur)_[A-Za-z0-9_-]{36,}"),
    Family(
        "launchdarkly_key",
        r"\b(?:sdk|api|mob)-",
        r"\b(?:sdk|api|mob)-[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b",
    ),
)
