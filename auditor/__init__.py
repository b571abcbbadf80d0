"""Query Log Privacy Auditor: may this web-search query log be released?"""

__version__ = "0.1.0"
