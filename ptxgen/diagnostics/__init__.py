"""Diagnostics for readers: what each code means, and findings as text, JSON, SARIF and commands of GitHub workflows.

    from ptxgen.diagnostics import Checked, as_sarif, as_text

    found = Checked.of("kernel.ptx", ptxgen.check(text).diagnostics, text)
    print(as_text(found))
"""

from ptxgen.diagnostics.checked import Checked
from ptxgen.diagnostics.codes import Code, codes
from ptxgen.diagnostics.github import as_github
from ptxgen.diagnostics.machine import as_json
from ptxgen.diagnostics.sarif import as_sarif
from ptxgen.diagnostics.text import as_text

__all__ = ["Checked", "Code", "as_github", "as_json", "as_sarif", "as_text", "codes"]
