"""Plurals and their singular, of words that stand behind a number in the program's sentences."""

NOUNS = """
users:user accounts:account people:person persons:person others:other queries:query searches:search
strings:string rows:row records:record sessions:session bundles:bundle events:event clicks:click
pages:page words:word tokens:token names:name ids:id keys:key values:value pairs:pair groups:group
clusters:cluster candidates:candidate cells:cell columns:column lines:line files:file parts:part
entries:entry releases:release runs:run settings:setting checks:check attacks:attack
assumptions:assumption dismissals:dismissal marks:mark rounds:round times:time hours:hour
minutes:minute seconds:second days:day weeks:week months:month bits:bit counts:count digits:digit
n-grams:n-gram periods:period sites:site rules:rule draws:draw choices:choice lists:list
targets:target terms:term results:result Nutzer:Nutzer Nutzern:Nutzer Konten:Konto Personen:Person
Anfragen:Anfrage Suchanfragen:Suchanfrage Suchen:Suche Zeichenketten:Zeichenkette
Zeichenfolgen:Zeichenfolge Zeilen:Zeile Begriffe:Begriff Begriffen:Begriff Datensätze:Datensatz
Datensätzen:Datensatz Sitzungen:Sitzung Bündel:Bündel Bündeln:Bündel Ereignisse:Ereignis
Ereignissen:Ereignis Klicks:Klick Seiten:Seite Wörter:Wort Wörtern:Wort Namen:Name Kennungen:Kennung
Nutzerkennungen:Nutzerkennung Schlüssel:Schlüssel Schlüsseln:Schlüssel Werte:Wert Werten:Wert
Paare:Paar Paaren:Paar Gruppen:Gruppe Kandidaten:Kandidat Zellen:Zelle Spalten:Spalte Dateien:Datei
Teile:Teil Teilen:Teil Einträge:Eintrag Einträgen:Eintrag Freigaben:Freigabe Läufe:Lauf Läufen:Lauf
Einstellungen:Einstellung Prüfungen:Prüfung Angriffe:Angriff Angriffen:Angriff Annahmen:Annahme
Runden:Runde Stunden:Stunde Minuten:Minute Sekunden:Sekunde Tage:Tag Tagen:Tag Wochen:Woche
Monate:Monat Monaten:Monat Ziehungen:Ziehung Auswahlen:Auswahl Zahlen:Zahl Regeln:Regel
Ziffern:Ziffer Seitenaufrufe:Seitenaufruf Bits:Bit Zählungen:Zählung N-Gramme:N-Gramm
Zeiträume:Zeitraum Websites:Website
"""
"""Right behind the number, or up to two words later."""

VERBS = """
are:is were:was have:has haben:hat sind:ist werden:wird wurden:wurde
"""
"""Up to five words behind the noun."""

NEAR = """
stand:stands hold:holds fail:fails count:counts lie:lies belong:belongs need:needs show:shows
stehen:steht geben:gibt stellten:stellte scheitern:scheitert zählen:zählt bleiben:bleibt
liegen:liegt gelten:gilt gehören:gehört können:kann fehlen:fehlt bestimmen:bestimmt
enthalten:enthält ergeben:ergibt fallen:fällt genügen:genügt gleichen:gleicht kamen:kam
lassen:lässt nennen:nennt unterscheiden:unterscheidet verfehlen:verfehlt zeigen:zeigt
zwingen:zwingt
"""
"""Verbs right behind the noun: elsewhere they could be nouns."""

STRONG = {
    "r": """Nutzer Begriff Datensatz Klick Schlüssel Wert Kandidat Eintrag Lauf Angriff Teil Tag
        Monat Name Versuch""",
    "s": "Konto Bündel Ereignis Wort Paar N-Gramm",
}
"""What an adjective in -e gains in the singular before nouns that are masculine or neuter."""

FORMS = dict(pair.split(":") for pair in (NOUNS + VERBS + NEAR).split())
ENDINGS = {noun: ending for ending, nouns in STRONG.items() for noun in nouns.split()}
