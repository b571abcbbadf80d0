<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de" sourcelanguage="en">
  <context>
    <name>Banner</name>
    <message>
      <location filename="../../auditor/gui/banner.py" />
      <source>Close this message</source>
      <translation>Diese Meldung schließen</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/banner.py" />
      <source>Message</source>
      <translation>Meldung</translation>
    </message>
  </context>
  <context>
    <name>Browser</name>
    <message>
      <location filename="../../auditor/gui/help_browser.py" />
      <source>Picture</source>
      <translation>Bild</translation>
    </message>
  </context>
  <context>
    <name>CheckSection</name>
    <message>
      <location filename="../../auditor/gui/checks_panel.py" />
      <source>Parameters of {title}</source>
      <translation>Parameter von: {title}</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/checks_panel.py" />
      <source>Show its parameters</source>
      <translation>Die Parameter zeigen</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/checks_panel.py" />
      <source>changed</source>
      <translation>geändert</translation>
    </message>
  </context>
  <context>
    <name>ChecksPanel</name>
    <message>
      <location filename="../../auditor/gui/checks_panel.py" />
      <source> and </source>
      <translation> und </translation>
    </message>
    <message>
      <location filename="../../auditor/gui/checks_panel.py" />
      <source>Attacks</source>
      <translation>Angriffe</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/checks_panel.py" />
      <source>Attacks and measures</source>
      <translation>Angriffe und Maße</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/checks_panel.py" />
      <source>Left out of the run that is shown: {skipped}.</source>
      <translation>Im angezeigten Lauf ausgelassen: {skipped}.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/checks_panel.py" />
      <source>Measures</source>
      <translation>Maße</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/checks_panel.py" />
      <source>Needs {missing}: choose above.</source>
      <translation>Benötigt {missing}: oben wählen.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/checks_panel.py" />
      <source>What attackers know</source>
      <translation>Was Angreifer wissen</translation>
    </message>
  </context>
  <context>
    <name>Compare</name>
    <message>
      <location filename="../../auditor/gui/compare_lines.py" />
      <source> (higher is better)</source>
      <translation> (höher ist besser)</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/compare_lines.py" />
      <source> (lower is better)</source>
      <translation> (niedriger ist besser)</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/compare_lines.py" />
      <source> better</source>
      <translation> besser</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/compare_lines.py" />
      <source> worse</source>
      <translation> schlechter</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/compare_lines.py" />
      <source>, within their intervals</source>
      <translation>, innerhalb der Intervalle</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/compare_lines.py" />
      <source>Figures</source>
      <translation>Kennzahlen</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/compare_lines.py" />
      <source>Parameters</source>
      <translation>Parameter</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/compare_lines.py" />
      <source>Statement</source>
      <translation>Zusicherung</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/compare_lines.py" />
      <source>does not apply</source>
      <translation>nicht anwendbar</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/compare_lines.py" />
      <source>method</source>
      <translation>Verfahren</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/compare_lines.py" />
      <source>none</source>
      <translation>keine</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/compare_lines.py" />
      <source>not used</source>
      <translation>nicht verwendet</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/compare_lines.py" />
      <source>promise</source>
      <translation>Zusage</translation>
    </message>
  </context>
  <context>
    <name>ComparePanel</name>
    <message>
      <location filename="../../auditor/gui/compare.py" />
      <source>Comparison of runs</source>
      <translation>Vergleich von Läufen</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/compare.py" />
      <source>Comparison of runs {}</source>
      <translation>Vergleich der Läufe {}</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/compare.py" />
      <source>Copy as CSV</source>
      <translation>Als CSV kopieren</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/compare.py" />
      <source>In brackets: the difference to run {}. A dot marks what is not the same, a star the best.</source>
      <translation>In Klammern: der Unterschied zu Lauf {}. Ein Punkt markiert, was nicht gleich ist, ein Stern das Beste.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/compare.py" />
      <source>Only what differs</source>
      <translation>Nur Unterschiede</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/compare.py" />
      <source>Plots</source>
      <translation>Diagramme</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/compare.py" />
      <source>Select two or more finished runs in the list and press Compare.</source>
      <translation>Wählen Sie in der Liste zwei oder mehr fertige Läufe und drücken Sie „Vergleichen“.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/compare.py" />
      <source>Settings and figures</source>
      <translation>Einstellungen und Kennzahlen</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/compare.py" />
      <source>What is compared</source>
      <translation>Was verglichen wird</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/compare.py" />
      <source>Who is exposed</source>
      <translation>Wer preisgegeben wird</translation>
    </message>
  </context>
  <context>
    <name>ComparedPlots</name>
    <message>
      <location filename="../../auditor/gui/compare_plots.py" />
      <source>Axes differ, so ranges are not shared.</source>
      <translation>Die Achsen unterscheiden sich, daher gibt es keinen gemeinsamen Bereich.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/compare_plots.py" />
      <source>Plot to compare</source>
      <translation>Zu vergleichendes Diagramm</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/compare_plots.py" />
      <source>Run {} has no such plot.</source>
      <translation>Lauf {} hat kein solches Diagramm.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/compare_plots.py" />
      <source>The first {} runs are drawn.</source>
      <translation>Gezeichnet sind die ersten {} Läufe.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/compare_plots.py" />
      <source>These runs have no plots. Attacks and measures draw them.</source>
      <translation>Diese Läufe haben keine Diagramme. Angriffe und Maße zeichnen sie.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/compare_plots.py" />
      <source>Zooming or moving one plot moves the others with it</source>
      <translation>Zoomen oder Verschieben eines Diagramms bewegt die anderen mit</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/compare_plots.py" />
      <source>same range in all</source>
      <translation>überall gleicher Bereich</translation>
    </message>
  </context>
  <context>
    <name>Controller</name>
    <message>
      <location filename="../../auditor/gui/controller.py" />
      <source>the sample log</source>
      <translation>das Beispielprotokoll</translation>
    </message>
  </context>
  <context>
    <name>CostCard</name>
    <message>
      <location filename="../../auditor/gui/cost_card.py" />
      <source> A sample of the users would take less.</source>
      <translation> Eine Stichprobe der Nutzer braucht weniger.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/cost_card.py" />
      <source> – a guess: no log nearly as large was measured</source>
      <translation> – geschätzt: kein annähernd so großes Protokoll wurde gemessen</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/cost_card.py" />
      <source>! That is long.</source>
      <translation>! Das dauert lange.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/cost_card.py" />
      <source>, after {time} for those in line</source>
      <translation>, nach {time} für die wartenden</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/cost_card.py" />
      <source>A run takes about {cost}</source>
      <translation>Ein Lauf braucht etwa {cost}</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/cost_card.py" />
      <source>Faster: {changes}</source>
      <translation>Schneller: {changes}</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/cost_card.py" />
      <source>Leave out {names}</source>
      <translation>{names} weglassen</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/cost_card.py" />
      <source>What a run will take</source>
      <translation>Was ein Lauf braucht</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/cost_card.py" />
      <source>{names} and {count} more</source>
      <translation>{names} und {count} weitere</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/cost_card.py" />
      <source>{size} GiB of memory</source>
      <translation>{size} GiB Speicher</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/cost_card.py" />
      <source>✗ It won't fit into the memory that is free.</source>
      <translation>✗ Das passt nicht in den freien Speicher.</translation>
    </message>
  </context>
  <context>
    <name>Counted</name>
    <message numerus="yes">
      <location filename="../../auditor/gui/review_data.py" />
      <source>assumptions fail</source>
      <translation>
        <numerusform>Annahme nicht zutrifft</numerusform>
        <numerusform>Annahmen nicht zutreffen</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <location filename="../../auditor/gui/wizard_intent.py" />
      <source>files</source>
      <translation>
        <numerusform>Datei</numerusform>
        <numerusform>Dateien</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <location filename="../../auditor/gui/review_data.py" />
      <source>marked queries</source>
      <translation>
        <numerusform>markierte Anfrage</numerusform>
        <numerusform>markierte Anfragen</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <location filename="../../auditor/gui/session_data.py" />
      <source>queries</source>
      <translation>
        <numerusform>Anfrage</numerusform>
        <numerusform>Anfragen</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <location filename="../../auditor/gui/rejects_view.py" />
      <source>rows</source>
      <translation>
        <numerusform>Zeile</numerusform>
        <numerusform>Zeilen</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <location filename="../../auditor/gui/flagged_table.py" />
      <source>sessions</source>
      <translation>
        <numerusform>Sitzung</numerusform>
        <numerusform>Sitzungen</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <location filename="../../auditor/gui/review_data.py" />
      <source>sessions were</source>
      <translation>
        <numerusform>Sitzung von Hand verworfen wurde</numerusform>
        <numerusform>Sitzungen von Hand verworfen wurden</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <location filename="../../auditor/gui/review_data.py" />
      <source>sessions were flagged</source>
      <translation>
        <numerusform>Sitzung fiel auf</numerusform>
        <numerusform>Sitzungen fielen auf</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <location filename="../../auditor/gui/session_view.py" />
      <source>times</source>
      <translation>
        <numerusform>Mal</numerusform>
        <numerusform>Mal</numerusform>
      </translation>
    </message>
  </context>
  <context>
    <name>Engine</name>
    <message>
      <location filename="../../auditor/release/answer.py" />
      <source> (chance {0})</source>
      <translation> (Wahrscheinlichkeit {0})</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/dp_audit_report.py" />
      <source> Assumptions that fail by the statement itself: {0}.</source>
      <translation> Annahmen, die laut der Zusicherung selbst nicht zutreffen: {0}.</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/retrieval_report.py" />
      <source> Flatters: feedback is taken from the test.</source>
      <translation> Schmeichelt: Die Rückmeldung stammt aus der Prüfung.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/k_delta_explain.py" />
      <source> Nothing is suppressed in this mode.</source>
      <translation> In diesem Modus entfällt nichts.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/dp_audit_report.py" />
      <source> So many runs could have shown up to {0#}; the truth may lie between.</source>
      <translation> So viele Läufe hätten bis zu {0#} zeigen können; die Wahrheit kann dazwischen liegen.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/dp_audit_report.py" />
      <source> That confirms nothing: so many runs can't show more than {0#}, and the claim lies above.</source>
      <translation> Das bestätigt nichts: So viele Läufe können nicht mehr als {0#} zeigen, und die Behauptung liegt darüber.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/dp_audit_report.py" />
      <source> The claim lies beyond the right end of the scale.</source>
      <translation> Die Behauptung liegt jenseits des rechten Endes der Skala.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/korolova.py" />
      <source> The click table voids this: no noise hides that a released pair was clicked.</source>
      <translation> Die Klicktabelle hebt das auf: Kein Rauschen verbirgt, dass ein freigegebenes Paar geklickt wurde.</translation>
    </message>
    <message>
      <location filename="../../auditor/privacy/accounting.py" />
      <source> The noisy counts alone cost {0#}.</source>
      <translation> Die verrauschten Anzahlen allein kosten {0#}.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/zealous.py" />
      <source> The source states {0#} for this threshold, which does not hold.</source>
      <translation> Die Quelle nennt {0#} für diesen Schwellenwert, was nicht gilt.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/safelog_statement.py" />
      <source> This δ is too large to protect anybody: raise K and K_c, or lower delta.</source>
      <translation> Dieses δ ist zu groß, um jemanden zu schützen: Erhöhen Sie K und K_c, oder senken Sie delta.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_report.py" />
      <source> Up to {0#} searches for cliques were ended early with the largest so far.</source>
      <translation> Bis zu {0#} Suchen nach Cliquen wurden früh mit der bis dahin größten beendet.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/statements.py" />
      <source> all members have the same {0}, by construction</source>
      <translation> alle Mitglieder haben dieselben {0*}, dem Aufbau nach</translation>
    </message>
    <message>
      <location filename="../../auditor/engine/costs.py" />
      <source> and {0#} GiB</source>
      <translation> und {0#} GiB</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/safelog_statement.py" />
      <source> dropped {0#} of {1#} distinct queries; {2#} stand at τ − 1 or τ, where one user brings a query back, or drops it, for everybody who asked it</source>
      <translation> entfernte {0#} von {1#} verschiedenen Anfragen; {2#} stehen bei τ − 1 oder τ, wo ein Nutzer eine Anfrage für alle, die sie stellten, zurückbringt oder entfernt</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/korolova.py" />
      <source> of a list, whether clicked or not</source>
      <translation> einer Liste, ob geklickt oder nicht</translation>
    </message>
    <message>
      <location filename="../../auditor/log/mapping.py" />
      <source> or a pattern like %Y-%m-%d</source>
      <translation> oder ein Muster wie %Y-%m-%d</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/k_delta_common.py" />
      <source> relaxed by ε = {0#}</source>
      <translation> gelockert um ε = {0#}</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/korolova.py" />
      <source> that users clicked</source>
      <translation> die Nutzer klickten</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/vanity_report.py" />
      <source>% in random order</source>
      <translation>% in zufälliger Reihenfolge</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/vanity_report.py" />
      <source>% of all users</source>
      <translation>% aller Nutzer</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/entities.py" />
      <source>% of people</source>
      <translation>% der Menschen</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/geo_vanity_report.py" />
      <source>% of users</source>
      <translation>% der Nutzer</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/vanity_report.py" />
      <source>% of users with a name</source>
      <translation>% der Nutzer mit Namen</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/geo_vanity_report.py" />
      <source>% with another's home</source>
      <translation>% mit fremdem Wohnort</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/menus.py" />
      <source>&amp;Dark</source>
      <translation>&amp;Dunkel</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/menus.py" />
      <source>&amp;Light</source>
      <translation>&amp;Hell</translation>
    </message>
    <message>
      <location filename="../../auditor/project/file.py" />
      <source>'{0}' is a folder. Choose another name.</source>
      <translation>'{0}' ist ein Ordner. Wählen Sie einen anderen Namen.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/k_delta.py" />
      <source>(k,δ)-anonymity</source>
      <translation>(k,δ)-Anonymität</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/m_k_delta_epsilon.py" />
      <source>(m,k,δ,ε)-anonymity</source>
      <translation>(m,k,δ,ε)-Anonymität</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/safelog_statement.py" />
      <source>(q_f − 1)/b_t; noise in all cells</source>
      <translation>(q_f − 1)/b_t; Rauschen in allen Zellen</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/k_delta_common.py" />
      <source>({0#}, {1#})-anonymity</source>
      <translation>({0#}, {1#})-Anonymität</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/k_delta_common.py" />
      <source>({0#}, {1#}, {2#}, {3#})-anonymity</source>
      <translation>({0#}, {1#}, {2#}, {3#})-Anonymität</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_report.py" />
      <source>+ best cliques</source>
      <translation>+ beste Cliquen</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_report.py" />
      <source>+ best components</source>
      <translation>+ beste Komponenten</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/dp_audit_logs.py" />
      <source>, and clicks common pages {0}.</source>
      <translation>, und klickt häufige Seiten {0}.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/korolova.py" />
      <source>, and counts once a query</source>
      <translation>, und zählt eine Anfrage einmal</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/surviving_report.py" />
      <source>, and what survives</source>
      <translation>, und was erhalten bleibt</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/explain_rows.py" />
      <source>, at least</source>
      <translation>, mindestens</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/bundling.py" />
      <source>, estimated from a sample of users</source>
      <translation>, geschätzt aus einer Stichprobe der Nutzer</translation>
    </message>
    <message>
      <location filename="../../auditor/engine/costs.py" />
      <source>, far beyond what was measured ({0#} times the rows)</source>
      <translation>, weit jenseits des Gemessenen ({0#}-mal so viele Zeilen)</translation>
    </message>
    <message>
      <location filename="../../auditor/release/policy.py" />
      <source>, gate {0}</source>
      <translation>, Bedingung {0}</translation>
    </message>
    <message>
      <location filename="../../auditor/privacy/statement.py" />
      <source>, if what is assumed holds</source>
      <translation>, wenn das Angenommene gilt</translation>
    </message>
    <message>
      <location filename="../../auditor/release/comparison.py" />
      <source>, less is better</source>
      <translation>, weniger ist besser</translation>
    </message>
    <message>
      <location filename="../../auditor/release/comparison.py" />
      <source>, more is better</source>
      <translation>, mehr ist besser</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/safelog_statement.py" />
      <source>, which protects nobody.</source>
      <translation>, was niemanden schützt.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/dp_audit_logs.py" />
      <source>, {0#} times</source>
      <translation>, {0#}-mal</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/dp_audit_logs.py" />
      <source>, {0#} times.</source>
      <translation>, {0#}-mal.</translation>
    </message>
    <message>
      <location filename="../../auditor/engine/sweeping.py" />
      <source>--grid takes NAME=V1,V2,…, got '{}'.</source>
      <translation>--grid takes NAME=V1,V2,…, got '{}'.</translation>
    </message>
    <message>
      <location filename="../../auditor/fitting.py" />
      <source>--sample-users takes a share above 0 and up to 1.</source>
      <translation>--sample-users takes a share above 0 and up to 1.</translation>
    </message>
    <message>
      <location filename="../../auditor/log/memory.py" />
      <source>--{0} takes a size of {1} or more, like 2GiB or 1500MiB.</source>
      <translation>--{0} takes a size of {1} or more, like 2GiB or 1500MiB.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/safelog_statement.py" />
      <source>. Without it: (ε, δ) = ({0}, {1}), δ &lt; 1/users</source>
      <translation>. Ohne ihn: (ε, δ) = ({0}, {1}), δ &lt; 1/Nutzer</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/safelog_statement.py" />
      <source>. Without it: (ε, δ) = ({0}, {1}), δ ≥ 1/users</source>
      <translation>. Ohne ihn: (ε, δ) = ({0}, {1}), δ ≥ 1/Nutzer</translation>
    </message>
    <message>
      <location filename="../../auditor/release/policy_schema.py" />
      <source>0 or 1</source>
      <translation>0 oder 1</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/unbundling_params.py" />
      <source>0.2 % of the reference's users, 40 at least</source>
      <translation>0,2 % der Nutzer des Vergleichsprotokolls, mindestens 40</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/vanity_params.py" />
      <source>1 / log c</source>
      <translation>1 / log c</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/vanity_params.py" />
      <source>1 / log(1 + c)</source>
      <translation>1 / log(1 + c)</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_topic_tables.py" />
      <source>1 day</source>
      <translation>1 Tag</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_tables.py" />
      <source>1 hour</source>
      <translation>1 Stunde</translation>
    </message>
    <message>
      <location filename="../../auditor/release/policy_schema.py" />
      <source>1 if anything is guaranteed, 0 if not: a pseudonym guarantees nothing.</source>
      <translation>1, wenn etwas garantiert ist, sonst 0: Ein Pseudonym garantiert nichts.</translation>
    </message>
    <message>
      <location filename="../../auditor/release/policy_schema.py" />
      <source>1 if the audit refutes the claim, 0 if not</source>
      <translation>1, wenn die Prüfung die Behauptung widerlegt, sonst 0</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_tables.py" />
      <source>1 month</source>
      <translation>1 Monat</translation>
    </message>
    <message>
      <location filename="../../auditor/release/ledger_totals.py" />
      <source>1 release</source>
      <translation>1 Freigabe</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_tables.py" />
      <source>1 week</source>
      <translation>1 Woche</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/k_delta_outlook.py" />
      <source>1 where all of a group have the same share of every interest.</source>
      <translation>1, wo alle einer Gruppe denselben Anteil jedes Interesses haben.</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/similarity.py" />
      <source>1 − half the sum of differences of their shares: 1 is alike, 0 nothing shared.</source>
      <translation>1 − halbe Summe der Unterschiede ihrer Anteile: 1 ist gleich, 0 nichts gemeinsam.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/outlook.py" />
      <source>1/users = {0#}</source>
      <translation>1/Nutzer = {0#}</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/microaggregation_outlook.py" />
      <source>100 / k</source>
      <translation>100 / k</translation>
    </message>
    <message>
      <location filename="../../auditor/log/read.py" />
      <source>2	é	2006-03-01 00:00:00	1	http://a.example
1	b	2006-03-01 00:00:00		
</source>
      <translation>2	é	2006-03-01 00:00:00	1	http://a.example
1	b	2006-03-01 00:00:00		
</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_tables.py" />
      <source>2 months</source>
      <translation>2 Monate</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/token_hashing.py" />
      <source>256 bits from the operating system, forgotten with the run</source>
      <translation>256 Bit vom Betriebssystem, mit dem Lauf vergessen</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/zealous.py" />
      <source>2m/λ; chance to pass τ' alone</source>
      <translation>2m/λ; Wahrscheinlichkeit, allein τ' zu erreichen</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_tables.py" />
      <source>3 hours</source>
      <translation>3 Stunden</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_tables.py" />
      <source>6 hours</source>
      <translation>6 Stunden</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_tables.py" />
      <source>9 hours</source>
      <translation>9 Stunden</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_report.py" />
      <source>95 % from</source>
      <translation>95 % von</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/vanity_report.py" />
      <source>95 % from </source>
      <translation>95 % von </translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_confidence.py" />
      <source>95 % to</source>
      <translation>95 % bis</translation>
    </message>
    <message>
      <location filename="../../auditor/release/gates.py" />
      <source>; 95 % interval {0} to {1}, guessing {2}</source>
      <translation>; 95-%-Intervall {0} bis {1}, Raten {2}</translation>
    </message>
    <message>
      <location filename="../../auditor/release/gates.py" />
      <source>; flagged sessions of which something survives</source>
      <translation>; auffällige Sitzungen, von denen etwas erhalten bleibt</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/statements.py" />
      <source>; it holds {0#} % of this log's distinct queries</source>
      <translation>; er enthält {0#} % der verschiedenen Anfragen dieses Protokolls</translation>
    </message>
    <message>
      <location filename="../../auditor/ledgers.py" />
      <source>; overridden: {0}</source>
      <translation>; aufgehoben: {0}</translation>
    </message>
    <message>
      <location filename="../../auditor/release/gates.py" />
      <source>; the model is: {0}</source>
      <translation>; das Modell ist: {0*}</translation>
    </message>
    <message>
      <location filename="../../auditor/release/ledger_totals.py" />
      <source>; the units differ, so nothing can be added</source>
      <translation>; die Einheiten unterscheiden sich, also lässt sich nichts zusammenzählen</translation>
    </message>
    <message>
      <location filename="../../auditor/release/ledger_totals.py" />
      <source>; {0#} more without a guarantee, which no ε bounds</source>
      <translation>; {0#} weitere ohne Garantie, die kein ε begrenzt</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/safelog_statement.py" />
      <source>; {0#} of this log's {1#} queries are in it</source>
      <translation>; {0#} der {1#} Anfragen dieses Protokolls sind darin</translation>
    </message>
    <message>
      <location filename="../../auditor/release/ledger_totals.py" />
      <source>; {0#} release of this log together</source>
      <translation>; {0#} Freigabe dieses Protokolls zusammen</translation>
    </message>
    <message>
      <location filename="../../auditor/release/ledger_totals.py" />
      <source>; {0#} releases of this log together</source>
      <translation>; {0#} Freigaben dieses Protokolls zusammen</translation>
    </message>
    <message>
      <location filename="../../auditor/privacy/statement.py" />
      <source>; {0} assumption fails</source>
      <translation>; {0} Annahme trifft nicht zu</translation>
    </message>
    <message>
      <location filename="../../auditor/privacy/statement.py" />
      <source>; {0} assumptions fail</source>
      <translation>; {0} Annahmen treffen nicht zu</translation>
    </message>
    <message>
      <location filename="../../auditor/release/gates.py" />
      <source>; δ = {0} times {1#} users</source>
      <translation>; δ = {0} mal {1#} Nutzer</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/dp_audit_summary.py" />
      <source>? Not audited: nobody has tried to refute this claim.</source>
      <translation>? Nicht geprüft: Niemand hat versucht, diese Behauptung zu widerlegen.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/dp_audit_summary.py" />
      <source>? Not refuted, and not confirmed: ε is at least {0#}; the claim of {1} lies beyond what these runs can see.</source>
      <translation>? Nicht widerlegt und nicht bestätigt: ε ist mindestens {0#}; die Behauptung von {1} liegt jenseits dessen, was diese Läufe sehen.</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/site_clustering.py" />
      <source>A CSV table with columns site, label: what some sites are about. With it clusters get a purity.</source>
      <translation>Eine CSV-Tabelle mit den Spalten site, label: wovon einige Websites handeln. Damit erhalten Cluster eine Reinheit.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/checks_panel.py" />
      <source>A CSV table with columns user, userid, name, zip: what attackers know of some users.</source>
      <translation>Eine CSV-Tabelle mit den Spalten user, userid, name, zip: was Angreifer über einige Nutzer wissen.</translation>
    </message>
    <message>
      <location filename="../../auditor" />
      <source>A bound from below is about what was tried: the truth may lie higher, and silence proves nothing.</source>
      <translation>Eine untere Schranke betrifft, was versucht wurde: Die Wahrheit kann höher liegen, und Schweigen beweist nichts.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/dp_audit_report.py" />
      <source>A bound from below is about what was tried: the truth may lie higher, and silence proves nothing. The logs are invented, so the audit looks at nobody and spends no ε; their noise </source>
      <translation>Eine untere Schranke betrifft, was versucht wurde: Die Wahrheit kann höher liegen, und Schweigen beweist nichts. Die Protokolle sind erfunden; die Prüfung sieht also niemanden an und verbraucht kein ε. </translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/geo_vanity.py" />
      <source>A city has many postal codes. One of them is a fair guess at a home; any of them says whether she asks for her own city, and finds more by chance, too.</source>
      <translation>Eine Stadt hat viele Postleitzahlen. Eine davon ist eine faire Vermutung des Wohnorts; irgendeine sagt, ob jemand nach der eigenen Stadt fragt, und findet auch durch Zufall mehr.</translation>
    </message>
    <message>
      <location filename="../../resources/policies" />
      <source>A claim that runs on neighbouring logs refute is false, whatever its proof says.</source>
      <translation>Eine Behauptung, die Läufe auf benachbarten Protokollen widerlegen, ist falsch, was auch ihr Beweis sagt.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/token_hashing.py" />
      <source>A clicked page does not tell the words of the query before it.</source>
      <translation>Eine geklickte Seite verrät nicht die Wörter der Anfrage davor.</translation>
    </message>
    <message>
      <location filename="../../auditor/log/structured.py" />
      <source>A column can't be read as the role it is given.</source>
      <translation>Eine Spalte ist in der ihr gegebenen Rolle nicht lesbar.</translation>
    </message>
    <message>
      <location filename="../../auditor/log/structured.py" />
      <source>A column holds neither text nor numbers.</source>
      <translation>Eine Spalte enthält weder Text noch Zahlen.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/reasons.py" />
      <source>A company. It may be the user's employer, bank or insurer.</source>
      <translation>Eine Firma. Sie kann Arbeitgeber, Bank oder Versicherung des Nutzers sein.</translation>
    </message>
    <message>
      <location filename="../../auditor/release/comparison.py" />
      <source>A dash stands where a figure does not apply to what the method releases.</source>
      <translation>Ein Strich steht, wo eine Kennzahl auf das vom Verfahren Freigegebene nicht anwendbar ist.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_variants.py" />
      <source>A decision tree trained on known bundles, the source's own, says which two queries are one user's.</source>
      <translation>Ein Entscheidungsbaum, an bekannten Bündeln trainiert, wie in der Quelle, sagt, welche zwei Anfragen von einem Nutzer sind.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/korolova.py" />
      <source>A file of query and page, separated by a tab, one pair a line: the top results that anybody gets. Never take it from the log's own clicks.</source>
      <translation>Eine Datei mit Anfrage und Seite, durch Tabulator getrennt, ein Paar je Zeile: die ersten Ergebnisse, die jeder erhält. Nehmen Sie sie nie aus den Klicks des Protokolls.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/entities.py" />
      <source>A first and a last name that are both common English words count as a person's name only if fewer people than this bear either of them.</source>
      <translation>Ein Vor- und ein Nachname, die beide gewöhnliche englische Wörter sind, zählen nur dann als Personenname, wenn weniger Menschen als so einen von ihnen tragen.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/surviving_content.py" />
      <source>A first and a last name that are both common English words count as a person's name only if fewer people than this bear either of them. More finds people whose names are words, and takes more phrases for people.</source>
      <translation>Ein Vor- und ein Nachname, die beide gewöhnliche englische Wörter sind, zählen nur dann als Personenname, wenn weniger Menschen als so einen von ihnen tragen. Mehr findet Menschen, deren Namen Wörter sind, und hält mehr Wendungen für Menschen.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_params.py" />
      <source>A given file, if there is one.</source>
      <translation>Eine angegebene Datei, falls es eine gibt.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/k_delta_explain.py" />
      <source>A group here is of users with exactly the same shares of every query cluster.</source>
      <translation>Eine Gruppe besteht hier aus Nutzern mit genau denselben Anteilen jedes Anfragenclusters.</translation>
    </message>
    <message>
      <location filename="../../resources/policies" />
      <source>A guarantee of which an assumption fails does not hold as it is stated.</source>
      <translation>Eine Garantie, von der eine Annahme nicht zutrifft, gilt nicht wie angegeben.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/reasons.py" />
      <source>A house number and street: somebody's home, often the user's own.</source>
      <translation>Eine Hausnummer mit Straße: jemandes Zuhause, oft das eigene.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/reasons.py" />
      <source>A name that is not famous, and a company in the same session: perhaps somebody and where she works.</source>
      <translation>Ein Name, der nicht berühmt ist, und eine Firma in derselben Sitzung: vielleicht jemand und der Arbeitsplatz.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/reasons.py" />
      <source>A name that is not famous, and a place in the same session: together they often single out one person.</source>
      <translation>Ein Name, der nicht berühmt ist, und ein Ort in derselben Sitzung: Zusammen bezeichnen sie oft genau eine Person.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/reasons.py" />
      <source>A name that is not famous, and a sexual term in the same session.</source>
      <translation>Ein Name, der nicht berühmt ist, und ein sexueller Begriff in derselben Sitzung.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/reasons.py" />
      <source>A name that is not famous, and a term on health, work or orientation in the same session: a secret with a name to it.</source>
      <translation>Ein Name, der nicht berühmt ist, und ein Begriff zu Gesundheit, Arbeit oder Orientierung in derselben Sitzung: ein Geheimnis mit einem Namen daran.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/token_hashing.py" />
      <source>A new file, readable by you alone, that gets the key. Whoever has it can hash every word there is and so read the whole release. Without it nobody can ever hash alike.</source>
      <translation>Eine neue, nur für Sie lesbare Datei für den Schlüssel. Wer ihn hat, kann jedes Wort hashen und so die ganze Freigabe lesen. Ohne ihn kann nie jemand gleich hashen.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/reasons.py" />
      <source>A number that the US Social Security Administration can have given out: it is one person's, for life, and opens credit in her name.</source>
      <translation>Eine Nummer, die die US-Sozialversicherung vergeben haben kann: Sie gehört lebenslang einer Person und eröffnet Kredite auf ihren Namen.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/safelog_params.py" />
      <source>A page is released beside a query if its noisy click count reaches K_c, so that a page that only one user clicked stays hidden but for the chance δ.</source>
      <translation>Eine Seite wird neben einer Anfrage freigegeben, wenn ihre verrauschte Klickanzahl K_c erreicht, sodass eine nur von einem Nutzer geklickte Seite bis auf die Wahrscheinlichkeit δ verborgen bleibt.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/safelog_statement.py" />
      <source>A page that one user alone clicked is released as seldom as δ says.</source>
      <translation>Eine Seite, die nur ein Nutzer klickte, wird so selten freigegeben, wie δ sagt.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/reasons.py" />
      <source>A payment card number with a right check digit: it can be used to steal money.</source>
      <translation>Eine Kartennummer mit richtiger Prüfziffer: Mit ihr lässt sich Geld stehlen.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/reasons.py" />
      <source>A person's name that few queries of the log hold, so not a famous one: an acquaintance, a relative, or the user.</source>
      <translation>Ein Personenname, den wenige Anfragen des Protokolls enthalten, also kein berühmter: jemand aus dem Bekanntenkreis, der Verwandtschaft oder der Nutzer selbst.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/entities.py" />
      <source>A person's name that fewer queries hold than this is taken for a private person's. Raise it in a large log, where private people are asked for more often, too.</source>
      <translation>Ein Personenname, den weniger Anfragen als so enthalten, gilt als der einer Privatperson. Erhöhen Sie dies bei einem großen Protokoll, wo auch nach Privatpersonen öfter gefragt wird.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/surviving_content.py" />
      <source>A person's name that fewer queries of the log hold than this is taken for a private person's. Raise it in a large log, where private people are asked for more often, too.</source>
      <translation>Ein Personenname, den weniger Anfragen des Protokolls als so enthalten, gilt als der einer Privatperson. Erhöhen Sie dies bei einem großen Protokoll, wo auch nach Privatpersonen öfter gefragt wird.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/reasons.py" />
      <source>A person's name that many queries hold, so most likely a famous one. It shows an interest, seldom an acquaintance.</source>
      <translation>Ein Personenname, den viele Anfragen enthalten, also wohl ein berühmter. Er zeigt ein Interesse, selten eine Bekanntschaft.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/structural_values.py" />
      <source>A place is a postal code that a gazetteer tells from a query's words; all that a query says of a city counts for the code at its middle. It counts once for a bundle, however often it was asked for.</source>
      <translation>Ein Ort ist eine Postleitzahl, die ein Ortsverzeichnis aus den Wörtern einer Anfrage erkennt; alles, was eine Anfrage über eine Stadt sagt, zählt für die Postleitzahl in ihrer Mitte. Je Bündel zählt er einmal, so oft auch nach ihm gefragt wurde.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_variants.py" />
      <source>A place or a topic.</source>
      <translation>Ein Ort oder ein Thema.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_variants.py" />
      <source>A place or a word.</source>
      <translation>Ein Ort oder ein Wort.</translation>
    </message>
    <message>
      <location filename="../../auditor/release/policy_edit.py" />
      <source>A policy needs at least one gate: one that asks for nothing lets all pass.</source>
      <translation>Eine Richtlinie braucht mindestens eine Bedingung: Eine, die nichts verlangt, lässt alles durch.</translation>
    </message>
    <message>
      <location filename="../../auditor/release/export.py" />
      <source>A preview can't be exported: its noise came from a seed, which undoes it. Run the method in full, then export that.</source>
      <translation>Eine Vorschau kann nicht exportiert werden: Ihr Rauschen kam aus einem Startwert, der es zunichtemacht. Führen Sie das Verfahren ganz aus, und exportieren Sie dann.</translation>
    </message>
    <message>
      <location filename="../../auditor/project/file.py" />
      <source>A project is a file. Choose another one.</source>
      <translation>Ein Projekt ist eine Datei. Wählen Sie eine andere.</translation>
    </message>
    <message>
      <location filename="../../auditor/project/file.py" />
      <source>A project larger than {0} MB is not opened.</source>
      <translation>Ein Projekt über {0} MB wird nicht geöffnet.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/reasons.py" />
      <source>A public internet address: a provider can tell whose line it is.</source>
      <translation>Eine öffentliche Internetadresse: Ein Anbieter kann sagen, wessen Anschluss es ist.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/structural.py" />
      <source>A query counts as one for a place if the gazetteer is at least so sure that its words mean a place, and this one.</source>
      <translation>Eine Anfrage zählt als Ortsanfrage, wenn das Ortsverzeichnis mindestens so sicher ist, dass ihre Wörter einen Ort bedeuten, und zwar diesen.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/geo_vanity_report.py" />
      <source>A query counts if its place is at least so sure and its postal code shares so many leading digits with the user's home.</source>
      <translation>Eine Anfrage zählt, wenn ihr Ort mindestens so sicher ist und seine Postleitzahl so viele führende Ziffern mit dem Wohnort des Nutzers teilt.</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/bundle_sizes.py" />
      <source>A query is a distinct user, query and time, however many pages were clicked.</source>
      <translation>Eine Anfrage ist, was sich in Nutzer, Anfrage und Zeit unterscheidet, wie viele Seiten auch geklickt wurden.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/safelog_params.py" />
      <source>A query is released if its noisy count reaches K. A higher K keeps back queries that few users asked; with a low one a single user's query can get out.</source>
      <translation>Eine Anfrage wird freigegeben, wenn ihre verrauschte Anzahl K erreicht. Ein höheres K hält Anfragen zurück, die wenige stellten; bei kleinem kann die eines einzelnen Nutzers hinausgelangen.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/korolova.py" />
      <source>A query is released if its noisy count reaches K. With a low K a single user's query can get out.</source>
      <translation>Eine Anfrage wird freigegeben, wenn ihre verrauschte Anzahl K erreicht. Bei kleinem K kann die Anfrage eines einzelnen Nutzers hinausgelangen.</translation>
    </message>
    <message>
      <location filename="../../auditor/log/model.py" />
      <source>A query that c users of the sample asked was asked by about c × {0#} of all users, give or take {1#} × √c (95 %); noise comes on top of that.</source>
      <translation>Eine Anfrage, die c Nutzer der Stichprobe stellten, stellten von allen etwa c × {0#} Nutzer, plus oder minus {1#} × √c (95 %); dazu kommt das Rauschen.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/vanity_report.py" />
      <source>A query that names a person holds all the names that are known of the user.</source>
      <translation>Eine Anfrage, die eine Person nennt, enthält alle bekannten Namen des Nutzers.</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/user_clustering.py" />
      <source>A random sample of so many users who are in both the log and the release. The first comparison of them takes time with the square of their queries.</source>
      <translation>Eine Zufallsstichprobe so vieler Nutzer, die in Protokoll und Freigabe stehen. Ihr erster Vergleich dauert mit dem Quadrat ihrer Anfragen.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/checks_panel.py" />
      <source>A raw log that attackers hold: of another period, or of other people. Attacks learn from it which words go together.</source>
      <translation>Ein Rohprotokoll, das Angreifer besitzen: aus einer anderen Zeit oder von anderen Personen. Angriffe lernen daraus, welche Wörter zusammengehören.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/welcome.py" />
      <source>A release leaves only with its statement and somebody's approval.</source>
      <translation>Eine Freigabe geht nur mit ihrer Zusicherung und einer Genehmigung hinaus.</translation>
    </message>
    <message>
      <location filename="../../auditor/project/settings.py" />
      <source>A run by '{0}' is left out: this version has no such method.</source>
      <translation>Ein Lauf mit '{0}' entfällt: Diese Version hat kein solches Verfahren.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/surviving_report.py" />
      <source>A session counts once however often an entity recurs in it. The first four lines and the combinations are the source's; the rest are beyond it. The second column counts by the strings that survive verbatim; tables do not say which strings belong together.</source>
      <translation>Eine Sitzung zählt einmal, so oft eine Angabe darin auch vorkommt. Die ersten vier Zeilen und die Kombinationen sind die der Quelle; der Rest geht darüber hinaus. Die zweite Spalte zählt nach den wörtlich erhaltenen Zeichenfolgen; Tabellen sagen nicht, welche zusammengehören.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/reasons.py" />
      <source>A sexual term. Nobody expects to be seen asking it.</source>
      <translation>Ein sexueller Begriff. Niemand rechnet damit, bei dieser Suche gesehen zu werden.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/structural_report.py" />
      <source>A straight line is a power law. The steeper it falls, the more of a bundle its first users hold, whoever is put together.</source>
      <translation>Eine gerade Linie ist ein Potenzgesetz. Je steiler sie fällt, desto mehr eines Bündels halten seine ersten Nutzer, wen man auch zusammenlegt.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/microaggregation_outlook.py" />
      <source>A string that was asked often comes first into its group's list, which lifts PEL over 100 / k; by occurrences each counts as far as it is listed.</source>
      <translation>Eine oft eingegebene Zeichenfolge kommt zuerst in die Liste ihrer Gruppe, was PEL über 100 / k hebt; nach Vorkommen zählt jede, soweit sie aufgeführt ist.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/reasons.py" />
      <source>A term on health, work or orientation that an employer or a spouse should not learn about.</source>
      <translation>Ein Begriff zu Gesundheit, Arbeit oder Orientierung, den weder Arbeitgeber noch Ehepartner erfahren sollen.</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/retrieval_report.py" />
      <source>A test that finds no difference doesn't show that there is none.</source>
      <translation>Ein Test, der keinen Unterschied findet, zeigt nicht, dass es keinen gibt.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/reasons.py" />
      <source>A town, city or county. By itself it is harmless; with other queries it narrows down where the user lives.</source>
      <translation>Eine Stadt, ein Ort oder Landkreis. Für sich harmlos; mit anderen Anfragen grenzt es ein, wo der Nutzer wohnt.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/structural.py" />
      <source>A user dominates a bundle in which at least this share of the queries is hers. Whoever takes any query there for hers is right at least so often.</source>
      <translation>Ein Nutzer beherrscht ein Bündel, in dem mindestens dieser Anteil der Anfragen von ihm ist. Wer dort irgendeine Anfrage ihm zuschreibt, hat mindestens so oft recht.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/zealous.py" />
      <source>A user's own queries pass the second threshold with a chance of at most δ' in all.</source>
      <translation>Die eigenen Anfragen eines Nutzers erreichen den zweiten Schwellenwert insgesamt höchstens mit der Wahrscheinlichkeit δ'.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/entities.py" />
      <source>A user's session ends where she pauses for longer than this. Longer sessions join more of her queries, so that more of them hold a name together with a secret.</source>
      <translation>Die Sitzung eines Nutzers endet, wo er länger als so pausiert. Längere Sitzungen verbinden mehr seiner Anfragen, sodass mehr von ihnen einen Namen zusammen mit einem Geheimnis enthalten.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/set_union.py" />
      <source>A user's weights have an ℓ2 norm of 1 at most.</source>
      <translation>Die Gewichte eines Nutzers haben eine ℓ2-Norm von höchstens 1.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/reasons.py" />
      <source>A valid e-mail address: it reaches one person, and often is a name.</source>
      <translation>Eine gültige E-Mail-Adresse: Sie erreicht eine Person und ist oft ein Name.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/reasons.py" />
      <source>A valid phone number with its area code: it reaches one person or household.</source>
      <translation>Eine gültige Telefonnummer mit Vorwahl: Sie erreicht eine Person oder einen Haushalt.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/reasons.py" />
      <source>A whole query that nobody else sent and that holds a sensitive term, a non-star name or an identifier: who finds it anywhere else knows whose history this is.</source>
      <translation>Eine ganze Anfrage, die sonst niemand stellte und die einen heiklen Begriff, einen unbekannten Namen oder eine Kennung enthält: Wer sie anderswo findet, weiß, wessen Verlauf dies ist.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_variants.py" />
      <source>A word or a topic.</source>
      <translation>Ein Wort oder ein Thema.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/welcome.py" />
      <source>AOL, Excite, any table with users, queries and times; packed too.</source>
      <translation>AOL, Excite, jede Tabelle mit Nutzern, Anfragen und Zeiten; auch gepackt.</translation>
    </message>
    <message>
      <location filename="../../auditor/privacy/noise.py" />
      <source>About {0#} of {1#} zero counts would pass a threshold of {2}. Raise it to {3} or more.</source>
      <translation>Etwa {0#} von {1#} Anzahlen von null kämen über einen Schwellenwert von {2}. Erhöhen Sie ihn auf {3} oder mehr.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_report.py" />
      <source>Accuracy</source>
      <translation>Genauigkeit</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_report.py" />
      <source>Accuracy after each update</source>
      <translation>Genauigkeit nach jeder Aktualisierung</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_tables.py" />
      <source>Accuracy at each expansion of the vocabulary</source>
      <translation>Genauigkeit bei jeder Erweiterung des Wortschatzes</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_tables.py" />
      <source>Accuracy at n = {0#} by initial mapping</source>
      <translation>Genauigkeit bei n = {0#} nach erster Zuordnung</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_tables.py" />
      <source>Accuracy by update</source>
      <translation>Genauigkeit je Aktualisierung</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_tables.py" />
      <source>Accuracy by {0}</source>
      <translation>Genauigkeit nach {0*}</translation>
    </message>
    <message>
      <location filename="../../auditor/release/ledger_history.py" />
      <source>Added up with the releases of another log that shares about {0#} % of its events with this one, so one holds a part of the other.</source>
      <translation>Zusammengezählt mit den Freigaben eines anderen Protokolls, das etwa {0#} % seiner Ereignisse mit diesem teilt; eines enthält also einen Teil des anderen.</translation>
    </message>
    <message>
      <location filename="../../auditor/log/bundles.py" />
      <source>Address bits masked</source>
      <translation>Maskierte Adressbits</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/surviving_content.py" />
      <source>Adult terms</source>
      <translation>Sexuelle Begriffe</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/safelog_params.py" />
      <source>Algorithm 1 as printed, with everything its theorem leaves out shown.</source>
      <translation>Algorithmus 1 wie gedruckt; gezeigt wird alles, was sein Satz auslässt.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/dp_audit.py" />
      <source>All bounds hold together with this confidence: a method that keeps its promise is accused at most as often as this leaves.</source>
      <translation>Alle Schranken gelten gemeinsam mit dieser Konfidenz: Ein Verfahren, das hält, was es zusichert, wird höchstens so oft beschuldigt, wie sie offen lässt.</translation>
    </message>
    <message>
      <location filename="../../auditor/release/comparison.py" />
      <source>All figures, run by run</source>
      <translation>Alle Kennzahlen, Lauf für Lauf</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_report.py" />
      <source>All mapped hashes count, those without a counterpart in the reference, too.</source>
      <translation>Alle zugeordneten Hashes zählen, auch solche ohne Gegenstück im Vergleichsprotokoll.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/vanity_params.py" />
      <source>All of both, if each of them holds enough.</source>
      <translation>Alle aus beiden, wenn jedes davon genug enthält.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/vanity_params.py" />
      <source>All of both, if one of them holds enough.</source>
      <translation>Alle aus beiden, wenn eines davon genug enthält.</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/site_clustering.py" />
      <source>All pages of a host are one.</source>
      <translation>Alle Seiten eines Hosts sind eine.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/rejects_view.py" />
      <source>All reasons</source>
      <translation>Alle Gründe</translation>
    </message>
    <message>
      <location filename="../../resources/policies" />
      <source>All releases of this log together: δ is far below one in the users</source>
      <translation>Alle Freigaben dieses Protokolls zusammen: δ liegt weit unter eins durch die Nutzerzahl</translation>
    </message>
    <message>
      <location filename="../../resources/policies" />
      <source>All releases of this log together: ε is not too large</source>
      <translation>Alle Freigaben dieses Protokolls zusammen: ε ist nicht zu groß</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/dp_audit_report.py" />
      <source>All rows hold together with {0#} % confidence. An output is impossible without her if it holds a random string that only she used; how often it came is the least δ that any claim needs.</source>
      <translation>Alle Zeilen gelten gemeinsam mit {0#} % Konfidenz. Eine Ausgabe ist ohne sie unmöglich, wenn sie eine Zufallszeichenfolge enthält, die nur sie benutzte; wie oft das vorkam, ist das kleinste δ, das jede Behauptung braucht.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/frequency_threshold.py" />
      <source>All rows stand under one empty id; nobody's are together.</source>
      <translation>Alle Zeilen stehen unter einer leeren Kennung; niemandes Zeilen sind beisammen.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/unbundling_params.py" />
      <source>All words that hang together; chains reach far.</source>
      <translation>Alle Wörter, die zusammenhängen; Ketten reichen weit.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_params.py" />
      <source>Also checks the chances where the truth is known.</source>
      <translation>Prüft die Wahrscheinlichkeiten auch, wo die Wahrheit bekannt ist.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/k_delta_outlook.py" />
      <source>Among all users of the log nearer ones are found, so that less is changed.</source>
      <translation>Unter allen Nutzern des Protokolls finden sich nähere, sodass weniger geändert wird.</translation>
    </message>
    <message>
      <location filename="../../auditor/release/approve.py" />
      <source>An approval needs the name of whoever gives it.</source>
      <translation>Eine Genehmigung braucht den Namen dessen, der sie gibt.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/reasons.py" />
      <source>An attacker takes a hash for this word and would see a name or a term that nobody here asked for. It exposes nothing that is true, and may still accuse somebody.</source>
      <translation>Ein Angreifer hält einen Hash für dieses Wort und sähe einen Namen oder Begriff, nach dem hier niemand fragte. Das verrät nichts Wahres und kann doch jemanden beschuldigen.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/linkage.py" />
      <source>And when, to the minute.</source>
      <translation>Und wann, auf die Minute.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/linkage.py" />
      <source>And which pages she clicked.</source>
      <translation>Und welche Seiten geklickt wurden.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/checks_panel.py" />
      <source>Another log</source>
      <translation>Ein anderes Protokoll</translation>
    </message>
    <message>
      <location filename="../../auditor/release/ledger.py" />
      <source>Another program holds the ledger {0}. Try again when it has finished.</source>
      <translation>Ein anderes Programm hält das Freigabebuch {0}. Versuchen Sie es erneut, wenn es fertig ist.</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/retrieval.py" />
      <source>Another seed splits the events otherwise; the same one always splits them alike.</source>
      <translation>Ein anderer Startwert teilt die Ereignisse anders; derselbe teilt sie stets gleich.</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/next_query.py" />
      <source>Another seed splits the users otherwise; the same one always splits them alike.</source>
      <translation>Ein anderer Startwert teilt die Nutzer anders; derselbe teilt sie stets gleich.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_variants.py" />
      <source>Any of these.</source>
      <translation>Irgendetwas davon.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_params.py" />
      <source>Any to any.</source>
      <translation>Irgendeines zu irgendeinem.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/vanity_report.py" />
      <source>Any: a query that names a person holds one of the user's names; all: it holds all of them.</source>
      <translation>Irgendeiner: Eine Anfrage, die eine Person nennt, enthält einen der Namen des Nutzers; alle: sie enthält alle.</translation>
    </message>
    <message>
      <location filename="../../auditor/release/ledger.py" />
      <source>Application Support</source>
      <translation>Application Support</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_params.py" />
      <source>As the source does: company alone.</source>
      <translation>Wie die Quelle: nur die Nachbarschaft.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/k_delta_explain.py" />
      <source>Asked {0#} times by {1#} users, it </source>
      <translation>{0#}-mal von {1#} Nutzern gestellt, </translation>
    </message>
    <message>
      <location filename="../../auditor/methods/microaggregation.py" />
      <source>Asked {0#} times by {1#} users, it stands {2#} times in the lists of {3#}. A group's list has as many events as its users on average, and each user gives a share of hers: what was asked too seldom for that finds no place.</source>
      <translation>{0#}-mal von {1#} Nutzern gestellt, steht sie {2#}-mal in den Listen von {3#}. Die Liste einer Gruppe hat im Mittel so viele Ereignisse wie ihre Nutzer, und jeder gibt einen Teil der seinen: Was dafür zu selten gestellt wurde, findet keinen Platz.</translation>
    </message>
    <message>
      <location filename="../../auditor" />
      <source>Asked {0#} times by {1#} users, it stands {2#} times under {3#} ids: {4#} events were added and {5#} suppressed, so that users of a group have the same share of its cluster.</source>
      <translation>{0#}-mal von {1#} Nutzern gestellt, steht sie {2#}-mal unter {3#} Kennungen: {4#} Ereignisse kamen hinzu und {5#} entfielen, sodass Nutzer einer Gruppe denselben Anteil ihres Clusters haben.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/geo_vanity_report.py" />
      <source>Asked {0}.</source>
      <translation>Gefragt: {0*}.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/outlook.py" />
      <source>Askings that are beyond the users' limits (or of queries rarer than τ).</source>
      <translation>Gestellte Anfragen jenseits der Grenzen der Nutzer (oder von Anfragen seltener als τ).</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/outlook.py" />
      <source>Askings within the limits whose query is not expected to reach K.</source>
      <translation>Gestellte Anfragen innerhalb der Grenzen, deren Anfrage K voraussichtlich nicht erreicht.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/dp_audit_report.py" />
      <source>Assumption</source>
      <translation>Annahme</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/dp_audit_report.py" />
      <source>Assumptions that fail by the statement itself</source>
      <translation>Annahmen, die laut der Zusicherung selbst nicht zutreffen</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/k_delta_common.py" />
      <source>At 0, users of a group must have the same share of every query cluster. Above it, they need only be within ε (half the sum of the differences of their shares), which changes less and hides less.</source>
      <translation>Bei 0 müssen Nutzer einer Gruppe denselben Anteil jedes Anfragenclusters haben. Darüber müssen sie nur innerhalb von ε liegen (halbe Summe der Unterschiede ihrer Anteile), was weniger ändert und weniger verbirgt.</translation>
    </message>
    <message>
      <location filename="../../resources/policies" />
      <source>At most four assumptions fail</source>
      <translation>Höchstens vier Annahmen treffen nicht zu</translation>
    </message>
    <message>
      <location filename="../../resources/policies" />
      <source>At most one release of this log has no guarantee that adds up</source>
      <translation>Höchstens eine Freigabe dieses Protokolls hat keine Garantie, die sich summiert</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_findings.py" />
      <source>At most {0#} queries of each.</source>
      <translation>Höchstens {0#} Anfragen von jeder.</translation>
    </message>
    <message>
      <location filename="../../resources/policies" />
      <source>At ε = 10 one user's history may change the odds by 22,000: little comfort, and no more.</source>
      <translation>Bei ε = 10 darf der Verlauf eines Nutzers die Chancen um 22.000 ändern: ein geringer Trost, mehr nicht.</translation>
    </message>
    <message>
      <location filename="../../resources/policies" />
      <source>At ε = 3 one user's history changes the odds of anything by 20 at most.</source>
      <translation>Bei ε = 3 ändert der Verlauf eines Nutzers die Chancen von irgendetwas höchstens um 20.</translation>
    </message>
    <message>
      <location filename="../../auditor" />
      <source>Attacks</source>
      <translation>Angriffe</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/dp_audit.py" />
      <source>Audit of ε</source>
      <translation>Prüfung von ε</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/dp_audit.py" />
      <source>Audits the very code that draws a release's noise, from the operating system's randomness: slower, and no two audits are quite alike.</source>
      <translation>Prüft genau den Code, der das Rauschen einer Freigabe aus dem Zufall des Betriebssystems zieht: langsamer, und keine zwei Prüfungen sind ganz gleich.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_report.py" />
      <source>BL1</source>
      <translation>BL1</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_report.py" />
      <source>BL2</source>
      <translation>BL2</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/help_pages.py" />
      <source>Background</source>
      <translation>Hintergrund</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_report.py" />
      <source>Basic statistics of the data</source>
      <translation>Grundzahlen der Daten</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/k_delta_common.py" />
      <source>Beeferman and Berger</source>
      <translation>Beeferman und Berger</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/rejects_view.py" />
      <source>Begins with</source>
      <translation>Beginnt mit</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_params.py" />
      <source>Beyond the source: every way, on the same data.</source>
      <translation>Über die Quelle hinaus: jeder Weg, an denselben Daten.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/help_pages.py" />
      <source>Beyond the window</source>
      <translation>Über das Fenster hinaus</translation>
    </message>
    <message>
      <location filename="../../resources/policies" />
      <source>Beyond this ε the noise hides next to nothing, and a pseudonym would do as well.</source>
      <translation>Über diesem ε verbirgt das Rauschen so gut wie nichts, und ein Pseudonym täte es auch.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_report.py" />
      <source>Bottom half</source>
      <translation>Untere Hälfte</translation>
    </message>
    <message>
      <location filename="../../auditor/log/bundles.py" />
      <source>Buckets for cookies</source>
      <translation>Fächer für Cookies</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_findings.py" />
      <source>Bundle</source>
      <translation>Bündel</translation>
    </message>
    <message>
      <location filename="../../auditor/log/bundles.py" />
      <source>Bundle by</source>
      <translation>Bündeln nach</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_report.py" />
      <source>Bundles</source>
      <translation>Bündel</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/vanity_report.py" />
      <source>Bundles are made here, by {0}; those with fewer than {1#} queries are left out.</source>
      <translation>Bündel werden hier gebildet, durch {0*}; solche mit weniger als {1#} Anfragen bleiben außer Betracht.</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/bundle_sizes.py" />
      <source>Bundles by masked addresses, of {0#} queries or more</source>
      <translation>Bündel nach maskierten Adressen, mit {0#} oder mehr Anfragen</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/structural_report.py" />
      <source>Bundles in which one user asked at least a share of the queries</source>
      <translation>Bündel, in denen ein Nutzer mindestens einen Anteil der Anfragen stellte</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/unbundling_params.py" />
      <source>Bundles known</source>
      <translation>Bekannte Bündel</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/structural_report.py" />
      <source>Bundles that one user dominates</source>
      <translation>Bündel, die ein Nutzer beherrscht</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/bundle_sizes.py" />
      <source>Bundles were made by {0}.</source>
      <translation>Bündel wurden gebildet durch {0*}.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/bundle_view.py" />
      <source>Bundles with fewer queries are left out, as the source leaves them.</source>
      <translation>Bündel mit weniger Anfragen bleiben außer Betracht, wie in der Quelle.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/bundling.py" />
      <source>Bundling</source>
      <translation>Bündelung</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/bundling.py" />
      <source>Bundling drops no query: all {0#} rows with it are released as they were typed, in {1#} of {2#} bundles. Only who asked it is gone.</source>
      <translation>Bündelung entfernt keine Anfrage: Alle {0#} Zeilen mit ihr werden freigegeben, wie sie eingegeben wurden, in {1#} von {2#} Bündeln. Nur wer sie stellte, ist fort.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/bundling.py" />
      <source>Bundling drops no row; it drops who sent it.</source>
      <translation>Bündelung entfernt keine Zeile; sie entfernt, wer sie schickte.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/entity_report.py" />
      <source>By a random mapping</source>
      <translation>Durch zufällige Zuordnung</translation>
    </message>
    <message>
      <location filename="../../auditor/log/bundles.py" />
      <source>By address, without any by cookie, else random.</source>
      <translation>Nach Adresse, ohne eine nach Cookie, sonst zufällig.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/linkage_report.py" />
      <source>By chance</source>
      <translation>Durch Zufall</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/structural_values.py" />
      <source>By chance: each query of a bundle given to one of its users at random (guessing), and users put into bundles of as many users at random (control). Where the control is as high as the rate, no better way to put users together helps; only larger bundles do.</source>
      <translation>Durch Zufall: jede Anfrage eines Bündels einem zufälligen seiner Nutzer gegeben (Raten), und Nutzer zufällig in Bündel mit gleich vielen Nutzern gelegt (Kontrolle). Wo die Kontrolle so hoch wie die Quote ist, hilft kein besseres Zusammenlegen; nur größere Bündel helfen.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/dp_audit_report.py" />
      <source>By independent runs</source>
      <translation>Durch unabhängige Läufe</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/dp_audit_report.py" />
      <source>By one run</source>
      <translation>Durch einen Lauf</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_params.py" />
      <source>By the ranks that both give each other.</source>
      <translation>Nach den Rängen, die beide einander geben.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/dp_audit_report.py" />
      <source>By the statement itself these assumptions fail: {0}.</source>
      <translation>Laut der Zusicherung selbst treffen diese Annahmen nicht zu: {0}.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/own_names.py" />
      <source>Can't read the profiles in {0}: {1}.</source>
      <translation>Die Profile in {0} sind nicht lesbar: {1*}.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_params.py" />
      <source>Candidates kept (α)</source>
      <translation>Behaltene Kandidaten (α)</translation>
    </message>
    <message>
      <location filename="../../resources/policies" />
      <source>Cautious limits for a release to researchers under contract. Not a law, and not advice.</source>
      <translation>Vorsichtige Grenzen für eine Freigabe an vertraglich gebundene Forschende. Kein Gesetz und kein Rat.</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/user_clustering.py" />
      <source>Centre of a cluster</source>
      <translation>Mitte eines Clusters</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/microaggregation_groups.py" />
      <source>Centre of all users</source>
      <translation>Mitte aller Nutzer</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/korolova.py" />
      <source>Chance of a leak (δ)</source>
      <translation>Wahrscheinlichkeit eines Lecks (δ)</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/explain_counts.py" />
      <source>Chance of being released, over a query's count</source>
      <translation>Wahrscheinlichkeit der Freigabe über der Anzahl einer Anfrage</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_params.py" />
      <source>Chance of each pair</source>
      <translation>Wahrscheinlichkeit je Paar</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/linkage_report.py" />
      <source>Chance to be among 5</source>
      <translation>Wahrscheinlichkeit, unter 5 zu sein</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/linkage_report.py" />
      <source>Chance to be picked</source>
      <translation>Wahrscheinlichkeit, gewählt zu werden</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/retrieval.py" />
      <source>Chance to stay (s)</source>
      <translation>Bleibewahrscheinlichkeit (s)</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_confidence.py" />
      <source>Chance told</source>
      <translation>Genannte Wahrscheinlichkeit</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/microaggregation_outlook.py" />
      <source>Change of the entropy of a user's queries.</source>
      <translation>Änderung der Entropie der Anfragen eines Nutzers.</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/information_loss.py" />
      <source>Change of the entropy of a user's query strings, averaged over users.</source>
      <translation>Änderung der Entropie der Anfragetexte eines Nutzers, über Nutzer gemittelt.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/microaggregation_outlook.py" />
      <source>Change of the entropy of all queries.</source>
      <translation>Änderung der Entropie aller Anfragen.</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/information_loss.py" />
      <source>Change of the entropy of query strings over all rows, whoever asked them.</source>
      <translation>Änderung der Entropie der Anfragetexte über alle Zeilen, wer auch immer fragte.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/explore_panel.py" />
      <source>Choose one or two parameters and press Explore: every setting of the grid is run in the background, and a click on one takes it over.</source>
      <translation>Wählen Sie einen oder zwei Parameter und drücken Sie „Erkunden“: Jede Einstellung des Rasters läuft im Hintergrund, und ein Klick darauf übernimmt sie.</translation>
    </message>
    <message>
      <location filename="../../auditor" />
      <source>Claim</source>
      <translation>Behauptung</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/session_view.py" />
      <source>Clicked</source>
      <translation>Geklickt</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/token_hashing.py" />
      <source>Clicked pages</source>
      <translation>Geklickte Seiten</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/korolova.py" />
      <source>Clicks</source>
      <translation>Klicks</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/korolova.py" />
      <source>Clicks kept of each user (c_f)</source>
      <translation>Behaltene Klicks je Nutzer (c_f)</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/volume.py" />
      <source>Clicks of the log whose pair of query and page is in the release. The release's own column counts its pairs.</source>
      <translation>Klicks des Protokolls, deren Paar aus Anfrage und Seite in der Freigabe steht. Die Spalte der Freigabe zählt ihre Paare.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/korolova.py" />
      <source>Clicks on public results need the file of these: give results.</source>
      <translation>Klicks auf öffentliche Ergebnisse brauchen deren Datei: Geben Sie results an.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/korolova.py" />
      <source>Clicks on the pages that a list of public results names, zeros included.</source>
      <translation>Klicks auf die Seiten, die eine Liste öffentlicher Ergebnisse nennt, auch null.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/korolova.py" />
      <source>Clicks on the pages that users clicked: shows which were, whatever the noise.</source>
      <translation>Klicks auf die Seiten, die Nutzer klickten: zeigt, welche es waren, wie stark das Rauschen auch ist.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/linkage.py" />
      <source>Closeness</source>
      <translation>Nähe</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/k_delta_common.py" />
      <source>Clustering of queries</source>
      <translation>Gruppierung von Anfragen</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/site_clustering.py" />
      <source>Clusters are merged while two of their sites are at least so alike: the share of either's clicks that come from queries which lead to both.</source>
      <translation>Cluster werden verschmolzen, solange zwei ihrer Websites mindestens so ähnlich sind: der Anteil der Klicks beider, der aus Anfragen stammt, die zu beiden führen.</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/similarity.py" />
      <source>Clusters for releases with a delta, strings for others.</source>
      <translation>Cluster für Freigaben mit delta, Zeichenfolgen für andere.</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/user_clustering.py" />
      <source>Clusters of users</source>
      <translation>Cluster von Nutzern</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/user_clustering.py" />
      <source>Clusters of users before and after</source>
      <translation>Cluster von Nutzern vorher und nachher</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/site_clustering.py" />
      <source>Clusters of web sites</source>
      <translation>Cluster von Websites</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/site_clustering.py" />
      <source>Clusters of web sites in the release</source>
      <translation>Cluster von Websites in der Freigabe</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/geo_vanity.py" />
      <source>Codes of a city</source>
      <translation>Postleitzahlen einer Stadt</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/rejects_view.py" />
      <source>Column</source>
      <translation>Spalte</translation>
    </message>
    <message>
      <location filename="../../auditor/log/mapping.py" />
      <source>Column {0} for {1} is beyond the last of {2} (counted from 0).</source>
      <translation>Spalte {0} für {1} liegt hinter der letzten von {2} (gezählt ab 0).</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/linkage.py" />
      <source>Common searches, rare ones weighing more.</source>
      <translation>Gemeinsame Suchen; seltene wiegen mehr.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/surviving_content.py" />
      <source>Companies</source>
      <translation>Firmen</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_params.py" />
      <source>Company kept (β)</source>
      <translation>Behaltene Nachbarn (β)</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/unbundling_params.py" />
      <source>Compare</source>
      <translation>Vergleichen</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/unbundling_params.py" />
      <source>Compare all</source>
      <translation>Alle vergleichen</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/similarity.py" />
      <source>Compared by</source>
      <translation>Verglichen nach</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/microaggregation_groups.py" />
      <source>Compares all pairs; time and memory are quadratic.</source>
      <translation>Vergleicht alle Paare; Zeit und Speicher wachsen im Quadrat.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_params.py" />
      <source>Compares directions alone.</source>
      <translation>Vergleicht nur Richtungen.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/microaggregation_groups.py" />
      <source>Compares the users of a block of similar ones only.</source>
      <translation>Vergleicht nur die Nutzer eines Blocks ähnlicher.</translation>
    </message>
    <message>
      <location filename="../../auditor/release/ledger_totals.py" />
      <source>Composed more tightly: ε = {0} at δ = {1}, if parameters were fixed before the first release.</source>
      <translation>Enger verknüpft: ε = {0} bei δ = {1}, wenn die Parameter vor der ersten Freigabe feststanden.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/dp_audit.py" />
      <source>Confidence</source>
      <translation>Konfidenz</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/surviving_content.py" />
      <source>Content that survives</source>
      <translation>Was erhalten bleibt</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/wizard_intent.py" />
      <source>Cookie of the browser</source>
      <translation>Cookie des Browsers</translation>
    </message>
    <message>
      <location filename="../../auditor/log/bundles.py" />
      <source>Cookies hashed into a number of buckets.</source>
      <translation>Cookies, in eine Zahl von Fächern gehasht.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_tables.py" />
      <source>Cosine</source>
      <translation>Kosinus</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_params.py" />
      <source>Cosine of cube roots: they weigh more still.</source>
      <translation>Kosinus der Kubikwurzeln: Sie wiegen noch mehr.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_params.py" />
      <source>Cosine of square roots: rare neighbours weigh more.</source>
      <translation>Kosinus der Quadratwurzeln: Seltene Nachbarn wiegen mehr.</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/frequencies.py" />
      <source>Count over rank of {0}</source>
      <translation>Anzahl über Rang: {0*}</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/frequencies.py" />
      <source>Count stop words</source>
      <translation>Füllwörter zählen</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/frequencies.py" />
      <source>Count the log in</source>
      <translation>Protokoll zählen in</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/frequencies.py" />
      <source>Counts are {0}. Released counts below 0 are taken as 0.</source>
      <translation>Anzahlen sind {0*}. Freigegebene Anzahlen unter 0 gelten als 0.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/structural.py" />
      <source>Counts bundles that one user dominates, and places that one user of a bundle alone asks for.</source>
      <translation>Zählt Bündel, die ein Nutzer beherrscht, und Orte, nach denen im Bündel nur einer fragt.</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/bundle_sizes.py" />
      <source>Counts bundles, their users and their queries, and what other masks would give.</source>
      <translation>Zählt Bündel, ihre Nutzer und Anfragen, und was andere Masken ergäben.</translation>
    </message>
    <message>
      <location filename="../../auditor/log/write.py" />
      <source>D</source>
      <translation>D</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/trends.py" />
      <source>Days in a step</source>
      <translation>Tage je Abschnitt</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/unbundling_params.py" />
      <source>Days looked at</source>
      <translation>Betrachtete Tage</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/safelog_params.py" />
      <source>Declared chance to be in the pool (p_g)</source>
      <translation>Erklärte Wahrscheinlichkeit, im Vorrat zu sein (p_g)</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/vanity_params.py" />
      <source>Defined for a query that was sent once.</source>
      <translation>Definiert für eine einmal gestellte Anfrage.</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/trends.py" />
      <source>Differences of all days of the frequent queries, as a share of their searches in the log; 1 if none is released.</source>
      <translation>Unterschiede aller Tage der häufigen Anfragen, als Anteil ihrer Suchen im Protokoll; 1, wenn keine freigegeben ist.</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/volume.py" />
      <source>Different query strings of the log that are in the release.</source>
      <translation>Verschiedene Anfragetexte des Protokolls, die in der Freigabe stehen.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/bundling.py" />
      <source>Different users whose queries stand under one number.</source>
      <translation>Verschiedene Nutzer, deren Anfragen unter einer Nummer stehen.</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/bundle_sizes.py" />
      <source>Different users whose queries stand under one number. Whoever is in several bundles counts in each.</source>
      <translation>Verschiedene Nutzer, deren Anfragen unter einer Nummer stehen. Wer in mehreren Bündeln ist, zählt in jedem.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/geo_vanity_report.py" />
      <source>Digits</source>
      <translation>Ziffern</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/geo_vanity.py" />
      <source>Digits that agree</source>
      <translation>Übereinstimmende Ziffern</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/dp_audit.py" />
      <source>Ding, Wang, Wang, Zhang &amp; Kifer (CCS 2018); Steinke, Nasr &amp; Jagielski (NeurIPS 2023)</source>
      <translation>Ding, Wang, Wang, Zhang &amp; Kifer (CCS 2018); Steinke, Nasr &amp; Jagielski (NeurIPS 2023)</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_params.py" />
      <source>Distance</source>
      <translation>Abstand</translation>
    </message>
    <message>
      <location filename="../../auditor/privacy/models.py" />
      <source>Distance of users (ε)</source>
      <translation>Abstand der Nutzer (ε)</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/k_delta_common.py" />
      <source>Distance that counts as alike (ε)</source>
      <translation>Abstand, der als gleich gilt (ε)</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/microaggregation_outlook.py" />
      <source>Distances of users and words, and the log's codes.</source>
      <translation>Abstände von Nutzern und Wörtern, und die Codes des Protokolls.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/surviving_report.py" />
      <source>Distinct flagged strings that stand in the release byte for byte.</source>
      <translation>Verschiedene gemeldete Zeichenfolgen, die Byte für Byte in der Freigabe stehen.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/outlook.py" />
      <source>Distinct queries of this log that are expected to be released.</source>
      <translation>Verschiedene Anfragen dieses Protokolls, die voraussichtlich freigegeben werden.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/set_union.py" />
      <source>Distinct queries that are expected to be found; an estimate, since a round depends on what the one before it found.</source>
      <translation>Verschiedene Anfragen, die voraussichtlich gefunden werden; geschätzt, da eine Runde davon abhängt, was die vorige fand.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/frequency_threshold.py" />
      <source>Distinct queries that at least n users asked.</source>
      <translation>Verschiedene Anfragen, die mindestens n Nutzer stellten.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/surviving_report.py" />
      <source>Distinct strings</source>
      <translation>Verschiedene Zeichenfolgen</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/surviving_report.py" />
      <source>Distinct strings with each kind of content</source>
      <translation>Verschiedene Zeichenfolgen mit jeder Art von Inhalt</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/surviving_report.py" />
      <source>Distinct strings, flagged or not, that stand in the release though only one user of the raw log ever asked them.</source>
      <translation>Verschiedene Zeichenfolgen, gemeldet oder nicht, die in der Freigabe stehen, obwohl nur ein Nutzer des Rohprotokolls sie je eingab.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/token_hashing.py" />
      <source>Distinct tokens in the rows looked at.</source>
      <translation>Verschiedene Wörter in den betrachteten Zeilen.</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/profile_exposure.py" />
      <source>Divergence between what a user asked and what stands under her id, sensitive queries weighing more; 100 where nothing is shared.</source>
      <translation>Divergenz zwischen dem, was ein Nutzer fragte, und dem, was unter seiner Kennung steht; heikle Anfragen wiegen mehr; 100, wo nichts gemeinsam ist.</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/frequencies.py" />
      <source>Do the released counts rank as the log's do? 1 is the same order, 0 none.</source>
      <translation>Ordnen sich die freigegebenen Anzahlen wie die des Protokolls? 1 ist dieselbe Reihenfolge, 0 keine.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/dp_audit_summary.py" />
      <source>Does the claimed ε stand?</source>
      <translation>Hält das behauptete ε?</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_params.py" />
      <source>Dominated by frequent neighbours.</source>
      <translation>Beherrscht von häufigen Nachbarn.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/banner.py" />
      <source>Done</source>
      <translation>Erledigt</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/handing.py" />
      <source>Drawing that scales (*.svg)</source>
      <translation>Skalierbare Zeichnung (*.svg)</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/frequency_threshold.py" />
      <source>Drops every row whose query fewer than n different users asked. It hides rare strings; it does not hide people.</source>
      <translation>Entfernt jede Zeile, deren Anfrage weniger als n verschiedene Nutzer stellten. Das verbirgt seltene Zeichenfolgen; Menschen verbirgt es nicht.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/frequency_threshold.py" />
      <source>Drops every row whose query fewer than n users asked, and keeps the rest as it is.</source>
      <translation>Entfernt jede Zeile, deren Anfrage weniger als n Nutzer stellten, und lässt den Rest, wie er ist.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/zealous.py" />
      <source>Drops queries of fewer users before noise is drawn. The guarantee is printed for 1; a higher one needs a higher second threshold.</source>
      <translation>Entfernt Anfragen von weniger Nutzern, bevor Rauschen gezogen wird. Die Garantie ist für 1 gedruckt; ein höherer braucht einen höheren zweiten Schwellenwert.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/safelog_params.py" />
      <source>Drops queries rarer than this before users are limited. It hides rare queries, but one user can lift a query to τ and so change what other users contribute.</source>
      <translation>Entfernt Anfragen, die seltener sind, bevor Nutzer begrenzt werden. Das verbirgt seltene Anfragen, doch ein Nutzer kann eine Anfrage auf τ heben und so ändern, was andere beitragen.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/surviving_content.py" />
      <source>E-mail addresses</source>
      <translation>E-Mail-Adressen</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_plots.py" />
      <source>Each apart is all precision, all together all recall; both up means exposure.</source>
      <translation>Alles getrennt ist reine Genauigkeit, alles zusammen reine Trefferquote; beides hoch bedeutet Preisgabe.</translation>
    </message>
    <message>
      <location filename="../../resources/policies" />
      <source>Each assumption that fails is one more thing that only the contract holds off.</source>
      <translation>Jede nicht zutreffende Annahme ist eine weitere Sache, die nur der Vertrag abwehrt.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/token_hashing.py" />
      <source>Each becomes a keyed hash; equal ones stay equal.</source>
      <translation>Jede wird zu einem Hash mit Schlüssel; gleiche bleiben gleich.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_tables.py" />
      <source>Each log is {0#} hours long, no longer than the gap, so that no event is in both.</source>
      <translation>Jedes Protokoll ist {0#} Stunden lang, nicht länger als die Lücke, sodass kein Ereignis in beiden steht.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/set_union.py" />
      <source>Each of them gives it a part of her weight of 1.</source>
      <translation>Jeder von ihnen gibt ihr einen Teil seines Gewichts von 1.</translation>
    </message>
    <message>
      <location filename="../../resources/policies" />
      <source>Each of them reaches one person or household by itself.</source>
      <translation>Jede davon erreicht für sich eine Person oder einen Haushalt.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/microaggregation.py" />
      <source>Each of {0#} users has the same released list of queries as at least {1#} others, so that a list points to {2#} users or more. What the list says is not hidden.</source>
      <translation>Jeder von {0#} Nutzern hat dieselbe freigegebene Anfragenliste wie mindestens {1#} andere, sodass eine Liste auf {2#} oder mehr Nutzer weist. Was die Liste sagt, ist nicht verborgen.</translation>
    </message>
    <message>
      <location filename="../../auditor/release/answer.py" />
      <source>Each parameter alone, all others as they are.</source>
      <translation>Jeder Parameter für sich, alle anderen unverändert.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/microaggregation.py" />
      <source>Each person has one user id. A person with several can have a group of her own.</source>
      <translation>Jede Person hat eine Nutzerkennung. Wer mehrere hat, kann eine Gruppe für sich bilden.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/statements.py" />
      <source>Each person has one user id. A person with several is protected for each alone.</source>
      <translation>Jede Person hat eine Nutzerkennung. Wer mehrere hat, ist für jede einzeln geschützt.</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/similarity.py" />
      <source>Each user is compared with the k − 1 others who are nearest to her.</source>
      <translation>Jeder Nutzer wird mit den k − 1 nächsten anderen verglichen.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/microaggregation_outlook.py" />
      <source>Each user will have the same released list of queries as at least {0#} others. What the list says is not hidden.</source>
      <translation>Jeder Nutzer wird dieselbe freigegebene Anfragenliste haben wie mindestens {0#} andere. Was die Liste sagt, ist nicht verborgen.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/statements.py" />
      <source>Each user's part is limited by looking at that user alone, before anything is counted, and counts once a query.</source>
      <translation>Der Anteil jedes Nutzers wird begrenzt, indem nur dieser Nutzer betrachtet wird, bevor etwas gezählt wird, und zählt je Anfrage einmal.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/microaggregation.py" />
      <source>Each user's released list equals those of at least {0#} others.</source>
      <translation>Die freigegebene Liste jedes Nutzers gleicht denen von mindestens {0#} anderen.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_report.py" />
      <source>Each way under different masks of the address</source>
      <translation>Jeder Weg bei verschiedenen Masken der Adresse</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/k_delta_common.py" />
      <source>Edits</source>
      <translation>Änderungen</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/safelog_params.py" />
      <source>English n-grams</source>
      <translation>englische n-Gramme</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/surviving_report.py" />
      <source>Entity</source>
      <translation>Angabe</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/entities.py" />
      <source>Entity exposure</source>
      <translation>Preisgabe von Namen und Orten</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/entity_report.py" />
      <source>Entity type</source>
      <translation>Art der Angabe</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/information_loss.py" />
      <source>Entropy of query strings</source>
      <translation>Entropie der Anfragetexte</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/dp_audit_report.py" />
      <source>Event</source>
      <translation>Ereignis</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/linkage_report.py" />
      <source>Events known</source>
      <translation>Bekannte Ereignisse</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/k_delta_common.py" />
      <source>Events may be added and suppressed.</source>
      <translation>Ereignisse dürfen hinzukommen und entfallen.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/k_delta_common.py" />
      <source>Events per user</source>
      <translation>Ereignisse je Nutzer</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/site_clustering.py" />
      <source>Every URL is one of its own.</source>
      <translation>Jede URL ist eine eigene.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/bundling.py" />
      <source>Every bundle mixes the queries of two users or more.</source>
      <translation>Jedes Bündel mischt die Anfragen von zwei oder mehr Nutzern.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_variants.py" />
      <source>Every bundle one fiber.</source>
      <translation>Jedes Bündel eine Faser.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/safelog_params.py" />
      <source>Every distinct (user, query, time) counts once.</source>
      <translation>Jedes verschiedene (Nutzer, Anfrage, Zeit) zählt einmal.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_variants.py" />
      <source>Every query a fiber of its own.</source>
      <translation>Jede Anfrage eine eigene Faser.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/frequency_threshold.py" />
      <source>Every released page was clicked by at least n users.</source>
      <translation>Jede freigegebene Seite wurde von mindestens n Nutzern geklickt.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/frequency_threshold.py" />
      <source>Every released query was asked by at least n different user ids.</source>
      <translation>Jede freigegebene Anfrage stellten mindestens n verschiedene Nutzerkennungen.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/frequency_threshold.py" />
      <source>Every released query was asked by at least {0#} users. That says nothing formal about any user: a string that many asked can name a person, and the strings of one user together can single her out.</source>
      <translation>Jede freigegebene Anfrage stellten mindestens {0#} Nutzer. Das sagt formal nichts über irgendeinen Nutzer: Eine Zeichenfolge, die viele eingaben, kann eine Person nennen, und die Zeichenfolgen eines Nutzers zusammen können ihn erkennen lassen.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/safelog_params.py" />
      <source>Every row counts: a query with three clicks counts three times.</source>
      <translation>Jede Zeile zählt: Eine Anfrage mit drei Klicks zählt dreimal.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/safelog_statement.py" />
      <source>Every string of an infinite domain is in the pool with the same chance p_g &gt; 0, independently of the log.</source>
      <translation>Jede Zeichenfolge eines unendlichen Bereichs ist mit derselben Wahrscheinlichkeit p_g &gt; 0 im Vorrat, unabhängig vom Protokoll.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/safelog_params.py" />
      <source>Every user counts once a query, however often she asked it.</source>
      <translation>Jeder Nutzer zählt je Anfrage einmal, so oft er sie auch stellte.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/k_delta_common.py" />
      <source>Every user gets a random number.</source>
      <translation>Jeder Nutzer erhält eine Zufallsnummer.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/frequency_threshold.py" />
      <source>Every user gets a random number; addresses and cookies are dropped.</source>
      <translation>Jeder Nutzer erhält eine Zufallsnummer; Adressen und Cookies entfallen.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/k_delta_common.py" />
      <source>Every user gets at least k − 1 others whose interests look alike. More hide each user better and attribute more searches to people who never made them.</source>
      <translation>Jeder Nutzer erhält mindestens k − 1 andere, deren Interessen gleich aussehen. Mehr verbergen jeden besser und schreiben mehr Suchen Menschen zu, die sie nie stellten.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/m_k_delta_epsilon.py" />
      <source>Every user gets at least m − 1 others with exactly the same shares. At most k; m = k with ε = 0 is (k,δ)-anonymity.</source>
      <translation>Jeder Nutzer erhält mindestens m − 1 andere mit genau denselben Anteilen. Höchstens k; m = k mit ε = 0 ist (k,δ)-Anonymität.</translation>
    </message>
    <message>
      <location filename="../../resources/policies" />
      <source>Every user is one of five at least</source>
      <translation>Jeder Nutzer ist einer von mindestens fünf</translation>
    </message>
    <message>
      <location filename="../../auditor/privacy/models.py" />
      <source>Every user needs k − 1 others at most epsilon away.</source>
      <translation>Jeder Nutzer braucht k − 1 andere im Abstand von höchstens epsilon.</translation>
    </message>
    <message>
      <location filename="../../auditor/privacy/models.py" />
      <source>Every user needs m − 1 others at distance 0.</source>
      <translation>Jeder Nutzer braucht m − 1 andere im Abstand 0.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/microaggregation_groups.py" />
      <source>Every user shares her released list with at least k − 1 others. A larger k hides people better and keeps less of what each of them asked.</source>
      <translation>Jeder Nutzer teilt seine freigegebene Liste mit mindestens k − 1 anderen. Ein größeres k verbirgt Menschen besser und behält weniger von dem, was jeder fragte.</translation>
    </message>
    <message>
      <location filename="../../auditor/privacy/models.py" />
      <source>Every user's rows must be those of k − 1 others, ids apart.</source>
      <translation>Die Zeilen jedes Nutzers müssen die von k − 1 anderen sein, abgesehen von den Kennungen.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_tables.py" />
      <source>Every way to invert, at n = {0#} on the same data</source>
      <translation>Jeder Weg der Umkehrung, bei n = {0#} an denselben Daten</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/k_delta_common.py" />
      <source>Everyone keeps her number; shares are rounded.</source>
      <translation>Jeder behält seine Anzahl; Anteile werden gerundet.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/dp_audit_report.py" />
      <source>Evidence</source>
      <translation>Beleg</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/k_delta_outlook.py" />
      <source>Exact shares make every k as good.</source>
      <translation>Genaue Anteile machen jedes k gleich gut.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/microaggregation_groups.py" />
      <source>Exact up to 2,000 users, blocked above.</source>
      <translation>Genau bis 2.000 Nutzer, darüber in Blöcken.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/zealous.py" />
      <source>Exchanging one user's whole history for another changes the chance of any release by a factor of at most e^{0#}, except with a chance of {1}; one user more or less, by which other methods count, by e^{2#}.</source>
      <translation>Den ganzen Verlauf eines Nutzers gegen einen anderen zu tauschen ändert die Wahrscheinlichkeit jeder Freigabe höchstens um den Faktor e^{0#}, außer mit einer Wahrscheinlichkeit von {1}; ein Nutzer mehr oder weniger, wonach andere Verfahren zählen, um e^{2#}.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_tables.py" />
      <source>Exp1: expansion, α = 0.1</source>
      <translation>Versuch 1: Erweitern, α = 0,1</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_tables.py" />
      <source>Exp2: expansion, no α-pruning</source>
      <translation>Versuch 2: Erweitern, ohne α-Aussondern</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_tables.py" />
      <source>Exp3: one plain update</source>
      <translation>Versuch 3: eine einfache Aktualisierung</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_tables.py" />
      <source>Exp4: two plain updates</source>
      <translation>Versuch 4: zwei einfache Aktualisierungen</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_tables.py" />
      <source>Expansion and α-pruning at n = {0#}</source>
      <translation>Erweitern und α-Aussondern bei n = {0#}</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_params.py" />
      <source>Expansion begins at</source>
      <translation>Erweiterung beginnt bei</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_tables.py" />
      <source>Expansion begins with {0} updates at n = {1#}. {2}</source>
      <translation>Die Erweiterung beginnt mit {0} Aktualisierungen bei n = {1#}. {2*}</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/outlook.py" />
      <source>Expected error of query counts, by cause</source>
      <translation>Erwarteter Fehler der Anfrageanzahlen, nach Ursache</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/outlook.py" />
      <source>Expected size of the noise on what is released, decoys included.</source>
      <translation>Erwartete Größe des Rauschens auf dem Freigegebenen, Köder inbegriffen.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_tables.py" />
      <source>Experiment</source>
      <translation>Versuch</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/welcome.py" />
      <source>Export what holds</source>
      <translation>Exportieren, was hält</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/microaggregation_outlook.py" />
      <source>Exposure and loss</source>
      <translation>Preisgabe und Verlust</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/profile_exposure.py" />
      <source>Exposure of the users' profiles</source>
      <translation>Preisgabe der Nutzerprofile</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_plots.py" />
      <source>F</source>
      <translation>F</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_report.py" />
      <source>F by chance</source>
      <translation>F durch Zufall</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_report.py" />
      <source>F is higher, Meila and Rand are lower where the users' queries are found again better.</source>
      <translation>F ist höher, Meila und Rand sind niedriger, wo die Anfragen der Nutzer besser wiedergefunden werden.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_report.py" />
      <source>F of the recovered fibers</source>
      <translation>F der wiedergefundenen Fasern</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/unbundling.py" />
      <source>F of the recovered fibers, mean over {0#} bundles</source>
      <translation>F der wiedergefundenen Fasern, Mittel über {0#} Bündel</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_report.py" />
      <source>F over all their queries at once</source>
      <translation>F über alle ihre Anfragen zugleich</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_report.py" />
      <source>F takes the means of recall and precision apart, so it can be had without looking: five in eight of a bundle's queries, whichever, put together and the others left alone have F ≥ 0.38 in any bundle. What counts is how far F is above that by chance.</source>
      <translation>F nimmt die Mittel von Trefferquote und Genauigkeit getrennt und ist daher ohne Hinsehen zu haben: Fünf von acht Anfragen eines Bündels, gleich welche, zusammengelegt und die übrigen einzeln ergeben F ≥ 0,38 in jedem Bündel. Es zählt, wie weit F über dem zufälligen liegt.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_plots.py" />
      <source>F, mean over bundles</source>
      <translation>F, Mittel über Bündel</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/microaggregation_groups.py" />
      <source>Farthest from the merged list, as published.</source>
      <translation>Am weitesten von der zusammengeführten Liste, wie veröffentlicht.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/microaggregation_groups.py" />
      <source>Farthest from the others on average; fast.</source>
      <translation>Im Mittel am weitesten von den anderen; schnell.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/dp_audit.py" />
      <source>Fast, and the same audit gives the same figures again.</source>
      <translation>Schnell, und dieselbe Prüfung ergibt wieder dieselben Zahlen.</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/user_clustering.py" />
      <source>Fewer than 4 users of the log are found in the release: {0}.</source>
      <translation>Weniger als 4 Nutzer des Protokolls finden sich in der Freigabe: {0}.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/k_delta_common.py" />
      <source>Fewest edits; shares are rounded.</source>
      <translation>Wenigste Änderungen; Anteile werden gerundet.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_findings.py" />
      <source>Fiber</source>
      <translation>Faser</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_plots.py" />
      <source>Fibers too small or too large</source>
      <translation>Zu kleine oder zu große Fasern</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_params.py" />
      <source>Figure 1: accuracy by update for each.</source>
      <translation>Abbildung 1: Genauigkeit je Aktualisierung für jede.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/safelog.py" />
      <source>Figure 5</source>
      <translation>Abbildung 5</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/rejects_view.py" />
      <source>File</source>
      <translation>Datei</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/set_union.py" />
      <source>Finds as many queries as an (ε, δ) can buy, in rounds of weighted users, with a noisy number of users for each.</source>
      <translation>Findet so viele Anfragen, wie ein (ε, δ) erlaubt, in Runden gewichteter Nutzer, mit einer verrauschten Zahl von Nutzern für jede.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/hash_inversion.py" />
      <source>Finds the words behind hashes again by how often each stands beside which others.</source>
      <translation>Findet die Wörter hinter Hashes wieder, daran, wie oft jedes neben welchen anderen steht.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/vanity.py" />
      <source>Finds users' sessions by their names, and their names in their sessions.</source>
      <translation>Findet die Sitzungen von Nutzern über ihre Namen, und ihre Namen in ihren Sitzungen.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/geo_vanity.py" />
      <source>Finds where users live from the places they ask for.</source>
      <translation>Findet, wo Nutzer wohnen, aus den Orten, nach denen sie fragen.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_params.py" />
      <source>First mapping</source>
      <translation>Erste Zuordnung</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/zealous.py" />
      <source>First threshold (τ)</source>
      <translation>Erster Schwellenwert (τ)</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_params.py" />
      <source>Five features of frequency and company.</source>
      <translation>Fünf Merkmale von Häufigkeit und Nachbarschaft.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/surviving_content.py" />
      <source>Flag a string that only one user asked if it holds something sensitive: it gives her away to whoever meets it elsewhere.</source>
      <translation>Eine Zeichenfolge melden, die nur ein Nutzer eingab, wenn sie etwas Heikles enthält: Sie verrät ihn jedem, der ihr anderswo begegnet.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/surviving_content.py" />
      <source>Flags sessions that point at a person, and tells which of their strings anybody can still read in the release.</source>
      <translation>Meldet Sitzungen, die auf eine Person hinweisen, und sagt, welche ihrer Zeichenfolgen jeder noch in der Freigabe lesen kann.</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/next_query.py" />
      <source>Folds</source>
      <translation>Teile</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/menus.py" />
      <source>Follow the &amp;system</source>
      <translation>Wie das &amp;System</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_findings.py" />
      <source>For each heavy user the recovered fiber that agrees most with hers; the clearest and largest first.</source>
      <translation>Für jeden starken Nutzer die wiedergefundene Faser, die am besten zu seiner passt; die deutlichsten und größten zuerst.</translation>
    </message>
    <message>
      <location filename="../../resources/policies" />
      <source>For named researchers under contract, on a machine that the data can't leave.</source>
      <translation>Für namentlich genannte, vertraglich gebundene Forschende, auf einem Rechner, den die Daten nicht verlassen können.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/help_pages.py" />
      <source>For programmers</source>
      <translation>Für Programmierer</translation>
    </message>
    <message>
      <location filename="../../resources/policies" />
      <source>For publication to everybody: whatever attackers know now or will know later.</source>
      <translation>Für die Veröffentlichung an alle: was Angreifer auch jetzt wissen oder später wissen werden.</translation>
    </message>
    <message>
      <location filename="../../auditor/release/answer.py" />
      <source>For whom this is</source>
      <translation>Für wen dies ist</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/microaggregation_groups.py" />
      <source>Formula of the text distance</source>
      <translation>Formel des Textabstands</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/vanity_report.py" />
      <source>Found</source>
      <translation>Gefunden</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_params.py" />
      <source>Found out from the hashes themselves.</source>
      <translation>Aus den Hashes selbst ermittelt.</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/frequencies.py" />
      <source>Frequencies</source>
      <translation>Häufigkeiten</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/microaggregation_outlook.py" />
      <source>Frequency of the {0} most frequent {1} over k</source>
      <translation>Häufigkeit der {0} häufigsten {1*} über k</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/trends.py" />
      <source>Frequency over time, as studies of query logs use it; not measured by the sources</source>
      <translation>Häufigkeit über die Zeit, wie Untersuchungen von Anfrageprotokollen sie nutzen; von den Quellen nicht gemessen</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/frequency_threshold.py" />
      <source>Frequency threshold</source>
      <translation>Häufigkeitsschwelle</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/trends.py" />
      <source>Frequent queries over time</source>
      <translation>Häufige Anfragen über die Zeit</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/session_data.py" />
      <source>From 0 to 1, to rank the sessions. Every reason adds its weight, and adds more the fewer users asked the query. The weights are a judgement; the figure is not a probability.</source>
      <translation>Von 0 bis 1, um die Sitzungen zu ordnen. Jeder Grund fügt sein Gewicht hinzu, und umso mehr, je weniger Nutzer die Anfrage stellten. Die Gewichte sind ein Urteil; die Zahl ist keine Wahrscheinlichkeit.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/flagged_model.py" />
      <source>From 0 to 1; 1 is worst. Open the session to see what it is made of</source>
      <translation>Von 0 bis 1; 1 ist am schlimmsten. Öffnen Sie die Sitzung, um zu sehen, woraus es sich ergibt</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/microaggregation_outlook.py" />
      <source>From measured costs of one comparison and this machine's cores. Up to 2,000 users another k takes a moment, as distances are kept.</source>
      <translation>Aus gemessenen Kosten eines Vergleichs und den Kernen dieses Rechners. Bis 2.000 Nutzer dauert ein anderes k einen Augenblick, da Abstände behalten werden.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/k_delta_outlook.py" />
      <source>From the phases' times on the users looked at here: grouping grows with the square of the users, the rest with the log.</source>
      <translation>Aus den Zeiten der Phasen bei den hier betrachteten Nutzern: Das Gruppieren wächst mit dem Quadrat der Nutzer, das Übrige mit dem Protokoll.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/microaggregation_groups.py" />
      <source>From what the first user of a group is farthest. The published centre merges all users' queries anew for every second group, which takes longer.</source>
      <translation>Wovon der erste Nutzer einer Gruppe am weitesten entfernt ist. Die veröffentlichte Mitte führt für jede zweite Gruppe die Anfragen aller Nutzer neu zusammen, was länger dauert.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/m_k_delta_epsilon.py" />
      <source>Gives every user m − 1 others with exactly the same share of every interest, and k − 1 others with nearly the same.</source>
      <translation>Gibt jedem Nutzer m − 1 andere mit genau demselben Anteil jedes Interesses und k − 1 andere mit nahezu demselben.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/set_union.py" />
      <source>Gopi et al.: Differentially private set union (ICML 2020); Swanberg, Desfontaines and Haney: DP-SIPS (PoPETs 2023)</source>
      <translation>Gopi et al.: Differentially private set union (ICML 2020); Swanberg, Desfontaines and Haney: DP-SIPS (PoPETs 2023)</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/k_delta_explain.py" />
      <source>Groups are not looked for in a log of this size.</source>
      <translation>In einem Protokoll dieser Größe werden Gruppen nicht gesucht.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/microaggregation_outlook.py" />
      <source>Groups are those of users with like numbers of queries, until a run has compared the </source>
      <translation>Gruppen bestehen aus Nutzern mit ähnlich vielen Anfragen, bis ein Lauf </translation>
    </message>
    <message>
      <location filename="../../auditor/methods/microaggregation_outlook.py" />
      <source>Groups are those of users with like numbers of queries: a run compares the queries.</source>
      <translation>Gruppen bestehen aus Nutzern mit ähnlich vielen Anfragen: Ein Lauf vergleicht die Anfragen.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/microaggregation_outlook.py" />
      <source>Groups here are around the mean distance.</source>
      <translation>Gruppen liegen hier um den mittleren Abstand.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/microaggregation_outlook.py" />
      <source>Groups of users with one list; k to 2k − 1 users each.</source>
      <translation>Gruppen von Nutzern mit einer Liste; je k bis 2k − 1 Nutzer.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/k_delta_outlook.py" />
      <source>Groups over k</source>
      <translation>Gruppen über k</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/microaggregation.py" />
      <source>Groups similar users and gives all users of a group one list of merged queries.</source>
      <translation>Gruppiert ähnliche Nutzer und gibt allen einer Gruppe eine Liste zusammengeführter Anfragen.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/k_delta.py" />
      <source>Groups users of similar interests by k and edits their histories until all of a group have the same share of every interest.</source>
      <translation>Gruppiert je k Nutzer ähnlicher Interessen und ändert ihre Verläufe, bis alle einer Gruppe denselben Anteil jedes Interesses haben.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/help_pages.py" />
      <source>Guide</source>
      <translation>Anleitung</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/safelog_statement.py" />
      <source>Götz et al. (2012) show that a pure ε (δ = 0) for search logs can't keep useful accuracy; the source does not discuss it.</source>
      <translation>Götz et al. (2012) zeigen, dass ein reines ε (δ = 0) für Suchprotokolle keine nützliche Genauigkeit behalten kann; die Quelle erörtert das nicht.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/zealous.py" />
      <source>Götz, Machanavajjhala, Wang, Xiao &amp; Gehrke: Publishing search logs (TKDE 2012)</source>
      <translation>Götz, Machanavajjhala, Wang, Xiao &amp; Gehrke: Publishing search logs (TKDE 2012)</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/dp_audit.py" />
      <source>Half as many users are in one log or not by a coin each, and the auditor guesses the coins from one output; a rehearsal with the other half chooses what to guess by. It shows large ε in little time; with 0 it is left out.</source>
      <translation>Bei halb so vielen Nutzern entscheidet je eine Münze, ob sie in einem Protokoll stehen, und der Prüfer errät die Münzen aus einer Ausgabe; eine Probe mit der anderen Hälfte wählt, woran er rät. Das zeigt große ε in kurzer Zeit; bei 0 entfällt es.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_params.py" />
      <source>Half of this log's users, drawn at random.</source>
      <translation>Die Hälfte der Nutzer dieses Protokolls, zufällig gezogen.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/set_union.py" />
      <source>Hardly any query of this log will be found: take a higher ε or a log of more users.</source>
      <translation>Kaum eine Anfrage dieses Protokolls wird gefunden: Nehmen Sie ein höheres ε oder ein Protokoll mit mehr Nutzern.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_report.py" />
      <source>Hash</source>
      <translation>Hash</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/hash_inversion.py" />
      <source>Hash inversion</source>
      <translation>Hash-Umkehrung</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_report.py" />
      <source>Hash side: average degree</source>
      <translation>Hashseite: mittlerer Grad</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_report.py" />
      <source>Hash side: frequency of the least frequent</source>
      <translation>Hashseite: Häufigkeit des seltensten</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_tables.py" />
      <source>Hashed events</source>
      <translation>Gehashte Ereignisse</translation>
    </message>
    <message>
      <location filename="../../resources/policies" />
      <source>Hashed words stay unread</source>
      <translation>Gehashte Wörter bleiben ungelesen</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/token_hashing.py" />
      <source>Hashes stand as the words stood.</source>
      <translation>Hashes stehen, wie die Wörter standen.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_report.py" />
      <source>Hashes whose word is among the reference's most frequent, too.</source>
      <translation>Hashes, deren Wort auch im Vergleichsprotokoll zu den häufigsten gehört.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/token_hashing_explain.py" />
      <source>Hashing drops no query: all {0#} rows with it are released, each word as its hash. The key {1}, so which hashes they are can't be said here, but how often each occurs is kept. </source>
      <translation>Hashen entfernt keine Anfrage: Alle {0#} Zeilen mit ihr werden freigegeben, jedes Wort als sein Hash. Der Schlüssel {1*}, also lässt sich hier nicht sagen, welche Hashes es sind, aber wie oft jeder vorkommt, bleibt erhalten. </translation>
    </message>
    <message>
      <location filename="../../auditor/methods/token_hashing.py" />
      <source>Hashing keeps every one of these counts, and which words stand together.</source>
      <translation>Hashen behält jede dieser Anzahlen, und welche Wörter beisammen stehen.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/structural_values.py" />
      <source>Heavy is who asked at least the mean of her bundle. With the places handed out at random it were {0#} %.</source>
      <translation>Stark ist, wer mindestens das Mittel seines Bündels fragte. Mit zufällig verteilten Orten wären es {0#} %.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_params.py" />
      <source>Hellinger</source>
      <translation>Hellinger</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_tables.py" />
      <source>Hellinger (square roots)</source>
      <translation>Hellinger (Quadratwurzeln)</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_findings.py" />
      <source>Her queries there</source>
      <translation>Ihre Anfragen dort</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/structural_report.py" />
      <source>Her share</source>
      <translation>Eigener Anteil</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/structural_report.py" />
      <source>Her share of the queries</source>
      <translation>Anteil an den Anfragen</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_pairs.py" />
      <source>Here</source>
      <translation>Hier</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/k_delta_outlook.py" />
      <source>Hong et al., CIKM 2009, talk: </source>
      <translation>Hong et al., CIKM 2009, talk: </translation>
    </message>
    <message>
      <location filename="../../auditor/measures/similarity.py" />
      <source>Hong et al., CIKM 2009, talk: queries added and suppressed</source>
      <translation>Hong et al., CIKM 2009, talk: queries added and suppressed</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/similarity.py" />
      <source>Hong et al., CIKM 2009, talk: similarity before and after</source>
      <translation>Hong et al., CIKM 2009, talk: similarity before and after</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/similarity.py" />
      <source>Hong, He, Vaidya, Adam, Atluri: Effective anonymization of query logs (CIKM 2009)</source>
      <translation>Hong, He, Vaidya, Adam, Atluri: Effective anonymization of query logs (CIKM 2009)</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/linkage.py" />
      <source>How a record is compared with what is known. Likelihood allows for a record's length; overlap counts what both have.</source>
      <translation>Wie ein Datensatz mit dem Bekannten verglichen wird. Die Wahrscheinlichkeit berücksichtigt die Länge des Datensatzes; die Überlappung zählt, was beide haben.</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/similarity.py" />
      <source>How alike users are before and after, and how many searches that added or suppressed.</source>
      <translation>Wie ähnlich Nutzer vorher und nachher sind, und wie viele Suchen dafür hinzukamen oder entfielen.</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/similarity.py" />
      <source>How alike users are to their nearest others</source>
      <translation>Wie ähnlich Nutzer ihren nächsten anderen sind</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/similarity.py" />
      <source>How alike users are, and what it took</source>
      <translation>Wie ähnlich Nutzer sind, und was es kostete</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_params.py" />
      <source>How distances become a one-to-one mapping. Stable marriage gives the same as nearest first, since both sides rank by one distance.</source>
      <translation>Wie aus Abständen eine eindeutige Zuordnung wird. Stabile Paarung ergibt dasselbe wie „nächste zuerst“, da beide Seiten nach einem Abstand reihen.</translation>
    </message>
    <message>
      <location filename="../../auditor/privacy/models.py" />
      <source>How far apart, in shares of interests, users may be who count as alike.</source>
      <translation>Wie weit, in Anteilen der Interessen, Nutzer auseinander sein dürfen, die als gleich gelten.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/unbundling_params.py" />
      <source>How far beyond chance the same people must use two words for them to be related. The least is statistically sure; too little chains most words into one topic.</source>
      <translation>Wie weit über dem Zufall dieselben Menschen zwei Wörter benutzen müssen, damit sie verwandt sind. Das Geringste ist statistisch sicher; zu wenig verkettet die meisten Wörter zu einem Thema.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/linkage_report.py" />
      <source>How far down the true record stands</source>
      <translation>Wie weit unten der wahre Datensatz steht</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_report.py" />
      <source>How far ranks migrate between the logs</source>
      <translation>Wie weit Ränge zwischen den Protokollen wandern</translation>
    </message>
    <message>
      <location filename="../../auditor/release/policy_schema.py" />
      <source>How far the attack's success is above guessing</source>
      <translation>Wie weit der Erfolg des Angriffs über dem Raten liegt</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/information_loss.py" />
      <source>How far the entropy of queries changes, per user and over the whole log (ILR).</source>
      <translation>Wie weit sich die Entropie der Anfragen ändert, je Nutzer und über das ganze Protokoll (ILR).</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/vanity_report.py" />
      <source>How far up, of users who ask for their own name</source>
      <translation>Wie weit oben, bei Nutzern, die nach dem eigenen Namen suchen</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/microaggregation_groups.py" />
      <source>How groups are found. Every choice gives groups of k or more; the blocked search is faster on large logs and its groups are somewhat less alike. Of a user with more than 500 queries it compares 500, evenly taken.</source>
      <translation>Wie Gruppen gefunden werden. Jede Wahl ergibt Gruppen von k oder mehr; die Suche in Blöcken ist bei großen Protokollen schneller, und ihre Gruppen sind etwas unähnlicher. Von einem Nutzer mit mehr als 500 Anfragen vergleicht sie 500, gleichmäßig entnommen.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_variants.py" />
      <source>How likely two queries are one user's, by words, characters, time and clicks, as learned from bundles of the reference log (without one, from known bundles); then all evidence is weighed together. Beyond the source; where it was measured, the strongest by F beyond chance.</source>
      <translation>Wie wahrscheinlich zwei Anfragen von einem Nutzer sind, nach Wörtern, Zeichen, Zeit und Klicks, gelernt an Bündeln des Vergleichsprotokolls (ohne eines: an bekannten Bündeln); dann werden alle Belege gemeinsam gewichtet. Geht über die Quelle hinaus; wo gemessen, der stärkste Weg nach F über dem Zufall.</translation>
    </message>
    <message>
      <location filename="../../auditor/release/policy_schema.py" />
      <source>How many assumptions of the statement fail on this log.</source>
      <translation>Wie viele Annahmen der Zusicherung bei diesem Protokoll nicht zutreffen.</translation>
    </message>
    <message>
      <location filename="../../auditor/release/policy_schema.py" />
      <source>How many assumptions of the statement nobody can check here.</source>
      <translation>Wie viele Annahmen der Zusicherung hier niemand prüfen kann.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/k_delta_common.py" />
      <source>How many events a user has afterwards. Only exact shares reach distance 0; the others leave what rounding leaves, which the statement reports.</source>
      <translation>Wie viele Ereignisse ein Nutzer danach hat. Nur genaue Anteile erreichen Abstand 0; die anderen lassen, was das Runden lässt, und die Zusicherung nennt es.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/geo_vanity.py" />
      <source>How many leading digits of the postal code must be those of the user's home. Three are a city or a few counties, five a part of a town.</source>
      <translation>Wie viele führende Ziffern der Postleitzahl die der Wohnung des Nutzers sein müssen. Drei sind eine Stadt oder einige Landkreise, fünf ein Stadtteil.</translation>
    </message>
    <message>
      <location filename="../../auditor/log/bundles.py" />
      <source>How many low bits of the address are zeroed. Four bits more put about five times as many users into a bundle; 8 are one octet.</source>
      <translation>Wie viele untere Bits der Adresse auf null gesetzt werden. Vier Bits mehr legen etwa fünfmal so viele Nutzer in ein Bündel; 8 sind ein Oktett.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/geo_vanity.py" />
      <source>How many of her queries must give a code that agrees. Who asks often for one place is seldom a traveller.</source>
      <translation>Wie viele Anfragen des Nutzers eine passende Postleitzahl ergeben müssen. Wer oft nach einem Ort fragt, ist selten auf Reisen.</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/frequencies.py" />
      <source>How many of the log's most frequent queries and words the tables and bars show.</source>
      <translation>Wie viele der häufigsten Anfragen und Wörter des Protokolls Tabellen und Balken zeigen.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/flagged_model.py" />
      <source>How many of the marked queries stand verbatim in the release</source>
      <translation>Wie viele der markierten Anfragen wörtlich in der Freigabe stehen</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/entities.py" />
      <source>How many of the most frequent words are attacked for what is told of sessions. More words show more people's names; the inversion finds rare ones less surely.</source>
      <translation>Wie viele der häufigsten Wörter angegriffen werden für das, was über Sitzungen gesagt wird. Mehr Wörter zeigen mehr Namen; die Umkehrung findet seltene weniger sicher.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_params.py" />
      <source>How many of the most frequent words are attacked. Rarer words keep less company and are harder to find. Memory grows with the square: 1 GiB at 16,384.</source>
      <translation>Wie viele der häufigsten Wörter angegriffen werden. Seltenere haben weniger Nachbarn und sind schwerer zu finden. Der Speicher wächst im Quadrat: 1 GiB bei 16.384.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/unbundling_params.py" />
      <source>How many of the most widespread words may have topics. More take more time.</source>
      <translation>Wie viele der verbreitetsten Wörter Themen haben dürfen. Mehr brauchen mehr Zeit.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/flagged_model.py" />
      <source>How many queries the user sent in the session</source>
      <translation>Wie viele Anfragen der Nutzer in der Sitzung stellte</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/safelog_params.py" />
      <source>How many random pairs of n-grams the pool holds. More of them give more decoys among the released queries; they take neither memory nor time.</source>
      <translation>Wie viele zufällige Paare von n-Grammen der Vorrat enthält. Mehr ergeben mehr Köder unter den freigegebenen Anfragen; sie kosten weder Speicher noch Zeit.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/surviving_report.py" />
      <source>How many sessions are at how much risk</source>
      <translation>Wie viele Sitzungen welches Risiko haben</translation>
    </message>
    <message>
      <location filename="../../auditor/log/bundles.py" />
      <source>How many users are put together at random; the last bundle may take some more.</source>
      <translation>Wie viele Nutzer zufällig zusammengelegt werden; das letzte Bündel kann einige mehr aufnehmen.</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/profile_exposure.py" />
      <source>How much a query without a sensitive term counts in SPI, where one with such a term counts 1. At 1 all queries count alike.</source>
      <translation>Wie viel eine Anfrage ohne heiklen Begriff in SPI zählt, wo eine mit einem solchen 1 zählt. Bei 1 zählen alle Anfragen gleich.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/zealous.py" />
      <source>How much an exchange of one user's history may change the chance of a release. The noise is 2m/ε' wide.</source>
      <translation>Wie sehr ein Tausch des Verlaufs eines Nutzers die Wahrscheinlichkeit einer Freigabe ändern darf. Das Rauschen ist 2m/ε' breit.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/microaggregation_groups.py" />
      <source>How much different domains keep events apart.</source>
      <translation>Wie sehr verschiedene Domains Ereignisse trennen.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/microaggregation_groups.py" />
      <source>How much different numbers of events keep users apart.</source>
      <translation>Wie sehr verschiedene Zahlen von Ereignissen Nutzer trennen.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/microaggregation_groups.py" />
      <source>How much different queries keep users apart.</source>
      <translation>Wie sehr verschiedene Anfragen Nutzer trennen.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/microaggregation_groups.py" />
      <source>How much different query strings keep events apart.</source>
      <translation>Wie sehr verschiedene Anfragetexte Ereignisse trennen.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/microaggregation_groups.py" />
      <source>How much different ranks keep events apart.</source>
      <translation>Wie sehr verschiedene Ränge Ereignisse trennen.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/microaggregation_groups.py" />
      <source>How much different times keep events apart.</source>
      <translation>Wie sehr verschiedene Zeiten Ereignisse trennen.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/linkage.py" />
      <source>How much of each target's original history the attacker holds, at least one search. A colleague or a shop may know a tenth; whoever saw her browser knows half.</source>
      <translation>Wie viel vom ursprünglichen Verlauf jedes Ziels der Angreifer besitzt, mindestens eine Suche. Ein Kollege oder ein Geschäft kennt vielleicht ein Zehntel; wer den Browser sah, die Hälfte.</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/profile_exposure.py" />
      <source>How much of each user's queries stands under her id in the release (PEL and SPI).</source>
      <translation>Wie viel von den Anfragen jedes Nutzers unter seiner Kennung in der Freigabe steht (PEL und SPI).</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/volume.py" />
      <source>How much of the log is left in the release, and how much in it is new.</source>
      <translation>Wie viel vom Protokoll in der Freigabe übrig ist und wie viel darin neu ist.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/set_union.py" />
      <source>How much one user's history may change the chance of a release, as a factor e^ε.</source>
      <translation>Wie sehr der Verlauf eines Nutzers die Wahrscheinlichkeit einer Freigabe ändern darf, als Faktor e^ε.</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/retrieval.py" />
      <source>How much the feedback's rank counts against the rank by released clicks.</source>
      <translation>Wie viel der Rang der Rückmeldung gegen den Rang nach freigegebenen Klicks zählt.</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/next_query.py" />
      <source>How often a user's next query is among the k that followed most often.</source>
      <translation>Wie oft die nächste Anfrage eines Nutzers unter den k ist, die am häufigsten folgten.</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/next_query.py" />
      <source>How often released transitions tell the next query of people they weren't learned from.</source>
      <translation>Wie oft freigegebene Übergänge die nächste Anfrage von Menschen vorhersagen, an denen sie nicht gelernt wurden.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/structural_values.py" />
      <source>How often somebody is right who takes any query of such a bundle for hers; naming one of its users at random is right {0#} % of the time.</source>
      <translation>Wie oft jemand recht hat, der irgendeine Anfrage eines solchen Bündels diesem Nutzer zuschreibt; einen seiner Nutzer zufällig zu nennen ist in {0#} % der Fälle richtig.</translation>
    </message>
    <message>
      <location filename="../../resources/policies" />
      <source>How often somebody who knows half of what a user asked finds her record.</source>
      <translation>Wie oft jemand, der die Hälfte der Anfragen eines Nutzers kennt, seinen Datensatz findet.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_params.py" />
      <source>How often the nearest word is right.</source>
      <translation>Wie oft das nächste Wort richtig ist.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/linkage_report.py" />
      <source>How often the true record is among the first</source>
      <translation>Wie oft der wahre Datensatz unter den ersten ist</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/retrieval.py" />
      <source>How often the walker moves before it is asked where he is. With one move transitions have no say; the source doesn't tell how many it made.</source>
      <translation>Wie oft der Wanderer weitergeht, bevor gefragt wird, wo er ist. Bei einem Schritt zählen Übergänge nicht; die Quelle sagt nicht, wie viele es waren.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/k_delta_common.py" />
      <source>How queries with similar clicks are put together. Both give clusters within δ; the second is slow above some 100,000 queries.</source>
      <translation>Wie Anfragen mit ähnlichen Klicks zusammengelegt werden. Beide ergeben Cluster innerhalb von δ; das zweite ist über etwa 100.000 Anfragen langsam.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/unbundling_params.py" />
      <source>How sure it must be that a query is about a place for it to join others by it. Names that are words, too, are unsure, and so are those that many places have.</source>
      <translation>Wie sicher es sein muss, dass eine Anfrage von einem Ort handelt, damit er sie mit anderen verbindet. Namen, die auch Wörter sind, sind unsicher, ebenso solche, die viele Orte tragen.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/geo_vanity.py" />
      <source>How sure it must be that a query means that place. A low one counts words like “reading” and “mobile” as places, too.</source>
      <translation>Wie sicher es sein muss, dass eine Anfrage diesen Ort meint. Eine geringe zählt auch Wörter wie „reading“ und „mobile“ als Orte.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/geo_vanity_report.py" />
      <source>How sure places must be</source>
      <translation>Wie sicher Orte sein müssen</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/vanity_params.py" />
      <source>How the attacker comes by somebody's names. Userids name more people, profiles fewer and more reliably.</source>
      <translation>Woher der Angreifer jemandes Namen hat. Kennungen nennen mehr Menschen, Profile weniger und verlässlicher.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_params.py" />
      <source>How the company of a hash is compared with that of a word. The first three are the source's. Trusting the surest first compares by cosines of cube roots always.</source>
      <translation>Wie die Nachbarschaft eines Hashes mit der eines Wortes verglichen wird. Die ersten drei sind die der Quelle. „Sicherste zuerst“ vergleicht stets mit Kosinus der Kubikwurzeln.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_params.py" />
      <source>How the mapping grows. Expanding takes less time for many words; the continuous update begins with pairs that the attacker knows already.</source>
      <translation>Wie die Zuordnung wächst. Erweitern braucht bei vielen Wörtern weniger Zeit; die fortlaufende Aktualisierung beginnt mit Paaren, die der Angreifer schon kennt.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_scores.py" />
      <source>How the mapping settles</source>
      <translation>Wie sich die Zuordnung setzt</translation>
    </message>
    <message>
      <location filename="../../auditor/release/answer.py" />
      <source>How this release was made isn't known: only counts can be.</source>
      <translation>Wie diese Freigabe entstand, ist nicht bekannt: Nur Anzahlen sind es.</translation>
    </message>
    <message>
      <location filename="../../auditor/log/guessing.py" />
      <source>How times are written could not be guessed: give the time format.</source>
      <translation>Wie Zeiten geschrieben sind, ließ sich nicht erraten: Geben Sie das Zeitformat an.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/structural_report.py" />
      <source>How unevenly the users of a bundle ask</source>
      <translation>Wie ungleich die Nutzer eines Bündels fragen</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_pairs.py" />
      <source>How well a tree judges pairs of queries</source>
      <translation>Wie gut ein Baum Anfragepaare beurteilt</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_plots.py" />
      <source>How well each way takes bundles apart</source>
      <translation>Wie gut jeder Weg Bündel auftrennt</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_report.py" />
      <source>How well each way takes the bundles apart</source>
      <translation>Wie gut jeder Weg die Bündel auftrennt</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/trends.py" />
      <source>How well frequent queries keep their trend</source>
      <translation>Wie gut häufige Anfragen ihren Trend behalten</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/information_loss.py" />
      <source>ILR</source>
      <translation>ILR</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/information_loss.py" />
      <source>ILR (%)</source>
      <translation>ILR (%)</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/microaggregation_outlook.py" />
      <source>ILR (less is more useful)</source>
      <translation>ILR (weniger ist nützlicher)</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/information_loss.py" />
      <source>ILR, mean over users</source>
      <translation>ILR, Mittel über Nutzer</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/wizard_intent.py" />
      <source>IP address</source>
      <translation>IP-Adresse</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/surviving_content.py" />
      <source>IP addresses</source>
      <translation>IP-Adressen</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/wizard_intent.py" />
      <source>IPv4 address of the request</source>
      <translation>IPv4-Adresse der Anfrage</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/wizard_intent.py" />
      <source>ISO 8601, like 2006-03-01 07:17:12</source>
      <translation>ISO 8601, wie 2006-03-01 07:17:12</translation>
    </message>
    <message>
      <location filename="../../auditor" />
      <source>Ids are those of the log.</source>
      <translation>Die Kennungen sind die des Protokolls.</translation>
    </message>
    <message>
      <location filename="../../auditor" />
      <source>Ids were changed; equal rows tell whose record is whose.</source>
      <translation>Die Kennungen wurden geändert; gleiche Zeilen verraten, wem welcher Datensatz gehört.</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/retrieval_report.py" />
      <source>Implicit feedback as printed takes the feedback from the very clicks that are relevant, as the source does, and flatters; the other takes it from the rest of the fold.</source>
      <translation>Implizite Rückmeldung wie gedruckt nimmt die Rückmeldung, wie die Quelle, aus eben den Klicks, die relevant sind, und schmeichelt; die andere nimmt sie aus dem Rest des Teils.</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/retrieval.py" />
      <source>In a log, two queries further apart than this are no transition. Releases of tables have the transitions that they were released with.</source>
      <translation>In einem Protokoll sind zwei Anfragen mit größerem Abstand kein Übergang. Freigaben als Tabellen haben die Übergänge, mit denen sie freigegeben wurden.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/set_union.py" />
      <source>In each round, users' weight goes to the queries that were not found yet. One round is the weighted Gaussian of Gopi et al.; more of them pay where most of what users ask is found.</source>
      <translation>In jeder Runde geht das Gewicht der Nutzer an die noch nicht gefundenen Anfragen. Eine Runde ist das gewichtete Gauß-Verfahren von Gopi et al.; mehr lohnen sich, wo das meiste Gefragte gefunden wird.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/linkage.py" />
      <source>In larger logs so many users are drawn at random; the interval says how far the rate among all users may be from theirs.</source>
      <translation>In größeren Protokollen werden so viele Nutzer zufällig gezogen; das Intervall sagt, wie weit die Quote unter allen Nutzern von ihrer abweichen kann.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/session_view.py" />
      <source>In the release</source>
      <translation>In der Freigabe</translation>
    </message>
    <message>
      <location filename="../../auditor/release/answer.py" />
      <source>In the release ({0})</source>
      <translation>In der Freigabe ({0*})</translation>
    </message>
    <message>
      <location filename="../../auditor/release/answer.py" />
      <source>In the release, in {0} rows under {1} ids ({2})</source>
      <translation>In der Freigabe, in {0} Zeilen unter {1} Kennungen ({2*})</translation>
    </message>
    <message>
      <location filename="../../auditor/release/answer.py" />
      <source>In the release, with a count of {0} ({1})</source>
      <translation>In der Freigabe, mit der Anzahl {0} ({1*})</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_pairs.py" />
      <source>In the source</source>
      <translation>In der Quelle</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/bundling.py" />
      <source>In which bundles it stands</source>
      <translation>In welchen Bündeln sie steht</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/information_loss.py" />
      <source>Information loss</source>
      <translation>Verlust an Information</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/information_loss.py" />
      <source>Information loss and k</source>
      <translation>Verlust an Information und k</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/microaggregation_outlook.py" />
      <source>Information loss over k</source>
      <translation>Verlust an Information über k</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/information_loss.py" />
      <source>Information lost per user</source>
      <translation>Verlust an Information je Nutzer</translation>
    </message>
    <message>
      <location filename="../../auditor/engine/runner.py" />
      <source>Internal error: {0} at {1}.</source>
      <translation>Interner Fehler: {0} bei {1}.</translation>
    </message>
    <message>
      <location filename="../../auditor/engine/explaining.py" />
      <source>Internal: these are counts of the original log as they are. No ε covers them; do not pass them on.</source>
      <translation>Intern: Dies sind Anzahlen des ursprünglichen Protokolls, wie sie sind. Kein ε deckt sie ab; geben Sie sie nicht weiter.</translation>
    </message>
    <message>
      <location filename="../../auditor/log/bundles.py" />
      <source>Into how many bundles cookies are hashed. Fewer put more users together. Somebody with two cookies is spread over two bundles.</source>
      <translation>In wie viele Bündel Cookies gehasht werden. Weniger legen mehr Nutzer zusammen. Wer zwei Cookies hat, verteilt sich auf zwei Bündel.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/explain_counts.py" />
      <source>It counts {0#} within each user's first {1#}. With noise of scale {2#} it needs {3} or more: it {4}.</source>
      <translation>Sie zählt {0#} innerhalb der ersten {1#} jedes Nutzers. Bei Rauschen der Skala {2#} braucht sie {3} oder mehr: Sie {4*}.</translation>
    </message>
    <message>
      <location filename="../../auditor/log/sources.py" />
      <source>It has folders in it: name one of them.</source>
      <translation>Darin sind Ordner: Nennen Sie einen davon.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/explain_counts.py" />
      <source>It has no count here</source>
      <translation>Sie hat hier keine Anzahl</translation>
    </message>
    <message>
      <location filename="../../auditor/release/ledger_totals.py" />
      <source>It holds if what each release assumes holds; nobody can check all of that.</source>
      <translation>Sie gilt, wenn gilt, was jede Freigabe annimmt; niemand kann all das prüfen.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/k_delta_common.py" />
      <source>It says nothing about the words of a query, only about how often each interest </source>
      <translation>Es sagt nichts über die Wörter einer Anfrage, nur darüber, wie oft jedes Interesse </translation>
    </message>
    <message>
      <location filename="../../auditor" />
      <source>It says nothing about the words of a query, only about how often each interest occurs.</source>
      <translation>Es sagt nichts über die Wörter einer Anfrage, nur darüber, wie oft jedes Interesse vorkommt.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/explain_counts.py" />
      <source>It {0}, so it is not counted and can't be released.</source>
      <translation>Sie {0*}, also wird sie nicht gezählt und kann nicht freigegeben werden.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_tables.py" />
      <source>Iteration</source>
      <translation>Wiederholung</translation>
    </message>
    <message>
      <location filename="../../auditor/log/read.py" />
      <source>Its columns aren't those of {0}. Read them one by one, or give the columns.</source>
      <translation>Die Spalten sind nicht die von {0}. Lesen Sie sie einzeln, oder geben Sie die Spalten an.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/token_hashing_explain.py" />
      <source>Its words</source>
      <translation>Ihre Wörter</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/wizard_intent.py" />
      <source>JSON lines</source>
      <translation>JSON-Zeilen</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/user_clustering.py" />
      <source>Jaccard index</source>
      <translation>Jaccard-Index</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/user_clustering.py" />
      <source>Jaccard index, Rand index</source>
      <translation>Jaccard-Index, Rand-Index</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_report.py" />
      <source>Joined by</source>
      <translation>Verbunden durch</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_report.py" />
      <source>Joined by words and topics.</source>
      <translation>Verbunden durch Wörter und Themen.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/vanity_report.py" />
      <source>Jones et al. 2008</source>
      <translation>Jones et al. 2008</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/bundle_sizes.py" />
      <source>Jones et al. 2008, Table 1</source>
      <translation>Jones et al. 2008, Table 1</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/bundle_sizes.py" />
      <source>Jones et al. 2008, Table 2</source>
      <translation>Jones et al. 2008, Table 2</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/geo_vanity_report.py" />
      <source>Jones et al. 2008, Table 5</source>
      <translation>Jones et al. 2008, Table 5</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/structural_report.py" />
      <source>Jones et al. 2008, Table 6</source>
      <translation>Jones et al. 2008, Table 6</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/structural_report.py" />
      <source>Jones et al. 2008, section 5</source>
      <translation>Jones et al. 2008, section 5</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/structural.py" />
      <source>Jones, Kumar, Pang and Tomkins: Vanity fair: privacy in querylog bundles, CIKM 2008</source>
      <translation>Jones, Kumar, Pang and Tomkins: Vanity fair: privacy in querylog bundles, CIKM 2008</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/geo_vanity.py" />
      <source>Jones, Kumar, Pang and Tomkins: Vanity fair: privacy in querylog bundles, CIKM 2008, section 4.5</source>
      <translation>Jones, Kumar, Pang and Tomkins: Vanity fair: privacy in querylog bundles, CIKM 2008, section 4.5</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/vanity.py" />
      <source>Jones, Kumar, Pang and Tomkins: Vanity fair: privacy in querylog bundles, CIKM 2008, sections 4.1 to 4.4</source>
      <translation>Jones, Kumar, Pang and Tomkins: Vanity fair: privacy in querylog bundles, CIKM 2008, sections 4.1 to 4.4</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/korolova.py" />
      <source>K from a wanted δ</source>
      <translation>K aus einem gewünschten δ</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/safelog.py" />
      <source>K_c = {0} alone has a δ of {1#}. Raise it first.</source>
      <translation>K_c = {0} allein hat ein δ von {1#}. Erhöhen Sie es zuerst.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/bundling.py" />
      <source>Keep clicks</source>
      <translation>Klicks behalten</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/bundling.py" />
      <source>Keeps clicked pages and their ranks. They join the queries of one user to whoever knows the page; without them a row is a bundle, a query and a time.</source>
      <translation>Behält geklickte Seiten und ihre Ränge. Sie verbinden die Anfragen eines Nutzers für jeden, der die Seite kennt; ohne sie ist eine Zeile Bündel, Anfrage und Zeit.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/korolova.py" />
      <source>Keeps the first so many clicks of every user. Each one more lets the click table say more about everybody.</source>
      <translation>Behält die ersten so vielen Klicks jedes Nutzers. Jeder weitere lässt die Klicktabelle mehr über alle sagen.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/safelog_params.py" />
      <source>Keeps the first so many clicks of every user. Each one more lets the click table say more about everybody: ε grows in proportion.</source>
      <translation>Behält die ersten so vielen Klicks jedes Nutzers. Jeder weitere lässt die Klicktabelle mehr über alle sagen: ε wächst im Verhältnis.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/set_union.py" />
      <source>Keeps the first so many different queries of every user. More of them find more queries, whose counts are noisier.</source>
      <translation>Behält die ersten so vielen verschiedenen Anfragen jedes Nutzers. Mehr davon finden mehr Anfragen, deren Anzahlen stärker verrauscht sind.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/zealous.py" />
      <source>Keeps the first so many different queries of every user. With more of them the noise is wider, so that the same ε' holds.</source>
      <translation>Behält die ersten so vielen verschiedenen Anfragen jedes Nutzers. Mit mehr davon ist das Rauschen breiter, sodass dasselbe ε' gilt.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/korolova.py" />
      <source>Keeps the first so many queries of every user. Each one more lets a release say more about everybody: ε and δ grow.</source>
      <translation>Behält die ersten so vielen Anfragen jedes Nutzers. Jede weitere lässt eine Freigabe mehr über alle sagen: ε und δ wachsen.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/safelog_params.py" />
      <source>Keeps the first so many queries of every user. Each one more lets a release say more about everybody: ε grows in proportion.</source>
      <translation>Behält die ersten so vielen Anfragen jedes Nutzers. Jede weitere lässt eine Freigabe mehr über alle sagen: ε wächst im Verhältnis.</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/frequencies.py" />
      <source>Kendall's τ over all common {0} is of {1#} drawn of them; its standard error is some {2#} at most.</source>
      <translation>Kendalls τ über alle gemeinsamen {0*} ist das von {1#} daraus gezogenen; der Standardfehler ist höchstens etwa {2#}.</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/frequencies.py" />
      <source>Kendall's τ over {0}</source>
      <translation>Kendalls τ über {0*}</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_params.py" />
      <source>Known pairs</source>
      <translation>Bekannte Paare</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/korolova.py" />
      <source>Korolova et al.</source>
      <translation>Korolova et al.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/korolova.py" />
      <source>Korolova, Kenthapadi, Mishra &amp; Ntoulas: Releasing search queries and clicks privately (WWW 2009)</source>
      <translation>Korolova, Kenthapadi, Mishra &amp; Ntoulas: Releasing search queries and clicks privately (WWW 2009)</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/entity_report.py" />
      <source>Kumar et al., WWW 2007, section 5</source>
      <translation>Kumar et al., WWW 2007, section 5</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_scores.py" />
      <source>Kumar, Novak, Pang and Tomkins, WWW 2007</source>
      <translation>Kumar, Novak, Pang and Tomkins, WWW 2007</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/hash_inversion.py" />
      <source>Kumar, Novak, Pang and Tomkins: On anonymizing query logs via token-based hashing, WWW 2007</source>
      <translation>Kumar, Novak, Pang and Tomkins: On anonymizing query logs via token-based hashing, WWW 2007</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/entities.py" />
      <source>Kumar, Novak, Pang and Tomkins: On anonymizing query logs via token-based hashing, WWW 2007, section 5</source>
      <translation>Kumar, Novak, Pang and Tomkins: On anonymizing query logs via token-based hashing, WWW 2007, section 5</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_params.py" />
      <source>L1</source>
      <translation>L1</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_tables.py" />
      <source>L1 (the source's own)</source>
      <translation>L1 (der Abstand der Quelle)</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_tables.py" />
      <source>L1 and order</source>
      <translation>L1 und Reihenfolge</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_params.py" />
      <source>L2</source>
      <translation>L2</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/site_clustering.py" />
      <source>Labels</source>
      <translation>Kategorien</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/site_clustering.py" />
      <source>Largest first. Sites that stood together in the log have the same number in the fourth column; it is empty for a site that isn't among the log's.</source>
      <translation>Größte zuerst. Websites, die im Protokoll beisammen waren, haben in der vierten Spalte dieselbe Nummer; sie ist leer für eine, die nicht zu denen des Protokolls gehört.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/linkage.py" />
      <source>Lead of a sure link</source>
      <translation>Vorsprung einer sicheren Verknüpfung</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/next_query.py" />
      <source>Learned from some users of the released log and tested on its others, in its own words. Flatters methods that make users alike. Within the log it is {0#}.</source>
      <translation>An einigen Nutzern des freigegebenen Protokolls gelernt und an seinen anderen geprüft, in seinen eigenen Worten. Schmeichelt Verfahren, die Nutzer angleichen. Innerhalb des Protokolls sind es {0#}.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_confidence.py" />
      <source>Learnt from parts of the reference alone. {0}</source>
      <translation>Nur an Teilen des Vergleichsprotokolls gelernt. {0*}</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/geo_vanity.py" />
      <source>Least confidence</source>
      <translation>Geringste Konfidenz</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/structural.py" />
      <source>Least confidence in a place</source>
      <translation>Geringste Konfidenz in einen Ort</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/vanity_params.py" />
      <source>Least names</source>
      <translation>Mindestzahl Namen</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/safelog_params.py" />
      <source>Least noisy count of a click (K_c)</source>
      <translation>Kleinste verrauschte Anzahl eines Klicks (K_c)</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/korolova.py" />
      <source>Least noisy count of a query (K)</source>
      <translation>Kleinste verrauschte Anzahl einer Anfrage (K)</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/safelog_params.py" />
      <source>Least noisy count of a transition (K_t)</source>
      <translation>Kleinste verrauschte Anzahl eines Übergangs (K_t)</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/geo_vanity.py" />
      <source>Least queries</source>
      <translation>Mindestzahl Anfragen</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/bundle_view.py" />
      <source>Least queries of a bundle</source>
      <translation>Mindestzahl Anfragen je Bündel</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/surviving_content.py" />
      <source>Least risk shown</source>
      <translation>Geringstes gezeigtes Risiko</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/site_clustering.py" />
      <source>Least similarity</source>
      <translation>Geringste Ähnlichkeit</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/dp_audit_report.py" />
      <source>Least δ any claim needs</source>
      <translation>Kleinstes δ jeder Behauptung</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/unbundling_params.py" />
      <source>Light users' queries are cut out first.</source>
      <translation>Anfragen schwacher Nutzer werden zuerst herausgenommen.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/safelog_params.py" />
      <source>Limits users independently of each other, thresholds everything that can leak, and states an (ε, δ) that holds.</source>
      <translation>Begrenzt Nutzer unabhängig voneinander, legt an alles, was durchsickern kann, einen Schwellenwert an und nennt ein (ε, δ), das gilt.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/rejects_view.py" />
      <source>Line</source>
      <translation>Zeile</translation>
    </message>
    <message>
      <location filename="../../auditor/ledgers.py" />
      <source>Log {0}: {1}</source>
      <translation>Protokoll {0}: {1*}</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/next_query.py" />
      <source>Longest pause of a step</source>
      <translation>Längste Pause eines Schritts</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/retrieval.py" />
      <source>Longest pause of a transition</source>
      <translation>Längste Pause eines Übergangs</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/welcome.py" />
      <source>Look at who is at risk</source>
      <translation>Sehen, wer gefährdet ist</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/surviving_content.py" />
      <source>Look for US social security numbers, with which a person's identity is stolen.</source>
      <translation>Nach US-Sozialversicherungsnummern suchen, mit denen Identitäten gestohlen werden.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/surviving_content.py" />
      <source>Look for card numbers with a right check digit, with which money is stolen.</source>
      <translation>Nach Kartennummern mit richtiger Prüfziffer suchen, mit denen Geld gestohlen wird.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/surviving_content.py" />
      <source>Look for companies: one of them may employ the user.</source>
      <translation>Nach Firmen suchen: Eine davon kann den Nutzer beschäftigen.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/surviving_content.py" />
      <source>Look for house numbers with a street: most often the user's own home or a friend's.</source>
      <translation>Nach Hausnummern mit Straße suchen: meist das eigene Zuhause oder das von Freunden.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/surviving_content.py" />
      <source>Look for people's names: who is asked for may be known.</source>
      <translation>Nach Personennamen suchen: Wer gesucht wird, kann bekannt sein.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/surviving_content.py" />
      <source>Look for places: with a name they narrow down who somebody is.</source>
      <translation>Nach Orten suchen: Mit einem Namen grenzen sie ein, wer jemand ist.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/surviving_content.py" />
      <source>Look for public internet addresses: a provider knows whose line each is.</source>
      <translation>Nach öffentlichen Internetadressen suchen: Ein Anbieter weiß, wessen Anschluss jede ist.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/surviving_content.py" />
      <source>Look for sexual terms, which embarrass whoever sent them.</source>
      <translation>Nach sexuellen Begriffen suchen, die für den Suchenden peinlich sind.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/surviving_content.py" />
      <source>Look for terms on health, work and orientation that may harm whoever sent them.</source>
      <translation>Nach Begriffen zu Gesundheit, Arbeit und Orientierung suchen, die dem Suchenden schaden können.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/surviving_content.py" />
      <source>Look for valid addresses: each reaches one person.</source>
      <translation>Nach gültigen Adressen suchen: Jede erreicht eine Person.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/surviving_content.py" />
      <source>Look for valid phone numbers: each reaches one person or household.</source>
      <translation>Nach gültigen Telefonnummern suchen: Jede erreicht eine Person oder einen Haushalt.</translation>
    </message>
    <message>
      <location filename="../../auditor" />
      <source>Lower that threshold or the noise that it follows from, accept a larger δ, or open a log of more users.</source>
      <translation>Senken Sie diesen Schwellenwert oder das Rauschen, aus dem er folgt, lassen Sie ein größeres δ zu, oder öffnen Sie ein Protokoll mit mehr Nutzern.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/microaggregation_outlook.py" />
      <source>MB</source>
      <translation>MB</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_params.py" />
      <source>Makes one of the source's tables on this log besides. Gap and interval cut both logs out of the raw one by time.</source>
      <translation>Erstellt zusätzlich eine der Tabellen der Quelle an diesem Protokoll. Lücke und Zeitspanne schneiden beide Protokolle nach der Zeit aus dem Rohprotokoll.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/unbundling_params.py" />
      <source>Makes tables of the source on this log besides: masks need addresses, topics a reference log.</source>
      <translation>Erstellt zusätzlich Tabellen der Quelle an diesem Protokoll: Masken brauchen Adressen, Themen ein Vergleichsprotokoll.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_report.py" />
      <source>Mapped to</source>
      <translation>Zugeordnet</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_report.py" />
      <source>Margin</source>
      <translation>Vorsprung</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_report.py" />
      <source>Margin from</source>
      <translation>Vorsprung ab</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_params.py" />
      <source>Margins alone.</source>
      <translation>Nur Vorsprünge.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/vanity_report.py" />
      <source>Match</source>
      <translation>Treffer</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_report.py" />
      <source>Matchable</source>
      <translation>Auffindbar</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_tables.py" />
      <source>Matchable set</source>
      <translation>Auffindbare Menge</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_report.py" />
      <source>Matchable words at n = {0#}. {1}</source>
      <translation>Auffindbare Wörter bei n = {0#}. {1*}</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_report.py" />
      <source>Mean chance of all pairs, as inversions of parts of the reference give it. It knows nothing of what changed between the two logs.</source>
      <translation>Mittlere Wahrscheinlichkeit aller Paare, wie Umkehrungen von Teilen des Vergleichsprotokolls sie ergeben. Sie weiß nichts davon, was sich zwischen den beiden Protokollen änderte.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/structural_report.py" />
      <source>Mean of a bundle</source>
      <translation>Mittel eines Bündels</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/retrieval_report.py" />
      <source>Mean over all test queries; one that isn't released counts 0.{0}</source>
      <translation>Mittel über alle Prüfanfragen; eine nicht freigegebene zählt 0.{0*}</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/retrieval_report.py" />
      <source>Mean over the test queries that the release has. Read it beside the coverage: what is lost with the others doesn't show.{0}</source>
      <translation>Mittel über die Prüfanfragen, die die Freigabe hat. Lesen Sie es neben der Abdeckung: Was mit den anderen verloren geht, zeigt sich nicht.{0*}</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/k_delta_outlook.py" />
      <source>Mean over users; 1 − half the sum of differences of their shares.</source>
      <translation>Mittel über Nutzer; 1 − halbe Summe der Unterschiede ihrer Anteile.</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/site_clustering.py" />
      <source>Mean over {0} shuffles: what clusters of these sizes have alone.</source>
      <translation>Mittel über {0} Mischungen: was Cluster dieser Größen von selbst haben.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/k_delta_outlook.py" />
      <source>Mean similarity of users within groups, before and after</source>
      <translation>Mittlere Ähnlichkeit der Nutzer innerhalb von Gruppen, vorher und nachher</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/k_delta_outlook.py" />
      <source>Mean similarity of users within groups, over users</source>
      <translation>Mittlere Ähnlichkeit der Nutzer innerhalb von Gruppen, über Nutzer</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/similarity.py" />
      <source>Mean similarity of users, before and after</source>
      <translation>Mittlere Ähnlichkeit der Nutzer, vorher und nachher</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_report.py" />
      <source>Means over {0#} bundles, {1}. By chance: the same fibers against true ones dealt out anew.</source>
      <translation>Mittel über {0#} Bündel, {1*}. Durch Zufall: dieselben Fasern gegen neu ausgeteilte wahre.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_report.py" />
      <source>Measure</source>
      <translation>Maß</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/k_delta_outlook.py" />
      <source>Measured here on {0#} users.</source>
      <translation>Hier an {0#} Nutzern gemessen.</translation>
    </message>
    <message>
      <location filename="../../auditor" />
      <source>Measures</source>
      <translation>Maße</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_report.py" />
      <source>Meila (bits)</source>
      <translation>Meila (Bits)</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_report.py" />
      <source>Meila's measure</source>
      <translation>Meilas Maß</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/microaggregation.py" />
      <source>Microaggregation</source>
      <translation>Mikroaggregation</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/safelog_params.py" />
      <source>Mode</source>
      <translation>Modus</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/explain_rows.py" />
      <source>More can't be told: {0}.</source>
      <translation>Mehr lässt sich nicht sagen: {0*}.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/query_clusters.py" />
      <source>More than {0#} pairs of queries are within delta = {1#} of each other. Choose a smaller delta; below 0.6 a popular page no longer joins all its queries.</source>
      <translation>Mehr als {0#} Anfragepaare liegen innerhalb von delta = {1#}. Wählen Sie ein kleineres delta; unter 0,6 verbindet eine beliebte Seite nicht mehr alle ihre Anfragen.</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/user_clustering.py" />
      <source>Most clusters (κ)</source>
      <translation>Höchstzahl Cluster (κ)</translation>
    </message>
    <message>
      <location filename="../../resources/policies" />
      <source>Most hashed words stay unread</source>
      <translation>Die meisten gehashten Wörter bleiben ungelesen</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/user_clustering.py" />
      <source>Most rounds of assigning users and moving centres, in each clustering.</source>
      <translation>Höchstzahl der Runden aus Zuordnen von Nutzern und Verschieben der Mitten, je Gruppierung.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/flagged_model.py" />
      <source>Most telling query</source>
      <translation>Aufschlussreichste Anfrage</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/dp_audit_report.py" />
      <source>Most that could be shown</source>
      <translation>Meiste, das sich zeigen ließ</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/microaggregation_groups.py" />
      <source>Most users that the blocked search compares with each other; at least 4k are taken. Larger blocks find more similar users and take longer.</source>
      <translation>Höchstzahl der Nutzer, die die Suche in Blöcken miteinander vergleicht; mindestens 4k werden genommen. Größere Blöcke finden ähnlichere Nutzer und dauern länger.</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/retrieval.py" />
      <source>Moves of the walk</source>
      <translation>Schritte der Wanderung</translation>
    </message>
    <message>
      <location filename="../../auditor/log/mapping.py" />
      <source>NUL byte</source>
      <translation>NUL-Byte</translation>
    </message>
    <message>
      <location filename="../../auditor/log/sources.py" />
      <source>Name another one.</source>
      <translation>Nennen Sie einen anderen.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/vanity_params.py" />
      <source>Names from</source>
      <translation>Namen aus</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/vanity_params.py" />
      <source>Names that stand in a userid (S).</source>
      <translation>Namen, die in einer Kennung stehen (S).</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/microaggregation_outlook.py" />
      <source>Navarro-Arribas et al. 2012, Fig. </source>
      <translation>Navarro-Arribas et al. 2012, Fig. </translation>
    </message>
    <message>
      <location filename="../../auditor/measures/profile_exposure.py" />
      <source>Navarro-Arribas et al. 2012, Fig. 3</source>
      <translation>Navarro-Arribas et al. 2012, Fig. 3</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/information_loss.py" />
      <source>Navarro-Arribas et al. 2012, Fig. 4</source>
      <translation>Navarro-Arribas et al. 2012, Fig. 4</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/user_clustering.py" />
      <source>Navarro-Arribas et al. 2012, Figs. 5 and 6</source>
      <translation>Navarro-Arribas et al. 2012, Figs. 5 and 6</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/profile_exposure.py" />
      <source>Navarro-Arribas et al. 2012, section 4.1; Carpineto &amp; Romano 2018, Sensitive-aware privacy index for sanitized text data</source>
      <translation>Navarro-Arribas et al. 2012, section 4.1; Carpineto &amp; Romano 2018, Sensitive-aware privacy index for sanitized text data</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/information_loss.py" />
      <source>Navarro-Arribas et al. 2012, section 4.2</source>
      <translation>Navarro-Arribas et al. 2012, section 4.2</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/microaggregation_outlook.py" />
      <source>Navarro-Arribas et al. 2012, section 4.3</source>
      <translation>Navarro-Arribas et al. 2012, section 4.3</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/user_clustering.py" />
      <source>Navarro-Arribas et al. 2012, section 4.4</source>
      <translation>Navarro-Arribas et al. 2012, section 4.4</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/microaggregation.py" />
      <source>Navarro-Arribas, Torra, Erola &amp; Castellà-Roca 2012, User k-anonymity for privacy preserving data mining of query logs</source>
      <translation>Navarro-Arribas, Torra, Erola &amp; Castellà-Roca 2012, User k-anonymity for privacy preserving data mining of query logs</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/wizard_intent.py" />
      <source>Neither kept nor released</source>
      <translation>Weder behalten noch freigegeben</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/next_query.py" />
      <source>Next query</source>
      <translation>Nächste Anfrage</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/next_query.py" />
      <source>Next query told by transitions</source>
      <translation>Nächste Anfrage, durch Übergänge vorhergesagt</translation>
    </message>
    <message>
      <location filename="../../resources/policies" />
      <source>No address, number or card of a person</source>
      <translation>Keine Adresse, Nummer oder Karte einer Person</translation>
    </message>
    <message>
      <location filename="../../resources/policies" />
      <source>No assumption fails</source>
      <translation>Keine Annahme trifft nicht zu</translation>
    </message>
    <message>
      <location filename="../../auditor/privacy/accounting.py" />
      <source>No b reaches ε = {0#}. {1}</source>
      <translation>Kein b erreicht ε = {0#}. {1*}</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/safelog.py" />
      <source>No b reaches ε = {0#}: clicks and transitions alone cost {1#}. Raise b_c and b_t, lower q_f and c_f, or leave these tables out.</source>
      <translation>Kein b erreicht ε = {0#}: Klicks und Übergänge allein kosten {1#}. Erhöhen Sie b_c und b_t, senken Sie q_f und c_f, oder lassen Sie diese Tabellen weg.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_report.py" />
      <source>No bundle of {0#} queries or more has a user with more than the mean: nothing is scored.</source>
      <translation>Kein Bündel mit {0#} oder mehr Anfragen hat einen Nutzer über dem Mittel: Nichts wird bewertet.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/bundling.py" />
      <source>No clicked page points at a person.</source>
      <translation>Keine geklickte Seite weist auf eine Person hin.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/korolova.py" />
      <source>No clicks are released.</source>
      <translation>Keine Klicks werden freigegeben.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/k_delta_common.py" />
      <source>No cluster is ever wider than δ.</source>
      <translation>Kein Cluster ist je breiter als δ.</translation>
    </message>
    <message>
      <location filename="../../auditor/log/guessing.py" />
      <source>No column could be taken for the time.</source>
      <translation>Keine Spalte ließ sich für die Zeit halten.</translation>
    </message>
    <message>
      <location filename="../../auditor/log/guessing.py" />
      <source>No column is said to be, or looks like, the </source>
      <translation>Keine Spalte ist genannt oder sieht aus wie: </translation>
    </message>
    <message>
      <location filename="../../auditor/log/guessing.py" />
      <source>No column is said to be, or looks like, the {0}</source>
      <translation>Keine Spalte ist genannt oder sieht aus wie: {0*}</translation>
    </message>
    <message>
      <location filename="../../auditor/log/sources.py" />
      <source>No file was named. Name a log file or a folder of them.</source>
      <translation>Keine Datei wurde genannt. Nennen Sie eine Protokolldatei oder einen Ordner davon.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/outlook.py" />
      <source>No finite pool gives every string a chance above 0, and at 0 no ε is finite.</source>
      <translation>Kein endlicher Vorrat gibt jeder Zeichenfolge eine Wahrscheinlichkeit über 0, und bei 0 ist kein ε endlich.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/flagged_table.py" />
      <source>No flagged session passes the filters.</source>
      <translation>Keine auffällige Sitzung passt zu den Filtern.</translation>
    </message>
    <message>
      <location filename="../../auditor/log/guessing.py" />
      <source>No line of the beginning is a JSON object.</source>
      <translation>Keine Zeile des Anfangs ist ein JSON-Objekt.</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/information_loss.py" />
      <source>No loss per user: {0}.</source>
      <translation>Kein Verlust je Nutzer: {0*}.</translation>
    </message>
    <message>
      <location filename="../../resources/policies" />
      <source>No name of a private person beside something sensitive</source>
      <translation>Kein Name einer Privatperson neben etwas Heiklem</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/token_hashing_explain.py" />
      <source>No other word of the log occurs exactly as often.</source>
      <translation>Kein anderes Wort des Protokolls kommt genau so oft vor.</translation>
    </message>
    <message>
      <location filename="../../auditor/release/policy_schema.py" />
      <source>No policy of that name comes with the program.</source>
      <translation>Keine Richtlinie dieses Namens liegt dem Programm bei.</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/profile_exposure.py" />
      <source>No profile can be compared: {0}.</source>
      <translation>Kein Profil lässt sich vergleichen: {0*}.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/safelog.py" />
      <source>No q_f reaches ε = {0#}: with q_f = 1 it is still {1#}.</source>
      <translation>Kein q_f erreicht ε = {0#}: Bei q_f = 1 sind es noch {1#}.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/bundling.py" />
      <source>No query holds its asker's name, address or home.</source>
      <translation>Keine Anfrage enthält Namen, Adresse oder Wohnort des Fragenden.</translation>
    </message>
    <message>
      <location filename="../../auditor/log/read.py" />
      <source>No query log was found.</source>
      <translation>Kein Anfrageprotokoll wurde gefunden.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/dp_audit.py" />
      <source>No query of up to {0#} users came out every time: what needs common queries was left out.</source>
      <translation>Keine Anfrage von bis zu {0#} Nutzern kam jedes Mal heraus: Was häufige Anfragen braucht, entfiel.</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/next_query.py" />
      <source>No query that is asked about stands in the release, letter for letter: only within the release can anything be told.</source>
      <translation>Keine geprüfte Anfrage steht buchstabengetreu in der Freigabe: Nur innerhalb der Freigabe lässt sich etwas sagen.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/structural_values.py" />
      <source>No release by bundling is at hand: the log is bundled by {0} to say what that would give away.</source>
      <translation>Keine Freigabe durch Bündelung liegt vor: Das Protokoll wird durch {0*} gebündelt, um zu sagen, was das verriete.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/microaggregation.py" />
      <source>No released query names or describes the person who asked it. Strings are released as they were typed: that of one user stands in the list of her whole group.</source>
      <translation>Keine freigegebene Anfrage nennt oder beschreibt die Person, die sie stellte. Zeichenfolgen werden freigegeben, wie sie eingegeben wurden: Die eines Nutzers steht in der Liste seiner ganzen Gruppe.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/k_delta_common.py" />
      <source>No released query string identifies somebody by itself.</source>
      <translation>Kein freigegebener Anfragetext bezeichnet für sich jemanden.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/k_delta_common.py" />
      <source>No search is attributed to anyone else.</source>
      <translation>Keine Suche wird jemand anderem zugeschrieben.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/flagged_table.py" />
      <source>No session was flagged.

The spotters recognised no name, place, number or revealing term. That does not mean that nobody can be recognised: an unusual hobby is enough for somebody who knows the person.</source>
      <translation>Keine Sitzung fiel auf.

Erkannt wurde kein Name, kein Ort, keine Nummer und kein verräterischer Begriff. Das heißt nicht, dass niemand erkannt werden kann: Wer die Person kennt, dem genügt ein ungewöhnliches Hobby.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_params.py" />
      <source>No two would rather have each other.</source>
      <translation>Keine zwei hätten lieber einander.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/bundling.py" />
      <source>No user asked more than half of her bundle's queries.</source>
      <translation>Kein Nutzer stellte mehr als die Hälfte der Anfragen seines Bündels.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/frequency_threshold.py" />
      <source>No user can be singled out by the queries that stand together under her id.</source>
      <translation>Kein Nutzer lässt sich an den Anfragen erkennen, die unter seiner Kennung beisammen stehen.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/token_hashing.py" />
      <source>No user can be singled out by what stands together under one id.</source>
      <translation>Kein Nutzer lässt sich an dem erkennen, was unter einer Kennung beisammen steht.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/bundling.py" />
      <source>No value of any parameter changes whether a query is released.</source>
      <translation>Kein Wert irgendeines Parameters ändert, ob eine Anfrage freigegeben wird.</translation>
    </message>
    <message>
      <location filename="../../auditor/log/spill.py" />
      <source>No working files can be kept in '{0}': {1}. Name another folder (--spill).</source>
      <translation>In '{0}' lassen sich keine Arbeitsdateien ablegen: {1*}. Nennen Sie einen anderen Ordner (--spill).</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/frequencies.py" />
      <source>No {0} of the log is released as it is.</source>
      <translation>Nichts davon wird freigegeben, wie es ist ({0*}).</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/set_union.py" />
      <source>Nobody asked it within her first {0#} different queries, so it has no weight and can't be found.</source>
      <translation>Niemand stellte sie unter seinen ersten {0#} verschiedenen Anfragen, also hat sie kein Gewicht und kann nicht gefunden werden.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/explain_counts.py" />
      <source>Nobody asked it within the first {0#} that count of her history, so it is not counted and can't be released.</source>
      <translation>Niemand stellte sie innerhalb der ersten {0#}, die von seinem Verlauf zählen, also wird sie nicht gezählt und kann nicht freigegeben werden.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/bundling.py" />
      <source>Nobody can tell which queries of a bundle one person asked.</source>
      <translation>Niemand kann sagen, welche Anfragen eines Bündels von einer Person sind.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/k_delta_common.py" />
      <source>Nobody compares query strings, times or clicks of the release with what she knows.</source>
      <translation>Niemand vergleicht Anfragetexte, Zeiten oder Klicks der Freigabe mit dem, was er weiß.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/token_hashing.py" />
      <source>Nobody finds the word behind a hash.</source>
      <translation>Niemand findet das Wort hinter einem Hash.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/token_hashing.py" />
      <source>Nobody has the key, with which every guessed word can be checked.</source>
      <translation>Niemand hat den Schlüssel, mit dem sich jedes erratene Wort prüfen lässt.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/explain_counts.py" />
      <source>Nobody in this log asked it</source>
      <translation>Niemand in diesem Protokoll stellte sie</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/set_union.py" />
      <source>Nobody in this log asked it, so it can't be found.</source>
      <translation>Niemand in diesem Protokoll stellte sie, also kann sie nicht gefunden werden.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/explain_counts.py" />
      <source>Nobody in this log asked it, so it can't be released.</source>
      <translation>Niemand in diesem Protokoll stellte sie, also kann sie nicht freigegeben werden.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/bundling.py" />
      <source>Nobody in this log asked it, so it stands in no bundle.</source>
      <translation>Niemand in diesem Protokoll stellte sie, also steht sie in keinem Bündel.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/microaggregation.py" />
      <source>Nobody in this log asked it, so it stands in nobody's list.</source>
      <translation>Niemand in diesem Protokoll stellte sie, also steht sie in niemandes Liste.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/token_hashing_explain.py" />
      <source>Nobody in this log asked it. </source>
      <translation>Niemand in diesem Protokoll stellte sie. </translation>
    </message>
    <message>
      <location filename="../../auditor/methods/k_delta_explain.py" />
      <source>Nobody in this log asked it; events of it can neither stay nor be added.</source>
      <translation>Niemand in diesem Protokoll stellte sie; Ereignisse davon können weder bleiben noch hinzukommen.</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/retrieval.py" />
      <source>Nobody knows how this release was made, so it can't be made of a part of the log; and as it is, it holds the clicks that would be tested on.</source>
      <translation>Niemand weiß, wie diese Freigabe entstand, also lässt sie sich nicht aus einem Teil des Protokolls erzeugen; und wie sie ist, enthält sie die Klicks, an denen geprüft würde.</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/next_query.py" />
      <source>Nobody knows how this release was made, so it can't be made of a part of the users.</source>
      <translation>Niemand weiß, wie diese Freigabe entstand, also lässt sie sich nicht aus einem Teil der Nutzer erzeugen.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/statements.py" />
      <source>Nobody knows whose a user id is.</source>
      <translation>Niemand weiß, wem eine Nutzerkennung gehört.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/frequency_threshold.py" />
      <source>Nobody knows, or has, n − 1 of the user ids that asked a query: for her its release proves that one more user asked it. The threshold has no noise.</source>
      <translation>Niemand kennt oder besitzt n − 1 der Nutzerkennungen, die eine Anfrage stellten: Wer sie besitzt, dem beweist die Freigabe, dass noch jemand sie stellte. Der Schwellenwert hat kein Rauschen.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/statements.py" />
      <source>Nobody knows, or is, one of the other members of a group: who takes those out has fewer than k left, and no bound holds for what she then concludes.</source>
      <translation>Niemand kennt eines der anderen Mitglieder einer Gruppe oder ist eines: Wer sie herausnimmt, behält weniger als k, und keine Schranke gilt für das, was er dann schließt.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/statements.py" />
      <source>Nobody learns how long the run took. Times of counting and of drawing noise depend on the log, and are not hidden.</source>
      <translation>Niemand erfährt, wie lange der Lauf dauerte. Zeiten des Zählens und des Ziehens von Rauschen hängen vom Protokoll ab und sind nicht verborgen.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/k_delta_common.py" />
      <source>Nobody loses an event; what is foreign to a group stays.</source>
      <translation>Niemand verliert ein Ereignis; was einer Gruppe fremd ist, bleibt.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/k_delta_common.py" />
      <source>Nobody takes a search under a user's number for a search that she made.</source>
      <translation>Niemand hält eine Suche unter der Nummer eines Nutzers für eine, die dieser stellte.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/zealous.py" />
      <source>Noise and threshold over the wanted ε'</source>
      <translation>Rauschen und Schwellenwert über dem gewünschten ε'</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/set_union.py" />
      <source>Noise consists of integers from a vetted sampler on the operating system's randomness, and no seed is kept.</source>
      <translation>Das Rauschen besteht aus ganzen Zahlen eines geprüften Verfahrens auf dem Zufall des Betriebssystems, und kein Startwert wird behalten.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/korolova.py" />
      <source>Noise of click counts (b_c)</source>
      <translation>Rauschen der Klickanzahlen (b_c)</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/korolova.py" />
      <source>Noise of query counts (b_q)</source>
      <translation>Rauschen der Anfrageanzahlen (b_q)</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/dp_audit.py" />
      <source>Noise of the audited runs</source>
      <translation>Rauschen der geprüften Läufe</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/korolova.py" />
      <source>Noise of the selection (b)</source>
      <translation>Rauschen der Auswahl (b)</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/safelog_params.py" />
      <source>Noise of transition counts (b_t)</source>
      <translation>Rauschen der Übergangsanzahlen (b_t)</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/safelog_params.py" />
      <source>Noise reaches every pair of released queries, also those nobody asked in a row; a pair is released if its noisy count reaches K_t. It costs users nothing.</source>
      <translation>Rauschen erreicht jedes Paar freigegebener Anfragen, auch solche, die niemand nacheinander stellte; ein Paar wird freigegeben, wenn seine verrauschte Anzahl K_t erreicht. Das kostet Nutzer nichts.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/entities.py" />
      <source>Non-star limit</source>
      <translation>Grenze für Unbekannte</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/trends.py" />
      <source>None of the frequent queries is released letter for letter: only all searches together can be compared.</source>
      <translation>Keine der häufigen Anfragen ist buchstabengetreu freigegeben: Nur alle Suchen zusammen lassen sich vergleichen.</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/retrieval_report.py" />
      <source>None of the test queries is in the release, so no page can be ranked.</source>
      <translation>Keine der Prüfanfragen steht in der Freigabe, also lässt sich keine Seite reihen.</translation>
    </message>
    <message>
      <location filename="../../auditor/release/ledger_history.py" />
      <source>Not added up: the releases of another log that shares about {0#} % of its user ids with this one and no event. If these are the same people at another time, what both tell of them adds up, too.</source>
      <translation>Nicht zusammengezählt: die Freigaben eines anderen Protokolls, das etwa {0#} % seiner Nutzerkennungen mit diesem teilt und kein Ereignis. Sind dies dieselben Menschen zu anderer Zeit, summiert sich auch, was beide über sie sagen.</translation>
    </message>
    <message>
      <location filename="../../auditor/engine/runner.py" />
      <source>Not enough memory. Try a sample of the users.</source>
      <translation>Nicht genug Speicher. Versuchen Sie eine Stichprobe der Nutzer.</translation>
    </message>
    <message>
      <location filename="../../auditor/release/comparison.py" />
      <source>Not in the picture: </source>
      <translation>Nicht im Bild: </translation>
    </message>
    <message>
      <location filename="../../auditor/release/comparison.py" />
      <source>Not in the picture: {0}.</source>
      <translation>Nicht im Bild: {0}.</translation>
    </message>
    <message>
      <location filename="../../auditor/release/answer.py" />
      <source>Not in the release ({0})</source>
      <translation>Nicht in der Freigabe ({0*})</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/dp_audit_report.py" />
      <source>Not refuted: against {0} the largest lower bound is {1#}.</source>
      <translation>Nicht widerlegt: Gegenüber {0*} ist die größte untere Schranke {1#}.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/banner.py" />
      <source>Note</source>
      <translation>Hinweis</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/statements.py" />
      <source>Nothing else of the same log is released. Groups of two releases that overlap in fewer than k users tell those apart, and no sum bounds it.</source>
      <translation>Nichts anderes desselben Protokolls wird freigegeben. Gruppen zweier Freigaben, die sich in weniger als k Nutzern überschneiden, unterscheiden diese, und keine Summe begrenzt das.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/statements.py" />
      <source>Nothing else of the same log is released; the ε and δ of several releases add up.</source>
      <translation>Nichts anderes desselben Protokolls wird freigegeben; ε und δ mehrerer Freigaben summieren sich.</translation>
    </message>
    <message>
      <location filename="../../auditor/release/target.py" />
      <source>Nothing may be written beside {0}. Choose a folder that belongs to you.</source>
      <translation>Neben {0} darf nichts geschrieben werden. Wählen Sie einen Ordner, der Ihnen gehört.</translation>
    </message>
    <message>
      <location filename="../../auditor/release/ledger_totals.py" />
      <source>Nothing of this log was approved for release so far.</source>
      <translation>Von diesem Protokoll wurde bisher nichts zur Freigabe genehmigt.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_findings.py" />
      <source>Number</source>
      <translation>Nummer</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/bundling.py" />
      <source>Numbers were given out at random, and the order is forgotten.</source>
      <translation>Nummern wurden zufällig vergeben, und die Reihenfolge ist vergessen.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/token_hashing.py" />
      <source>O(bytes of distinct queries)</source>
      <translation>O(Bytes der verschiedenen Anfragen)</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/vanity.py" />
      <source>O(rows + bytes of queries + name queries · log)</source>
      <translation>O(Zeilen + Bytes der Anfragen + Namensanfragen · log)</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/geo_vanity.py" />
      <source>O(rows + bytes of queries)</source>
      <translation>O(Zeilen + Bytes der Anfragen)</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/entities.py" />
      <source>O(rows + bytes of queries), thrice, besides the hash inversion's if that reads</source>
      <translation>O(Zeilen + Bytes der Anfragen), dreimal, dazu die Kosten der Hash-Umkehrung, falls sie liest</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/trends.py" />
      <source>O(rows + days · queries)</source>
      <translation>O(Zeilen + Tage · Anfragen)</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/frequencies.py" />
      <source>O(rows + distinct queries · log)</source>
      <translation>O(Zeilen + verschiedene Anfragen · log)</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/bundling.py" />
      <source>O(rows + kept rows · log)</source>
      <translation>O(Zeilen + behaltene Zeilen · log)</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/structural.py" />
      <source>O(rows + queries of places · log)</source>
      <translation>O(Zeilen + Ortsanfragen · log)</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/volume.py" />
      <source>O(rows · log released entries)</source>
      <translation>O(Zeilen · log freigegebene Einträge)</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/site_clustering.py" />
      <source>O(rows · log rows + pairs of sites that share a query)</source>
      <translation>O(Zeilen · log Zeilen + Paare von Websites mit gemeinsamer Anfrage)</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/bundle_sizes.py" />
      <source>O(rows · log rows)</source>
      <translation>O(Zeilen · log Zeilen)</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/k_delta.py" />
      <source>O(rows · log rows) and, to group, O(users² · queries they share)</source>
      <translation>O(Zeilen · log Zeilen) und, um zu gruppieren, O(Nutzer² · gemeinsame Anfragen)</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/similarity.py" />
      <source>O(rows · log rows), and those who share queries with each sampled user</source>
      <translation>O(Zeilen · log Zeilen), und die, die mit jedem Nutzer der Stichprobe Anfragen teilen</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/set_union.py" />
      <source>O(rows · rounds), and noise for every query of the limited histories</source>
      <translation>O(Zeilen · Runden), und Rauschen für jede Anfrage der begrenzten Verläufe</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/hash_inversion.py" />
      <source>O(rows) to count and O(n² · neighbours) an update; 4 n² bytes for n words</source>
      <translation>O(Zeilen) zum Zählen und O(n² · Nachbarn) je Aktualisierung; 4 n² Bytes für n Wörter</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/safelog.py" />
      <source>O(rows), and noise for what may pass</source>
      <translation>O(Zeilen), und Rauschen für alles, was durchkommen kann</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/linkage.py" />
      <source>O(rows), and the records that hold what is known for each target</source>
      <translation>O(Zeilen) und die Datensätze, die das über jedes Ziel Bekannte enthalten</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/zealous.py" />
      <source>O(rows), one pass, and noise for what may pass</source>
      <translation>O(Zeilen), ein Durchgang, und Rauschen für alles, was durchkommen kann</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/korolova.py" />
      <source>O(rows), two passes, and noise for what may pass</source>
      <translation>O(Zeilen), zwei Durchgänge, und Rauschen für alles, was durchkommen kann</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/user_clustering.py" />
      <source>O(rows² of the sampled users) once, then O(sampled users²) a round</source>
      <translation>einmal O(Zeilen² der Nutzer der Stichprobe), dann O(Nutzer der Stichprobe²) je Runde</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/microaggregation.py" />
      <source>O(rows²) comparing all pairs, O(rows · users of a block · rows of a user) in blocks</source>
      <translation>O(Zeilen²) im Vergleich aller Paare, O(Zeilen · Nutzer eines Blocks · Zeilen eines Nutzers) in Blöcken</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/dp_audit.py" />
      <source>O(runs) of the method on small logs; the log's own size hardly counts</source>
      <translation>O(Läufe) des Verfahrens auf kleinen Protokollen; die Größe des eigenen zählt kaum</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_report.py" />
      <source>Occurrences</source>
      <translation>Vorkommen</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/outlook.py" />
      <source>Of 1: K is reached with about 1/2 exactly at K; below, the chance falls by e for every b counts.</source>
      <translation>Von 1: K wird genau bei K mit etwa 1/2 erreicht; darunter fällt die Wahrscheinlichkeit je b Zählungen um e.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_pairs.py" />
      <source>Of all pairs</source>
      <translation>Von allen Paaren</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/trends.py" />
      <source>Of all searches of a day together, whatever was asked.</source>
      <translation>Aller Suchen eines Tages zusammen, was auch gefragt wurde.</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/next_query.py" />
      <source>Of all steps of held-out users. The log itself gives {0#}, the most frequent released queries {1#}.</source>
      <translation>Von allen Schritten zurückgehaltener Nutzer. Das Protokoll selbst ergibt {0#}, die häufigsten freigegebenen Anfragen {1#}.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/unbundling_params.py" />
      <source>Of how many bundles an attacker who learns knows the users, a fifth of all at most. They are left out of what is scored, for every way.</source>
      <translation>Von wie vielen Bündeln ein lernender Angreifer die Nutzer kennt, höchstens ein Fünftel. Sie bleiben bei jedem Weg aus der Bewertung.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_report.py" />
      <source>Of the fiber around a heavy user's query, how much is hers, and how much of hers it holds: the harmonic mean of both, averaged over bundles.</source>
      <translation>Wie viel der Faser um die Anfrage eines starken Nutzers ihm gehört, und wie viel von seinen sie enthält: das harmonische Mittel beider, über Bündel gemittelt.</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/next_query.py" />
      <source>Of the steps whose first query is released. Read it beside their share.</source>
      <translation>Von den Schritten, deren erste Anfrage freigegeben ist. Lesen Sie es neben deren Anteil.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/surviving_lists.py" />
      <source>Of the surviving strings of one user: about k where a group shares one list.</source>
      <translation>Von den erhaltenen Zeichenfolgen eines Nutzers: etwa k, wo eine Gruppe eine Liste teilt.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/vanity_report.py" />
      <source>Of the users who ask for their own name.</source>
      <translation>Von den Nutzern, die nach dem eigenen Namen suchen.</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/trends.py" />
      <source>Of the {0#} most frequent queries, letter for letter.</source>
      <translation>Von den {0#} häufigsten Anfragen, buchstabengetreu.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_findings.py" />
      <source>Of them hers</source>
      <translation>Davon ihre</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/explain_counts.py" />
      <source>Of these users the count is made.</source>
      <translation>Aus diesen Nutzern besteht die Anzahl.</translation>
    </message>
    <message>
      <location filename="../../auditor/release/ledger_totals.py" />
      <source>Of these, {0} with a guarantee: ε = {1}, δ = {2} for {3}; neighbours: {4}.</source>
      <translation>Davon {0} mit Garantie: ε = {1}, δ = {2} für {3*}; Nachbarn: {4*}.</translation>
    </message>
    <message>
      <location filename="../../resources/policies" />
      <source>Of two such releases nobody knows what they tell together: groups of k can be intersected.</source>
      <translation>Von zwei solchen Freigaben weiß niemand, was sie zusammen verraten: Gruppen von k lassen sich schneiden.</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/site_clustering.py" />
      <source>Of {0#} labelled sites in clusters of two labelled sites or more, the share with their cluster's most frequent label. Shuffled labels give {1#}.</source>
      <translation>Von {0#} Websites mit Kategorie in Clustern mit zwei oder mehr solchen der Anteil mit der häufigsten Kategorie ihres Clusters. Gemischte Kategorien ergeben {1#}.</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/bundle_sizes.py" />
      <source>Of {0#} queries nothing tells in which of several bundles they stand; one was drawn.</source>
      <translation>Von {0#} Anfragen verrät nichts, in welchem von mehreren Bündeln sie stehen; eines wurde gezogen.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_report.py" />
      <source>Of {0#} queries nothing tells which bundle of the release they are in: one was drawn.</source>
      <translation>Von {0#} Anfragen verrät nichts, in welchem Bündel der Freigabe sie sind: Eines wurde gezogen.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/linkage_report.py" />
      <source>Of {0#} targets equal rows don't tell which record is theirs. They are left out, and may be harder to find than the rest: keep the ids to measure them, too.</source>
      <translation>Bei {0#} Zielen verraten gleiche Zeilen nicht, welcher Datensatz ihrer ist. Sie bleiben außer Betracht und sind vielleicht schwerer zu finden als die übrigen: Behalten Sie die Kennungen, um auch sie zu messen.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/structural_values.py" />
      <source>Of {0#} users in bundles that are large enough, {1#} asked {2#} % of one or more.</source>
      <translation>Von {0#} Nutzern in Bündeln, die groß genug sind, stellten {1#} mindestens {2#} % von einem.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/vanity_report.py" />
      <source>Of {0#} users, {1#} have a profile; the others count as nameless.</source>
      <translation>Von {0#} Nutzern haben {1#} ein Profil; die anderen gelten als namenlos.</translation>
    </message>
    <message>
      <location filename="../../auditor/log/mapping.py" />
      <source>One column can't be both {0} and {1}.</source>
      <translation>Eine Spalte kann nicht {0*} und {1*} zugleich sein.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/safelog.py" />
      <source>One draw selects and counts, so ε only falls with b; K rises with it.</source>
      <translation>Eine Ziehung wählt und zählt, also fällt ε nur mit b; K steigt damit.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/geo_vanity.py" />
      <source>One guess for each city, as the source makes.</source>
      <translation>Eine Vermutung je Stadt, wie in der Quelle.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/dp_audit.py" />
      <source>One of the single runs was left out: {0}</source>
      <translation>Einer der einzelnen Läufe entfiel: {0*}</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/dp_audit_report.py" />
      <source>One run with many users who may be there showed more than many runs did at {0}: ε ≥ {1#} against {2#}.</source>
      <translation>Ein Lauf mit vielen möglichen Nutzern zeigte mehr als viele Läufe bei {0*}: ε ≥ {1#} gegen {2#}.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_tables.py" />
      <source>One update of the true mapping</source>
      <translation>Eine Aktualisierung der wahren Zuordnung</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/profile_exposure.py" />
      <source>One user in twenty is exposed more than this.</source>
      <translation>Einer von zwanzig Nutzern ist stärker preisgegeben.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/microaggregation_outlook.py" />
      <source>One user in twenty will be exposed more than this.</source>
      <translation>Einer von zwanzig Nutzern wird stärker preisgegeben.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/korolova.py" />
      <source>One user more or less changes the chance of any release by a factor of at most e^{0#}, except with a chance of {1} (printed for continuous noise: {2}).</source>
      <translation>Ein Nutzer mehr oder weniger ändert die Wahrscheinlichkeit jeder Freigabe höchstens um den Faktor e^{0#}, außer mit einer Wahrscheinlichkeit von {1} (gedruckt für stetiges Rauschen: {2}).</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/similarity.py" />
      <source>Only equal strings are alike.</source>
      <translation>Nur gleiche Zeichenfolgen sind ähnlich.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/vanity_params.py" />
      <source>Only names in which both agree: the surest.</source>
      <translation>Nur Namen, in denen beide übereinstimmen: die sichersten.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/surviving_lists.py" />
      <source>Only one user of the raw log ever asked them; in the release they stand verbatim under two ids or more, as in the lists of k-anonymous groups.</source>
      <translation>Nur ein Nutzer des Rohprotokolls stellte sie je; in der Freigabe stehen sie wörtlich unter zwei oder mehr Kennungen, wie in den Listen k-anonymer Gruppen.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_pairs.py" />
      <source>Only pairs that are near in time or share something are looked at; all others are taken for different users'. The source looked at all pairs, and of one day, when more of a user's pairs are of one session.</source>
      <translation>Angesehen werden nur Paare, die zeitlich nah sind oder etwas teilen; alle anderen gelten als von verschiedenen Nutzern. Die Quelle sah alle Paare an, und die eines Tages, an dem mehr Paare eines Nutzers aus einer Sitzung stammen.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/safelog_params.py" />
      <source>Only queries of this log can be released.</source>
      <translation>Nur Anfragen dieses Protokolls können freigegeben werden.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/statements.py" />
      <source>Only the released tables go out. Counts of changes, measures and evidence beside them are computed without noise and are not covered.</source>
      <translation>Nur die freigegebenen Tabellen gehen hinaus. Zahlen der Änderungen, Maße und Belege daneben sind ohne Rauschen berechnet und nicht abgedeckt.</translation>
    </message>
    <message>
      <location filename="../../auditor/release/ledger_history.py" />
      <source>Only the very same log was recognised. Parts and other forms of it are recognised if the log itself is at hand.</source>
      <translation>Nur genau dasselbe Protokoll wurde erkannt. Teile und andere Formen davon werden erkannt, wenn das Protokoll selbst vorliegt.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/unbundling_params.py" />
      <source>Only users with more than their bundle's mean count. The source can be read either way; leaving the others out flatters fibers that are too large.</source>
      <translation>Nur Nutzer über dem Mittel ihres Bündels zählen. Die Quelle lässt sich so oder so lesen; die anderen wegzulassen schmeichelt zu großen Fasern.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/flagged_table.py" />
      <source>Open a log. The sessions that could tell who somebody is are listed here.</source>
      <translation>Öffnen Sie ein Protokoll. Hier werden die Sitzungen aufgeführt, die verraten könnten, wer jemand ist.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/welcome.py" />
      <source>Open a search log</source>
      <translation>Ein Suchprotokoll öffnen</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_tables.py" />
      <source>Oracle bound</source>
      <translation>Orakelschranke</translation>
    </message>
    <message>
      <location filename="../../resources/policies" />
      <source>Other logs have been published, and more of them will be.</source>
      <translation>Andere Protokolle wurden veröffentlicht, und weitere werden es.</translation>
    </message>
    <message>
      <location filename="../../auditor/privacy/accounting.py" />
      <source>Over all b, ε stays above {0#}.</source>
      <translation>Für alle b bleibt ε über {0#}.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/token_hashing_explain.py" />
      <source>Over all rows of the log; the release has the same counts, under hashes.</source>
      <translation>Über alle Zeilen des Protokolls; die Freigabe hat dieselben Anzahlen, unter Hashes.</translation>
    </message>
    <message>
      <location filename="../../auditor/release/answer.py" />
      <source>Over the method's noise alone.</source>
      <translation>Nur über das Rauschen des Verfahrens.</translation>
    </message>
    <message>
      <location filename="../../auditor/release/approve.py" />
      <source>Overriding the gate '{0}' needs a reason.</source>
      <translation>Die Bedingung '{0}' aufzuheben braucht eine Begründung.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/surviving_content.py" />
      <source>Own names</source>
      <translation>Eigene Namen</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/geo_vanity.py" />
      <source>Own places</source>
      <translation>Eigene Orte</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/vanity_report.py" />
      <source>P ∪ S, both</source>
      <translation>P ∪ S, beide</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/vanity_report.py" />
      <source>P ∪ S, either</source>
      <translation>P ∪ S, eines</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/vanity_report.py" />
      <source>P: names in the profile. S: names in the userid. Either: one of them has as many; both: each has; ∩: both agree on as many.</source>
      <translation>P: Namen im Profil. S: Namen in der Kennung. Eines: eines davon hat so viele; beide: jedes hat so viele; ∩: beide stimmen in so vielen überein.</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/profile_exposure.py" />
      <source>PEL (less is more private)</source>
      <translation>PEL (weniger schützt besser)</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/microaggregation_outlook.py" />
      <source>PEL by occurrences</source>
      <translation>PEL nach Vorkommen</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/profile_exposure.py" />
      <source>PEL is weak evidence: read it beside the rate of record linkage.</source>
      <translation>PEL ist ein schwacher Beleg: Lesen Sie ihn neben der Quote der Verknüpfung von Datensätzen.</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/profile_exposure.py" />
      <source>PEL, SPI</source>
      <translation>PEL, SPI</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/profile_exposure.py" />
      <source>PEL, mean over users</source>
      <translation>PEL, Mittel über Nutzer</translation>
    </message>
    <message>
      <location filename="../../auditor/privacy/release.py" />
      <source>PREVIEW: seeded noise, not a release</source>
      <translation>VORSCHAU: Rauschen aus einem Startwert, keine Freigabe</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_confidence.py" />
      <source>Pairs</source>
      <translation>Paare</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/outlook.py" />
      <source>Pairs of a query and a clicked page that are expected to be released.</source>
      <translation>Paare aus Anfrage und geklickter Seite, die voraussichtlich freigegeben werden.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/outlook.py" />
      <source>Pairs of queries that did follow each other and are expected to be released.</source>
      <translation>Paare von Anfragen, die wirklich aufeinander folgten und voraussichtlich freigegeben werden.</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/site_clustering.py" />
      <source>Pairs of sites that stand together in the log and in the release, of those that do in either. Read it beside the share of sites found.</source>
      <translation>Paare von Websites, die in Protokoll und Freigabe beisammen sind, von denen, die es in einem sind. Lesen Sie es neben dem Anteil gefundener Websites.</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/user_clustering.py" />
      <source>Pairs of users that are together before and after, of those together in either (Jaccard), or that are alike in this (Rand), averaged over the numbers of clusters.</source>
      <translation>Paare von Nutzern, die vorher und nachher beisammen sind, von denen, die es in einem sind (Jaccard), oder die darin übereinstimmen (Rand), über die Anzahlen der Cluster gemittelt.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/outlook.py" />
      <source>Pairs that noise alone is expected to lift over K_t = {0#}.</source>
      <translation>Paare, die allein das Rauschen voraussichtlich über K_t = {0#} hebt.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/statements.py" />
      <source>Parameters were not chosen by what this log shows. Tuning on the log itself is a look at it that ε does not count.</source>
      <translation>Parameter wurden nicht danach gewählt, was dieses Protokoll zeigt. Am Protokoll selbst einzustellen ist ein Blick darauf, den ε nicht zählt.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/surviving_content.py" />
      <source>Payment cards</source>
      <translation>Zahlungskarten</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/trends.py" />
      <source>Pearson's correlation of searches over time in log and release, averaged over queries </source>
      <translation>Pearson-Korrelation der Suchen über die Zeit in Protokoll und Freigabe, gemittelt über Anfragen, </translation>
    </message>
    <message>
      <location filename="../../auditor/gui/checks_panel.py" />
      <source>People's profiles</source>
      <translation>Profile von Personen</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_report.py" />
      <source>Period</source>
      <translation>Zeitraum</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/surviving_content.py" />
      <source>Person names</source>
      <translation>Personennamen</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/surviving_content.py" />
      <source>Phone numbers</source>
      <translation>Telefonnummern</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/linkage.py" />
      <source>Picks the released record that is closest to a part of what somebody asked, and says how often it is hers.</source>
      <translation>Wählt den freigegebenen Datensatz, der einem Teil der Anfragen einer Person am nächsten ist, und sagt, wie oft es ihrer ist.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/handing.py" />
      <source>Picture (*.png)</source>
      <translation>Bild (*.png)</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/linkage_report.py" />
      <source>Place of her record</source>
      <translation>Platz des eigenen Datensatzes</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/wizard_intent.py" />
      <source>Place of the click in the list of results</source>
      <translation>Platz des Klicks in der Ergebnisliste</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/surviving_content.py" />
      <source>Places</source>
      <translation>Orte</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/geo_vanity_report.py" />
      <source>Places are those of the United States; names that mean many places or none count with the confidence that their use and their inhabitants give them.</source>
      <translation>Orte sind die der Vereinigten Staaten; Namen, die viele Orte oder keinen bedeuten, zählen mit der Konfidenz, die ihr Gebrauch und ihre Einwohner ihnen geben.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/unbundling_params.py" />
      <source>Places at least so sure</source>
      <translation>Orte, mindestens so sicher</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/geo_vanity_report.py" />
      <source>Places at least {0#} sure.</source>
      <translation>Orte, mindestens {0#} sicher.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/structural_report.py" />
      <source>Places in bundles, and whose they are</source>
      <translation>Orte in Bündeln, und wessen sie sind</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/volume.py" />
      <source>Places in the log where one user goes from a query to another one and that pair is in the release. The release's own column counts its pairs.</source>
      <translation>Stellen im Protokoll, an denen ein Nutzer von einer Anfrage zu einer anderen geht und dieses Paar in der Freigabe steht. Die Spalte der Freigabe zählt ihre Paare.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/structural_report.py" />
      <source>Places of hers alone</source>
      <translation>Orte nur dieses Nutzers</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/safelog_params.py" />
      <source>Pool file</source>
      <translation>Datei des Vorrats</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/safelog_params.py" />
      <source>Pool size</source>
      <translation>Größe des Vorrats</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_report.py" />
      <source>Precision</source>
      <translation>Genauigkeit</translation>
    </message>
    <message>
      <location filename="../../auditor/release/comparison.py" />
      <source>Privacy and utility: {0}</source>
      <translation>Datenschutz und Nutzen: {0*}</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/banner.py" />
      <source>Problem</source>
      <translation>Problem</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/profile_exposure.py" />
      <source>Profile exposure</source>
      <translation>Preisgabe des Profils</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/profile_exposure.py" />
      <source>Profile exposure level and k-anonymity</source>
      <translation>Preisgabegrad des Profils und k-Anonymität</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/knowledge.py" />
      <source>Profiles of the sample's people</source>
      <translation>Profile der Personen des Beispiels</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/korolova.py" />
      <source>Public results</source>
      <translation>Öffentliche Ergebnisse</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/korolova.py" />
      <source>Public results need a query, a tab and a page on every line.</source>
      <translation>Öffentliche Ergebnisse brauchen in jeder Zeile Anfrage, Tabulator und Seite.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/bundling.py" />
      <source>Puts the queries of several users under one opaque number; user, cookie and address go, the queries stay readable.</source>
      <translation>Stellt die Anfragen mehrerer Nutzer unter eine nichtssagende Nummer; Nutzer, Cookie und Adresse entfallen, die Anfragen bleiben lesbar.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/flagged_model.py" />
      <source>Queries</source>
      <translation>Anfragen</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/k_delta_common.py" />
      <source>Queries are compared by the clusters that the original log's clicks give at δ = {0#}, not by those that the release's own clicks would give.</source>
      <translation>Anfragen werden nach den Clustern verglichen, die die Klicks des ursprünglichen Protokolls bei δ = {0#} ergeben, nicht nach denen aus den Klicks der Freigabe.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/safelog.py" />
      <source>Queries below τ are dropped before users are limited.</source>
      <translation>Anfragen unter τ entfallen, bevor Nutzer begrenzt werden.</translation>
    </message>
    <message>
      <location filename="../../auditor/privacy/models.py" />
      <source>Queries count as one interest if the Jaccard distance of their clicks is at most this.</source>
      <translation>Anfragen gelten als ein Interesse, wenn der Jaccard-Abstand ihrer Klicks höchstens so groß ist.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/k_delta_common.py" />
      <source>Queries count as one interest when the sets of pages clicked for them are at most so far apart (1 − Jaccard). Wider clusters make users alike with fewer changes, and let queries in them differ more.</source>
      <translation>Anfragen gelten als ein Interesse, wenn die Mengen der dafür geklickten Seiten höchstens so weit auseinander sind (1 − Jaccard). Breitere Cluster gleichen Nutzer mit weniger Änderungen an und lassen die Anfragen darin verschiedener sein.</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/trends.py" />
      <source>Queries followed</source>
      <translation>Verfolgte Anfragen</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/geo_vanity_report.py" />
      <source>Queries for places</source>
      <translation>Anfragen nach Orten</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/geo_vanity_report.py" />
      <source>Queries for places near home</source>
      <translation>Anfragen nach Orten nahe dem Wohnort</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/safelog_params.py" />
      <source>Queries from any list, one a line.</source>
      <translation>Anfragen aus einer beliebigen Liste, eine je Zeile.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/safelog_params.py" />
      <source>Queries from elsewhere that stand beside the log's with a count of 0; those that noise lifts over K are released as decoys, so a released query need not be anybody's.</source>
      <translation>Anfragen von anderswo, die mit der Anzahl 0 neben denen des Protokolls stehen; die das Rauschen über K hebt, werden als Köder freigegeben, sodass eine freigegebene Anfrage niemandes sein muss.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/zealous.py" />
      <source>Queries kept of each user (m)</source>
      <translation>Behaltene Anfragen je Nutzer (m)</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/korolova.py" />
      <source>Queries kept of each user (q_f)</source>
      <translation>Behaltene Anfragen je Nutzer (q_f)</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/similarity.py" />
      <source>Queries of one cluster have clicks whose Jaccard distance is at most this.</source>
      <translation>Anfragen eines Clusters haben Klicks, deren Jaccard-Abstand höchstens so groß ist.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/structural_report.py" />
      <source>Queries of the bundle</source>
      <translation>Anfragen des Bündels</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_findings.py" />
      <source>Queries of the first recovered fibers and of the true ones</source>
      <translation>Anfragen der ersten wiedergefundenen und der wahren Fasern</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/outlook.py" />
      <source>Queries of the pool that noise alone is expected to lift over K.</source>
      <translation>Anfragen des Vorrats, die allein das Rauschen voraussichtlich über K hebt.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_findings.py" />
      <source>Queries recovered</source>
      <translation>Wiedergefundene Anfragen</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_variants.py" />
      <source>Queries that name the same place.</source>
      <translation>Anfragen, die denselben Ort nennen.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_variants.py" />
      <source>Queries that share a word.</source>
      <translation>Anfragen mit einem gemeinsamen Wort.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/surviving_report.py" />
      <source>Queries with entities that tell of a person</source>
      <translation>Anfragen mit Angaben, die etwas über eine Person verraten</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/similarity.py" />
      <source>Queries with like clicks are alike.</source>
      <translation>Anfragen mit ähnlichen Klicks sind ähnlich.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/entity_report.py" />
      <source>Queries with privacy-relevant entities in the top {0#} terms</source>
      <translation>Anfragen mit heiklen Angaben in den häufigsten {0#} Begriffen</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/session_view.py" />
      <source>Query</source>
      <translation>Anfrage</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/linkage.py" />
      <source>Query Log Privacy Auditor; likelihood of a record: Ponte and Croft, SIGIR 1998</source>
      <translation>Query Log Privacy Auditor; likelihood of a record: Ponte and Croft, SIGIR 1998</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/volume.py" />
      <source>Query Log Privacy Auditor; what one count is: Zhang, Yang, Singh &amp; Xiong 2016</source>
      <translation>Query Log Privacy Auditor; was eine Zählung ist: Zhang, Yang, Singh &amp; Xiong 2016</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/entity_report.py" />
      <source>Query count</source>
      <translation>Anfragen</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/safelog_params.py" />
      <source>Query pool</source>
      <translation>Vorrat an Anfragen</translation>
    </message>
    <message>
      <location filename="../../auditor/log/model.py" />
      <source>QueryLog({0#} rows, {1#} users, {2#} queries)</source>
      <translation>QueryLog({0#} rows, {1#} users, {2#} queries)</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_report.py" />
      <source>Rand</source>
      <translation>Rand</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/user_clustering.py" />
      <source>Rand index</source>
      <translation>Rand-Index</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_report.py" />
      <source>Rand's measure; 0 if the fibers are the same. Where there are many small fibers most pairs are apart in both, so it is small for anything that joins little.</source>
      <translation>Rands Maß; 0, wenn die Fasern gleich sind. Bei vielen kleinen Fasern sind die meisten Paare in beiden getrennt, darum ist es klein für alles, was wenig verbindet.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/k_delta_outlook.py" />
      <source>Random parts of the {0#} users, with k = {1#}.</source>
      <translation>Zufällige Teile der {0#} Nutzer, mit k = {1#}.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/linkage_report.py" />
      <source>Rank</source>
      <translation>Rang</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/vanity_report.py" />
      <source>Rank by her name</source>
      <translation>Rang über den Namen</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/vanity_report.py" />
      <source>Rank of her name in hers</source>
      <translation>Rang des Namens unter den eigenen</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/frequencies.py" />
      <source>Ranks compared</source>
      <translation>Verglichene Ränge</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/retrieval.py" />
      <source>Ranks pages for held-out queries by what the method releases of the rest, and counts how well that predicts what people clicked.</source>
      <translation>Reiht Seiten für zurückgehaltene Anfragen nach dem, was das Verfahren vom Rest freigibt, und zählt, wie gut das die Klicks vorhersagt.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/entities.py" />
      <source>Rare name below</source>
      <translation>Seltener Name unter</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/vanity_params.py" />
      <source>Rare names weigh more, since few search for a private person. The source's own weight has no value where c is 1; those then come before all others.</source>
      <translation>Seltene Namen wiegen mehr, da wenige nach einer Privatperson suchen. Das Gewicht der Quelle hat für c = 1 keinen Wert; solche kommen dann vor allen anderen.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/safelog_params.py" />
      <source>Rarest query kept (τ)</source>
      <translation>Seltenste behaltene Anfrage (τ)</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/vanity_params.py" />
      <source>Real names that people gave in their profiles (P).</source>
      <translation>Echte Namen, die Menschen in ihren Profilen angaben (P).</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/rejects_view.py" />
      <source>Reason</source>
      <translation>Grund</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_report.py" />
      <source>Recall</source>
      <translation>Trefferquote</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/linkage.py" />
      <source>Record linkage</source>
      <translation>Verknüpfung von Datensätzen</translation>
    </message>
    <message>
      <location filename="../../resources/policies" />
      <source>Records are linked to people hardly more often than by guessing</source>
      <translation>Datensätze werden kaum öfter mit Menschen verknüpft als durch Raten</translation>
    </message>
    <message>
      <location filename="../../resources/policies" />
      <source>Records are seldom linked to people</source>
      <translation>Datensätze werden selten mit Menschen verknüpft</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/linkage_report.py" />
      <source>Records in that place</source>
      <translation>Datensätze auf diesem Platz</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/entities.py" />
      <source>Recovered</source>
      <translation>Wiedergefunden</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_findings.py" />
      <source>Recovered fibers beside the true ones</source>
      <translation>Wiedergefundene Fasern neben den wahren</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_report.py" />
      <source>Recovered words, the surest first</source>
      <translation>Wiedergefundene Wörter, die sichersten zuerst</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_params.py" />
      <source>Reference</source>
      <translation>Vergleichsprotokoll</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_tables.py" />
      <source>Reference events</source>
      <translation>Ereignisse des Vergleichsprotokolls</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/dp_audit_report.py" />
      <source>Refuted: {0} does not hold. An output that is impossible without one user has a chance of at least {1#} with her ({2}), which is above δ, so no ε holds at all. By sampling alone ε is at least {3#}.</source>
      <translation>Widerlegt: {0*} gilt nicht. Eine Ausgabe, die ohne einen Nutzer unmöglich ist, hat mit ihm eine Wahrscheinlichkeit von mindestens {1#} ({2*}), also mehr als δ; darum gilt gar kein ε. Allein durch Stichproben ist ε mindestens {3#}.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/dp_audit_report.py" />
      <source>Refuted: {0} does not hold. With {1#} % confidence ε is at least {2#} ({3}).</source>
      <translation>Widerlegt: {0*} gilt nicht. Mit {1#} % Konfidenz ist ε mindestens {2#} ({3*}).</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/unbundling_params.py" />
      <source>Related from (χ²)</source>
      <translation>Verwandt ab (χ²)</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/safelog_params.py" />
      <source>Release clicks</source>
      <translation>Klicks freigeben</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/safelog_params.py" />
      <source>Release transitions</source>
      <translation>Übergänge freigeben</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/surviving_lists.py" />
      <source>Released under an id that the raw log has, but that user never asked that query: whoever knows the id will take it for hers.</source>
      <translation>Freigegeben unter einer Kennung, die das Rohprotokoll hat, deren Nutzer diese Anfrage aber nie stellte: Wer die Kennung kennt, hält sie für seine.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/safelog.py" />
      <source>Releases noisy counts of queries, clicks and transitions that enough users share, so that no single user's history shows.</source>
      <translation>Gibt verrauschte Anzahlen von Anfragen, Klicks und Übergängen frei, die genügend Nutzer teilen, sodass sich kein einzelner Verlauf zeigt.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/zealous.py" />
      <source>Releases noisy counts of the queries that are above two thresholds, set from a wanted ε' and δ'.</source>
      <translation>Gibt verrauschte Anzahlen der Anfragen frei, die über zwei Schwellenwerten liegen, bestimmt aus einem gewünschten ε' und δ'.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/korolova.py" />
      <source>Releases noisy counts of the queries that enough of the limited users share.</source>
      <translation>Gibt verrauschte Anzahlen der Anfragen frei, die genügend der begrenzten Nutzer teilen.</translation>
    </message>
    <message>
      <location filename="../../resources/policies" />
      <source>Releases of the same log add up, whatever method each was made by.</source>
      <translation>Freigaben desselben Protokolls summieren sich, mit welchem Verfahren auch immer.</translation>
    </message>
    <message>
      <location filename="../../auditor/release/policy_schema.py" />
      <source>Releases of this log that have no guarantee that adds up.</source>
      <translation>Freigaben dieses Protokolls ohne eine Garantie, die sich summiert.</translation>
    </message>
    <message>
      <location filename="../../auditor/release/policy_schema.py" />
      <source>Releases of this log without any noise.</source>
      <translation>Freigaben dieses Protokolls ganz ohne Rauschen.</translation>
    </message>
    <message>
      <location filename="../../auditor/release/policy_schema.py" />
      <source>Releases of this log, this one included.</source>
      <translation>Freigaben dieses Protokolls, diese inbegriffen.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/token_hashing.py" />
      <source>Replaces every word by a keyed hash, the same for equal words; no protection against whoever has another log.</source>
      <translation>Ersetzt jedes Wort durch einen Hash mit Schlüssel, gleiche Wörter durch denselben; kein Schutz vor jemandem mit einem anderen Protokoll.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/surviving_content.py" />
      <source>Revealing terms</source>
      <translation>Verräterische Begriffe</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_confidence.py" />
      <source>Right</source>
      <translation>Richtig</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/dp_audit_report.py" />
      <source>Right guesses of one run</source>
      <translation>Richtig Geratene eines Laufs</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/flagged_model.py" />
      <source>Risk</source>
      <translation>Risiko</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/user_clustering.py" />
      <source>Rounds</source>
      <translation>Runden</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/volume.py" />
      <source>Rows of the file.</source>
      <translation>Zeilen der Datei.</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/frequencies.py" />
      <source>Rows shown</source>
      <translation>Gezeigte Zeilen</translation>
    </message>
    <message>
      <location filename="../../auditor/log/bundles.py" />
      <source>Rows whose addresses differ in their low bits only.</source>
      <translation>Zeilen, deren Adressen sich nur in den unteren Bits unterscheiden.</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/volume.py" />
      <source>Rows with a clicked page.</source>
      <translation>Zeilen mit einer geklickten Seite.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/flagged_table.py" />
      <source>Run a method to see which sessions are at risk, why, and what of them is released.</source>
      <translation>Starten Sie einen Lauf, um zu sehen, welche Sitzungen gefährdet sind, warum, und was davon freigegeben wird.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/tables_panel.py" />
      <source>Run a method: the tables of its measures and attacks appear here.</source>
      <translation>Starten Sie einen Lauf: Hier erscheinen die Tabellen seiner Maße und Angriffe.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/welcome.py" />
      <source>Runs are attacked; the sessions behind each number open.</source>
      <translation>Läufe werden angegriffen; die Sitzungen hinter jeder Zahl lassen sich öffnen.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/dp_audit.py" />
      <source>Runs of the method</source>
      <translation>Läufe des Verfahrens</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/dp_audit.py" />
      <source>Runs the method on invented logs that differ by one user, and says how large its ε is at least.</source>
      <translation>Führt das Verfahren auf erfundenen Protokollen aus, die sich um einen Nutzer unterscheiden, und sagt, wie groß sein ε mindestens ist.</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/profile_exposure.py" />
      <source>SPI (more is more private)</source>
      <translation>SPI (mehr schützt besser)</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/profile_exposure.py" />
      <source>SPI of users who asked something sensitive, mean</source>
      <translation>SPI der Nutzer mit heiklen Anfragen, Mittel</translation>
    </message>
    <message>
      <location filename="../../auditor/release/ledger.py" />
      <source>SQLite failed</source>
      <translation>SQLite ist gescheitert</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/safelog.py" />
      <source>SafeLog</source>
      <translation>SafeLog</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/next_query.py" />
      <source>SafeLog's transitions (Zhang et al. 2016) are released for this; not measured there</source>
      <translation>SafeLog's transitions (Zhang et al. 2016) are released for this; not measured there</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/loading.py" />
      <source>Sample log</source>
      <translation>Beispielprotokoll</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/knowledge.py" />
      <source>Sample log, an earlier period</source>
      <translation>Beispielprotokoll, ein früherer Zeitraum</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/token_hashing.py" />
      <source>Save the key to</source>
      <translation>Schlüssel speichern in</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/safelog_params.py" />
      <source>Scale of the noise on a query's count when it is decided whether to release it. More noise hides better whether a user is in the log; then K must be higher, too, and fewer queries are released.</source>
      <translation>Skala des Rauschens auf der Anzahl einer Anfrage, wenn über ihre Freigabe entschieden wird. Mehr Rauschen verbirgt besser, ob ein Nutzer im Protokoll steht; dann muss auch K höher sein, und weniger Anfragen werden freigegeben.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/korolova.py" />
      <source>Scale of the noise on a query's count when it is decided whether to release it. More noise hides better whether a user is in the log; then K must be higher, too.</source>
      <translation>Skala des Rauschens auf der Anzahl einer Anfrage, wenn über ihre Freigabe entschieden wird. Mehr Rauschen verbirgt besser, ob ein Nutzer im Protokoll steht; dann muss auch K höher sein.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/korolova.py" />
      <source>Scale of the noise on every click count. More noise hides better whether a user clicked a page.</source>
      <translation>Skala des Rauschens auf jeder Klickanzahl. Mehr Rauschen verbirgt besser, ob ein Nutzer eine Seite klickte.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/safelog_params.py" />
      <source>Scale of the noise on every transition count. More noise hides better whether a user asked one query after another.</source>
      <translation>Skala des Rauschens auf jeder Übergangsanzahl. Mehr Rauschen verbirgt besser, ob ein Nutzer eine Anfrage nach einer anderen stellte.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/korolova.py" />
      <source>Scale of the noise on the counts of the queries that are released, drawn anew.</source>
      <translation>Skala des neu gezogenen Rauschens auf den Anzahlen der freigegebenen Anfragen.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/safelog_params.py" />
      <source>Scale of the second noise, on the counts of the queries that are released. Strict mode draws once for both, so nobody pays for two draws.</source>
      <translation>Skala des zweiten Rauschens, auf den Anzahlen der freigegebenen Anfragen. Der strenge Modus zieht für beides einmal, sodass niemand für zwei Ziehungen zahlt.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_params.py" />
      <source>Scheme</source>
      <translation>Schema</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/unbundling_params.py" />
      <source>Score all other ways, too, as far as there is what they need. Takes longer.</source>
      <translation>Auch alle anderen Wege bewerten, soweit vorhanden ist, was sie brauchen. Dauert länger.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_report.py" />
      <source>Scored are {0#} users with more than their bundle's mean of queries, in {1#} bundles of {2#} queries or more ({3}).</source>
      <translation>Bewertet sind {0#} Nutzer mit mehr Anfragen als das Mittel ihres Bündels, in {1#} Bündeln mit {2#} oder mehr Anfragen ({3*}).</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/microaggregation_groups.py" />
      <source>Search for similar users</source>
      <translation>Suche nach ähnlichen Nutzern</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/volume.py" />
      <source>Searches (distinct user, query and time) of the log whose query, letter for letter, is in the release: the query volume that it still speaks of.</source>
      <translation>Suchen (verschieden in Nutzer, Anfrage und Zeit) des Protokolls, deren Anfrage buchstabengetreu in der Freigabe steht: der Umfang der Anfragen, von dem sie noch spricht.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/k_delta_outlook.py" />
      <source>Searches added and suppressed over k</source>
      <translation>Hinzugefügte und entfallene Suchen über k</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/similarity.py" />
      <source>Searches added and suppressed per user</source>
      <translation>Hinzugekommene und entfallene Suchen je Nutzer</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/k_delta_outlook.py" />
      <source>Searches added and suppressed, over users</source>
      <translation>Hinzugefügte und entfallene Suchen, über Nutzer</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/trends.py" />
      <source>Searches are counted over so many days at a time, by UTC.</source>
      <translation>Suchen werden über je so viele Tage gezählt, nach UTC.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/geo_vanity_report.py" />
      <source>Searches count whose words stand in the release unchanged, as if it told users apart as the raw log does: an upper bound where it doesn't.</source>
      <translation>Suchen zählen, deren Wörter unverändert in der Freigabe stehen, als unterschiede sie Nutzer wie das Rohprotokoll: eine obere Schranke, wo sie es nicht tut.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/linkage_report.py" />
      <source>Searches known</source>
      <translation>Bekannte Suchen</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/trends.py" />
      <source>Searches over time</source>
      <translation>Suchen über die Zeit</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/volume.py" />
      <source>Searches that the release has, whether or not their query was changed.</source>
      <translation>Suchen, die die Freigabe enthält, ob ihre Anfrage geändert wurde oder nicht.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/zealous.py" />
      <source>Second threshold (τ')</source>
      <translation>Zweiter Schwellenwert (τ')</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/next_query.py" />
      <source>Seed of the split</source>
      <translation>Startwert der Teilung</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/entity_report.py" />
      <source>Seen by the attacker</source>
      <translation>Vom Angreifer gesehen</translation>
    </message>
    <message>
      <location filename="../../auditor/release/answer.py" />
      <source>Seen closer</source>
      <translation>Näher betrachtet</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/entity_report.py" />
      <source>Session count</source>
      <translation>Sitzungen</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/entities.py" />
      <source>Session gap</source>
      <translation>Sitzungspause</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/surviving_content.py" />
      <source>Sessions below this risk are not flagged. The risk grows with every reason and with the rarity of the string behind it: a non-star name that one user asked has 0.3 by itself, a valid social security number 0.9. It orders sessions; it is no probability.</source>
      <translation>Sitzungen unter diesem Risiko werden nicht gemeldet. Das Risiko wächst mit jedem Grund und mit der Seltenheit der Zeichenfolge dahinter: Ein unbekannter Name, nach dem ein Nutzer fragte, hat für sich 0,3, eine gültige Sozialversicherungsnummer 0,9. Es ordnet Sitzungen; es ist keine Wahrscheinlichkeit.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/surviving_report.py" />
      <source>Sessions in the input</source>
      <translation>Sitzungen in der Eingabe</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/surviving_report.py" />
      <source>Sessions of which the release still shows it</source>
      <translation>Sitzungen, bei denen die Freigabe es noch zeigt</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/surviving_report.py" />
      <source>Sessions with entities that tell of a person</source>
      <translation>Sitzungen mit Angaben, die etwas über eine Person verraten</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/entity_report.py" />
      <source>Sessions with privacy-relevant entities in the top {0#} terms</source>
      <translation>Sitzungen mit heiklen Angaben in den häufigsten {0#} Begriffen</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/set_union.py" />
      <source>Set union</source>
      <translation>Mengenvereinigung</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_report.py" />
      <source>Share changed</source>
      <translation>Anteil geändert</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/microaggregation_outlook.py" />
      <source>Share of a user's queries in her group's list</source>
      <translation>Anteil der Anfragen eines Nutzers in der Liste seiner Gruppe</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/set_union.py" />
      <source>Share of all (user, query) within the limit whose query is found.</source>
      <translation>Anteil aller (Nutzer, Anfrage) innerhalb der Grenze, deren Anfrage gefunden wird.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/outlook.py" />
      <source>Share of all askings that are of a released query and within the users' limits.</source>
      <translation>Anteil aller gestellten Anfragen, die freigegeben werden und innerhalb der Grenzen der Nutzer liegen.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/frequency_threshold.py" />
      <source>Share of all rows whose query at least n users asked.</source>
      <translation>Anteil aller Zeilen, deren Anfrage mindestens n Nutzer stellten.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/bundling.py" />
      <source>Share of bundles in which one user asked more than half of the queries.</source>
      <translation>Anteil der Bündel, in denen ein Nutzer mehr als die Hälfte der Anfragen stellte.</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/retrieval_report.py" />
      <source>Share of distinct held-out queries with a click that a release of the rest has.</source>
      <translation>Anteil verschiedener zurückgehaltener Anfragen mit Klick, die eine Freigabe des Rests enthält.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_params.py" />
      <source>Share of each word's co-occurrences that is compared: its most frequent neighbours. Less saves work and loses telling details.</source>
      <translation>Anteil des gemeinsamen Auftretens eines Wortes, der verglichen wird: seine häufigsten Nachbarn. Weniger spart Arbeit und verliert verräterische Einzelheiten.</translation>
    </message>
    <message>
      <location filename="../../resources/policies" />
      <source>Share of hashed words that another log gives away.</source>
      <translation>Anteil gehashter Wörter, die ein anderes Protokoll verrät.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_tables.py" />
      <source>Share of hashes whose nearest token is right, n = {0#}</source>
      <translation>Anteil der Hashes, deren nächstes Wort richtig ist, n = {0#}</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/linkage.py" />
      <source>Share of her events known</source>
      <translation>Bekannter Anteil der Ereignisse</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_findings.py" />
      <source>Share of hers</source>
      <translation>Anteil an ihren</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/frequencies.py" />
      <source>Share of pairs in the same order less those in the opposite one, ties corrected.</source>
      <translation>Anteil der Paare in derselben Reihenfolge weniger dem der umgekehrten, um Gleichstände bereinigt.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_report.py" />
      <source>Share of right pairs by their margin to the second best</source>
      <translation>Anteil richtiger Paare nach Vorsprung vor dem zweitbesten</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/set_union.py" />
      <source>Share of the budget for counts</source>
      <translation>Anteil des Budgets für Anzahlen</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/outlook.py" />
      <source>Share of the clicks within the users' limits that a released pair counts.</source>
      <translation>Anteil der Klicks innerhalb der Grenzen der Nutzer, die ein freigegebenes Paar zählt.</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/site_clustering.py" />
      <source>Share of the clustered sites of the log that are among those of the release.</source>
      <translation>Anteil der gruppierten Websites des Protokolls, die unter denen der Freigabe sind.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/token_hashing.py" />
      <source>Share of the distinct words that occur once: too rare to be found again by their company, and useless to a reader of the release, too.</source>
      <translation>Anteil der verschiedenen Wörter, die einmal vorkommen: zu selten, um an ihrer Nachbarschaft wiedergefunden zu werden, und auch für Leser der Freigabe nutzlos.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_findings.py" />
      <source>Share of the fiber</source>
      <translation>Anteil an der Faser</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_report.py" />
      <source>Share of the hashes that have a counterpart in the reference that were mapped to their own word.</source>
      <translation>Anteil der Hashes mit einem Gegenstück im Vergleichsprotokoll, die ihrem eigenen Wort zugeordnet wurden.</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/profile_exposure.py" />
      <source>Share of the information in a user's queries that stands under her id in the release, averaged over users. It averages and takes only equal strings for the same; an attacker may do better.</source>
      <translation>Anteil der Information in den Anfragen eines Nutzers, der unter seiner Kennung in der Freigabe steht, über Nutzer gemittelt. Er mittelt und hält nur gleiche Zeichenfolgen für dasselbe; ein Angreifer kann mehr.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/microaggregation_outlook.py" />
      <source>Share of the information in a user's queries that will stand under her id.</source>
      <translation>Anteil der Information in den Anfragen eines Nutzers, der unter seiner Kennung stehen wird.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_report.py" />
      <source>Share of the matchable set whose nearest token is right if all its neighbours are: what a better algorithm on the same distance might reach. One-to-one matching can go beyond it, since a word that another hash took is out of the way.</source>
      <translation>Anteil der auffindbaren Menge, deren nächstes Wort richtig ist, wenn alle Nachbarn es sind: was ein besserer Algorithmus mit demselben Abstand erreichen könnte. Eindeutige Zuordnung kann darüber hinauskommen, da ein vergebenes Wort aus dem Weg ist.</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/next_query.py" />
      <source>Share of the steps from query to query of people the release doesn't hold that it can say anything about.</source>
      <translation>Anteil der Schritte von Anfrage zu Anfrage von Menschen, die nicht in der Freigabe stehen, zu denen sie etwas sagen kann.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/linkage_report.py" />
      <source>Share of the targets who have a record in the release; records as close as the true one share its place.</source>
      <translation>Anteil der Ziele, die einen Datensatz in der Freigabe haben; gleich nahe Datensätze teilen sich den Platz des wahren.</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/bundle_sizes.py" />
      <source>Share of the users of whom some bundle holds nobody else: it hides nothing of what they asked there.</source>
      <translation>Anteil der Nutzer, bei denen ein Bündel sonst niemanden enthält: Es verbirgt nichts von dem, was sie dort fragten.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_params.py" />
      <source>Share of the words that each hash considers: those nearest by fingerprint. Less saves work and loses words whose use differs between the logs.</source>
      <translation>Anteil der Wörter, die jeder Hash in Betracht zieht: die nach Fingerabdruck nächsten. Weniger spart Arbeit und verliert Wörter, deren Gebrauch sich zwischen den Protokollen unterscheidet.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/linkage_report.py" />
      <source>Share of users</source>
      <translation>Anteil der Nutzer</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/structural.py" />
      <source>Share that dominates</source>
      <translation>Beherrschender Anteil</translation>
    </message>
    <message>
      <location filename="../../auditor/release/policy_schema.py" />
      <source>Share that the attack gets right</source>
      <translation>Anteil, mit dem der Angriff recht hat</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/k_delta_common.py" />
      <source>Shares are equal to the last digit: distance 0.</source>
      <translation>Anteile sind bis auf die letzte Stelle gleich: Abstand 0.</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/next_query.py" />
      <source>Shares of all steps. “Held-out users”: steps of people of the log whom what is learned from doesn't hold. “Within itself”: of other users of what is learned from.</source>
      <translation>Anteile an allen Schritten. „Zurückgehaltene Nutzer“: Schritte von Menschen des Protokolls, die in dem, woran gelernt wird, nicht stehen. „In sich selbst“: von anderen Nutzern dessen, woran gelernt wird.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/dp_audit_logs.py" />
      <source>She asks one query that nobody else asked</source>
      <translation>Sie stellt eine Anfrage, die sonst niemand stellte</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/dp_audit_logs.py" />
      <source>She asks queries that are released about every other time.</source>
      <translation>Sie stellt Anfragen, die etwa jedes zweite Mal freigegeben werden.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/dp_audit_logs.py" />
      <source>She asks {0}</source>
      <translation>Sie stellt {0}</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/dp_audit_logs.py" />
      <source>She asks {0} common queries in an order that nobody else had.</source>
      <translation>Sie stellt {0} häufige Anfragen in einer Reihenfolge wie sonst niemand.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/dp_audit_logs.py" />
      <source>She asks {0} queries that nobody else asked, once each.</source>
      <translation>Sie stellt {0} Anfragen, die sonst niemand stellte, je einmal.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/dp_audit_logs.py" />
      <source>She asks {0} that τ − 1 = {1#} others asked, too: with her they reach τ, and take the place of those people's later queries.</source>
      <translation>Sie stellt {0}, die τ − 1 = {1#} andere auch stellten: Mit ihr erreichen sie τ und verdrängen spätere Anfragen jener Personen.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/dp_audit_logs.py" />
      <source>She clicks {0} that nobody else clicked, of a common query.</source>
      <translation>Sie klickt {0}, die sonst niemand zu einer häufigen Anfrage klickte.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/k_delta_common.py" />
      <source>Similar queries and similar pages merge in turn; wide clusters are split.</source>
      <translation>Ähnliche Anfragen und ähnliche Seiten verschmelzen abwechselnd; breite Cluster werden geteilt.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/k_delta_outlook.py" />
      <source>Similarity after, by the users' number of searches</source>
      <translation>Ähnlichkeit danach, nach Zahl der Suchen der Nutzer</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/similarity.py" />
      <source>Similarity of users</source>
      <translation>Ähnlichkeit der Nutzer</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/site_clustering.py" />
      <source>Sites clustered</source>
      <translation>Gruppierte Websites</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/site_clustering.py" />
      <source>Sites without a common query are never alike, so most stand alone: figures are of clusters of two sites or more.</source>
      <translation>Websites ohne gemeinsame Anfrage sind nie ähnlich, daher stehen die meisten allein: Kennzahlen beziehen sich auf Cluster mit zwei oder mehr.</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/bundle_sizes.py" />
      <source>Size of bundles</source>
      <translation>Größe der Bündel</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/bundling.py" />
      <source>Sizes are estimated from a sample of users.</source>
      <translation>Größen sind aus einer Stichprobe der Nutzer geschätzt.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/welcome.py" />
      <source>Sliders show at once what a setting promises and what it costs.</source>
      <translation>Regler zeigen sofort, was eine Einstellung zusichert und was sie kostet.</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/site_clustering.py" />
      <source>So many of the most clicked sites, of the log and of the release each.</source>
      <translation>So viele der meistgeklickten Websites, je von Protokoll und Freigabe.</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/trends.py" />
      <source>So many of the most frequent queries of the log are followed over its days.</source>
      <translation>So viele der häufigsten Anfragen des Protokolls werden über seine Tage verfolgt.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/dp_audit_summary.py" />
      <source>So many runs ({0#}) can't show more than {1#}: an ε above that would stay unseen.</source>
      <translation>So viele Läufe ({0#}) können nicht mehr als {1#} zeigen: Ein ε darüber bliebe ungesehen.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/dp_audit.py" />
      <source>So many times the method is run on a small log, about a millisecond each. A quarter of them bounds each side of an event: ten times as many can show an ε larger by 2.3.</source>
      <translation>So oft läuft das Verfahren auf einem kleinen Protokoll, je etwa eine Millisekunde lang. Ein Viertel davon begrenzt jede Seite eines Ereignisses: Zehnmal so viele können ein um 2,3 größeres ε zeigen.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/vanity_report.py" />
      <source>So often a name leads to sessions though its bearer has none.</source>
      <translation>So oft führt ein Name zu Sitzungen, obwohl sein Träger keine hat.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/geo_vanity_report.py" />
      <source>So often is right who takes the place that somebody asks for most for her home.</source>
      <translation>So oft hat recht, wer den Ort, nach dem jemand am meisten fragt, für den Wohnort hält.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/surviving_content.py" />
      <source>Social security numbers</source>
      <translation>Sozialversicherungsnummern</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/explain_counts.py" />
      <source>Solved from the other parameters, or as it was set.</source>
      <translation>Aus den anderen Parametern bestimmt oder wie eingestellt.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/dp_audit_summary.py" />
      <source>Some outputs are impossible without one user (chance {0#}); δ allows that.</source>
      <translation>Manche Ausgaben sind ohne einen Nutzer unmöglich (Wahrscheinlichkeit {0#}); δ erlaubt das.</translation>
    </message>
    <message>
      <location filename="../../auditor/release/ledger_totals.py" />
      <source>Some releases hide whether a user is in the log, others which user's history it is. The first were counted twice, (2ε, (1 + e^ε)δ): exchanging a user is to leave one out and to take another in.</source>
      <translation>Manche Freigaben verbergen, ob ein Nutzer im Protokoll steht, andere, wessen Verlauf es ist. Die ersten wurden doppelt gezählt, (2ε, (1 + e^ε)δ): Einen Nutzer auszutauschen heißt, einen wegzulassen und einen anderen aufzunehmen.</translation>
    </message>
    <message>
      <location filename="../../resources/policies" />
      <source>Somebody who knows half of what a user asked should not find her record.</source>
      <translation>Wer die Hälfte der Anfragen eines Nutzers kennt, soll seinen Datensatz nicht finden.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/vanity_params.py" />
      <source>Somebody with fewer names than this counts as nameless. Two are mostly a first and a last name; with one, everybody called Mary is meant.</source>
      <translation>Wer weniger Namen als so hat, gilt als namenlos. Zwei sind meist ein Vor- und ein Nachname; mit einem ist jede Maria gemeint.</translation>
    </message>
    <message>
      <location filename="../../resources/policies" />
      <source>Something is guaranteed</source>
      <translation>Etwas ist garantiert</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/flagged_table.py" />
      <source>Sorting the flagged sessions…</source>
      <translation>Die auffälligen Sitzungen werden sortiert…</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_params.py" />
      <source>Source's table</source>
      <translation>Tabelle der Quelle</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/frequencies.py" />
      <source>Spearman 1904; Kendall 1945 (τ_b); Navarro-Arribas et al. 2012, figs 7 and 8</source>
      <translation>Spearman 1904; Kendall 1945 (τ_b); Navarro-Arribas et al. 2012, figs 7 and 8</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/frequencies.py" />
      <source>Spearman's ρ over {0}</source>
      <translation>Spearmans ρ über {0*}</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/entities.py" />
      <source>Spots people, places, companies and secrets in the words recovered from hashes.</source>
      <translation>Erkennt Personen, Orte, Firmen und Geheimnisse in den Wörtern, die aus Hashes wiedergefunden wurden.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/entities.py" />
      <source>Spotters make mistakes both ways: a phrase may be taken for a name, and a name that no list holds is missed. Open the sessions before you rely on the counts.</source>
      <translation>Die Erkennung irrt in beide Richtungen: Eine Wendung kann als Name gelten, und ein Name, der in keiner Liste steht, wird übersehen. Öffnen Sie die Sitzungen, bevor Sie sich auf die Zahlen verlassen.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/set_union.py" />
      <source>Standard deviation of the noise on the number of users of each query.</source>
      <translation>Standardabweichung des Rauschens auf der Nutzerzahl jeder Anfrage.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/set_union.py" />
      <source>Standard deviation of the noise on the released number.</source>
      <translation>Standardabweichung des Rauschens auf der freigegebenen Zahl.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/unbundling_params.py" />
      <source>Strangers' queries in a fiber count against it.</source>
      <translation>Fremde Anfragen in einer Faser zählen gegen sie.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/surviving_content.py" />
      <source>Street addresses</source>
      <translation>Straßenadressen</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/safelog_params.py" />
      <source>Strict gives every user a guarantee that holds; published repeats the source, whose printed ε does not hold for the users of a real log.</source>
      <translation>„Streng“ gibt jedem Nutzer eine Garantie, die gilt; „wie veröffentlicht“ wiederholt die Quelle, deren gedrucktes ε für die Nutzer eines echten Protokolls nicht gilt.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/microaggregation_outlook.py" />
      <source>Strings of a single user of those looked at: they stand verbatim in the list of her whole group.</source>
      <translation>Zeichenfolgen eines einzigen der betrachteten Nutzer: Sie stehen wörtlich in der Liste seiner ganzen Gruppe.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/surviving_content.py" />
      <source>Strings of one user</source>
      <translation>Zeichenfolgen eines Nutzers</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/surviving_report.py" />
      <source>Strings surviving</source>
      <translation>Erhaltene Zeichenfolgen</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/structural.py" />
      <source>Structure of bundles</source>
      <translation>Aufbau der Bündel</translation>
    </message>
    <message>
      <location filename="../../auditor/release/policy_schema.py" />
      <source>Success rate of the attack</source>
      <translation>Erfolgsquote des Angriffs</translation>
    </message>
    <message>
      <location filename="../../auditor/release/policy_schema.py" />
      <source>Success rate on people who are not in the log</source>
      <translation>Erfolgsquote bei Personen, die nicht im Protokoll stehen</translation>
    </message>
    <message>
      <location filename="../../resources/policies" />
      <source>Such sessions are what people are blackmailed with.</source>
      <translation>Mit solchen Sitzungen werden Menschen erpresst.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_params.py" />
      <source>Table 1: the four updates at each vocabulary size.</source>
      <translation>Tabelle 1: die vier Aktualisierungen bei jeder Größe des Wortschatzes.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_params.py" />
      <source>Table 3 and figure 4.</source>
      <translation>Tabelle 3 und Abbildung 4.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_params.py" />
      <source>Table 4: time between the two logs.</source>
      <translation>Tabelle 4: Zeit zwischen den beiden Protokollen.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_params.py" />
      <source>Table 5: length of the two logs.</source>
      <translation>Tabelle 5: Länge der beiden Protokolle.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/unbundling_params.py" />
      <source>Table 7: the source's ways under three address masks.</source>
      <translation>Tabelle 7: die Wege der Quelle bei drei Adressmasken.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/handing.py" />
      <source>Table for a spreadsheet (*.csv)</source>
      <translation>Tabelle für die Tabellenkalkulation (*.csv)</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/unbundling_params.py" />
      <source>Tables 8 and 9: cliques, components, thresholds.</source>
      <translation>Tabellen 8 und 9: Cliquen, Komponenten, Schwellenwerte.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/unbundling.py" />
      <source>Takes bundles apart into what each of their users asked, by what queries share.</source>
      <translation>Trennt Bündel danach auf, was Anfragen gemeinsam haben, in das, was jeder ihrer Nutzer fragte.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/unbundling_params.py" />
      <source>Takes only the log's first days into bundles. The source bundled one day or a week: people ask for fewer things in a day, so their queries hang together more.</source>
      <translation>Nimmt nur die ersten Tage des Protokolls in Bündel. Die Quelle bündelte einen Tag oder eine Woche: An einem Tag fragen Menschen nach weniger Dingen, also hängen ihre Anfragen mehr zusammen.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/handing.py" />
      <source>Text (*.txt)</source>
      <translation>Text (*.txt)</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/wizard_intent.py" />
      <source>Text in columns (CSV, TSV, …)</source>
      <translation>Text in Spalten (CSV, TSV, …)</translation>
    </message>
    <message>
      <location filename="../../auditor/privacy/verify_user_k.py" />
      <source>The 'k' of user k-anonymity must be at least 1. Got {0}.</source>
      <translation>Das 'k' der Nutzer-k-Anonymität muss mindestens 1 sein. Angegeben war {0}.</translation>
    </message>
    <message>
      <location filename="../../auditor/privacy/models.py" />
      <source>The 'm' of {0} must be at most k = {1#}.</source>
      <translation>Das 'm' von {0} darf höchstens k = {1#} sein.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/m_k_delta_epsilon.py" />
      <source>The 'm' parameter of {0} must be at most k = {1}. Got {2} instead.</source>
      <translation>Der Parameter 'm' von {0} darf höchstens k = {1} sein. Angegeben war {2}.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/microaggregation_groups.py" />
      <source>The '{0}' parameter of {1} and the weights beside it are all 0. Give at least one of them a weight.</source>
      <translation>Der Parameter '{0}' von {1} und die Gewichte daneben sind alle 0. Geben Sie mindestens einem davon ein Gewicht.</translation>
    </message>
    <message>
      <location filename="../../auditor/params.py" />
      <source>The '{0}' parameter of {1} must be {2}. Got {3} instead.</source>
      <translation>Der Parameter '{0}' von {1} muss sein: {2*}. Angegeben war {3}.</translation>
    </message>
    <message>
      <location filename="../../auditor/log/parquet.py" />
      <source>The Parquet file is damaged or cut short.</source>
      <translation>Die Parquet-Datei ist beschädigt oder abgeschnitten.</translation>
    </message>
    <message>
      <location filename="../../auditor/log/sources.py" />
      <source>The archive holds no file.</source>
      <translation>Das Archiv enthält keine Datei.</translation>
    </message>
    <message>
      <location filename="../../auditor/log/sources.py" />
      <source>The archive is damaged or cut short.</source>
      <translation>Das Archiv ist beschädigt oder abgeschnitten.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_params.py" />
      <source>The attack alone.</source>
      <translation>Nur der Angriff.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_params.py" />
      <source>The attacker has another log.</source>
      <translation>Der Angreifer hat ein anderes Protokoll.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/linkage.py" />
      <source>The attacker is sure of a link if its record is so many times as close as any other. People who are not in the release show how often she is sure and wrong.</source>
      <translation>Der Angreifer ist sich sicher, wenn der Datensatz so viele Male näher ist als jeder andere. Personen, die nicht in der Freigabe sind, zeigen, wie oft er sicher ist und irrt.</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/bundle_sizes.py" />
      <source>The attacks on bundles look at these alone, as the source does.</source>
      <translation>Die Angriffe auf Bündel sehen nur diese an, wie die Quelle.</translation>
    </message>
    <message>
      <location filename="../../auditor/release/signing.py" />
      <source>The audit key can't be made: {0}. Set AUDITOR_DATA to a folder of yours that can be written.</source>
      <translation>Der Prüfschlüssel kann nicht angelegt werden: {0*}. Setzen Sie AUDITOR_DATA auf einen eigenen, beschreibbaren Ordner.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/geo_vanity_report.py" />
      <source>The baseline is the share of users who live where most do: what is known of a home without any query. The control is the rate with homes dealt to users at random.</source>
      <translation>Die Grundlinie ist der Anteil der Nutzer, die wohnen, wo die meisten wohnen: was man ohne eine Anfrage vom Wohnort weiß. Die Kontrolle ist die Quote mit zufällig ausgeteilten Wohnorten.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_params.py" />
      <source>The best matching as a whole; slower.</source>
      <translation>Die beste Zuordnung im Ganzen; langsamer.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/structural_values.py" />
      <source>The bundles are those of the release, made by {0}.</source>
      <translation>Die Bündel sind die der Freigabe, gebildet durch {0*}.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_report.py" />
      <source>The bundles span {0#} days. The source's span one: people's queries have more in common within a day than over weeks, so its F ≈ 0.60 for words is to be compared with that of one day.</source>
      <translation>Die Bündel umfassen {0#} Tage. Die der Quelle umfassen einen: An einem Tag haben die Anfragen einer Person mehr gemeinsam als über Wochen, daher ist ihr F ≈ 0,60 für Wörter mit dem eines Tages zu vergleichen.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/korolova.py" />
      <source>The chance that a query of one user alone gets out, from which K is solved if it is not set. Keep it far below one in the number of users.</source>
      <translation>Die Wahrscheinlichkeit, mit der eine Anfrage nur eines Nutzers hinausgelangt; daraus wird K bestimmt, wenn es nicht gesetzt ist. Halten Sie sie weit unter eins durch die Zahl der Nutzer.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/zealous.py" />
      <source>The chance that a query of one user alone gets out. Keep it far below one in the number of users.</source>
      <translation>Die Wahrscheinlichkeit, mit der eine Anfrage nur eines Nutzers hinausgelangt. Halten Sie sie weit unter eins durch die Zahl der Nutzer.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/safelog_params.py" />
      <source>The chance that a query or click of one user alone gets out. Thresholds that are not set by hand are solved from it. Keep it far below one in the number of users.</source>
      <translation>Die Wahrscheinlichkeit, mit der eine Anfrage oder ein Klick nur eines Nutzers hinausgelangt. Nicht von Hand gesetzte Schwellenwerte werden daraus bestimmt. Halten Sie sie weit unter eins durch die Zahl der Nutzer.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/safelog_params.py" />
      <source>The chance that the source's theorem gives every possible query to be in the pool. It is declared, not measured: no finite pool gives a user's own query one above 0.</source>
      <translation>Die Wahrscheinlichkeit, mit der laut dem Satz der Quelle jede mögliche Anfrage im Vorrat ist. Sie ist erklärt, nicht gemessen: Kein endlicher Vorrat gibt der eigenen Anfrage eines Nutzers eine über 0.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/set_union.py" />
      <source>The chance that ε doesn't hold. Half of it goes to queries of one user alone.</source>
      <translation>Die Wahrscheinlichkeit, dass ε nicht gilt. Die Hälfte davon gilt Anfragen nur eines Nutzers.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/dp_audit_report.py" />
      <source>The chance, from below, of an output that is impossible without one user. No ε holds at a smaller δ.</source>
      <translation>Die Wahrscheinlichkeit, von unten, einer Ausgabe, die ohne einen Nutzer unmöglich ist. Bei kleinerem δ gilt kein ε.</translation>
    </message>
    <message>
      <location filename="../../resources/policies" />
      <source>The chances that a guarantee breaks for somebody add up, too.</source>
      <translation>Auch die Wahrscheinlichkeiten, dass eine Garantie für jemanden bricht, summieren sich.</translation>
    </message>
    <message>
      <location filename="../../resources/policies" />
      <source>The claimed ε survives an audit</source>
      <translation>Das behauptete ε besteht eine Prüfung</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/safelog.py" />
      <source>The clicks' share of δ is included.</source>
      <translation>Der Anteil der Klicks an δ ist enthalten.</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/user_clustering.py" />
      <source>The cluster's merged queries, as the source does.</source>
      <translation>Die zusammengeführten Anfragen des Clusters, wie in der Quelle.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/linkage_report.py" />
      <source>The control is how often a record is at least {0#} times as close as any other for </source>
      <translation>Die Kontrolle ist, wie oft ein Datensatz mindestens {0#}-mal so nah ist wie jeder andere für </translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/linkage_report.py" />
      <source>The control is how often a record is at least {0#} times as close as any other for the targets, their own record and all as close as it held out.</source>
      <translation>Die Kontrolle ist, wie oft ein Datensatz mindestens {0#}-mal so nah ist wie jeder andere, für die Ziele, wobei ihr eigener Datensatz und alle gleich nahen weggelassen sind.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/linkage_report.py" />
      <source>The control is how often a record is at least {0#} times as close as any other for users of the reference log who are not in the raw one.</source>
      <translation>Die Kontrolle ist, wie oft ein Datensatz mindestens {0#}-mal so nah ist wie jeder andere, für Nutzer des Vergleichsprotokolls, die nicht im Rohprotokoll sind.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/vanity_report.py" />
      <source>The control looks for each user by the name of another one, drawn among users whose name is known.</source>
      <translation>Die Kontrolle sucht jeden Nutzer mit dem Namen eines anderen, gezogen unter denen mit bekanntem Namen.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/entity_report.py" />
      <source>The count is of distinct queries in which the entity's words were all recovered rightly, as far as that is known; times asked counts a query with several clicks once. The first five lines are the source's.</source>
      <translation>Gezählt sind verschiedene Anfragen, in denen alle Wörter der Angabe richtig wiedergefunden wurden, soweit bekannt; „So oft gefragt“ zählt eine Anfrage mit mehreren Klicks einmal. Die ersten fünf Zeilen sind die der Quelle.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/entity_report.py" />
      <source>The count is of entities whose words were all recovered rightly, as far as that is known; the attacker also sees those that hold a wrong word. A session counts once however often an entity recurs in it. {0#} sessions in all. The first eight lines are the source's.</source>
      <translation>Gezählt sind Angaben, deren Wörter alle richtig wiedergefunden wurden, soweit bekannt; der Angreifer sieht auch solche mit einem falschen Wort. Eine Sitzung zählt einmal, so oft eine Angabe darin auch vorkommt. Insgesamt {0#} Sitzungen. Die ersten acht Zeilen sind die der Quelle.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/explain_counts.py" />
      <source>The discrete Laplace that is added before the threshold.</source>
      <translation>Das diskrete Laplace-Rauschen, das vor dem Schwellenwert hinzukommt.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/microaggregation_groups.py" />
      <source>The exact search of {0#} users needs {1#} GB. Choose the blocked search, or at most {2#} users.</source>
      <translation>Die genaue Suche mit {0#} Nutzern braucht {1#} GB. Wählen Sie die Suche in Blöcken, oder höchstens {2#} Nutzer.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/bundling.py" />
      <source>The fewer rows stand with it, the fewer people may have asked it.</source>
      <translation>Je weniger Zeilen bei ihr stehen, desto weniger Menschen können sie gestellt haben.</translation>
    </message>
    <message>
      <location filename="../../auditor/release/policy_schema.py" />
      <source>The figure “{0}”.</source>
      <translation>Die Kennzahl „{0*}“.</translation>
    </message>
    <message>
      <location filename="../../auditor/release/manifest.py" />
      <source>The figures under changes, measures, attacks, dismissed and input were computed from the original log. The statement covers the data files alone, not these figures.</source>
      <translation>The figures under changes, measures, attacks, dismissed and input were computed from the original log. The statement covers the data files alone, not these figures.</translation>
    </message>
    <message>
      <location filename="../../auditor/log/splits.py" />
      <source>The file can't be read any more.</source>
      <translation>Die Datei ist nicht mehr lesbar.</translation>
    </message>
    <message>
      <location filename="../../auditor/log/sources.py" />
      <source>The file can't be read.</source>
      <translation>Die Datei ist nicht lesbar.</translation>
    </message>
    <message>
      <location filename="../../auditor/log/sources.py" />
      <source>The file can't be read: {0}.</source>
      <translation>Die Datei ist nicht lesbar: {0*}.</translation>
    </message>
    <message>
      <location filename="../../auditor/log/read.py" />
      <source>The file is empty.</source>
      <translation>Die Datei ist leer.</translation>
    </message>
    <message>
      <location filename="../../auditor/log/sources.py" />
      <source>The file was changed while it was read. Wait until nobody writes to it, then read it again.</source>
      <translation>Die Datei wurde während des Lesens geändert. Warten Sie, bis niemand mehr hineinschreibt, und lesen Sie sie dann erneut.</translation>
    </message>
    <message>
      <location filename="../../auditor/log/sources.py" />
      <source>The file was removed while it was read. Read it again.</source>
      <translation>Die Datei wurde während des Lesens entfernt. Lesen Sie sie erneut.</translation>
    </message>
    <message>
      <location filename="../../auditor/project/settings.py" />
      <source>The file {0} is not where it was on this computer. Choose it again.</source>
      <translation>Die Datei {0} ist nicht, wo sie auf diesem Rechner war. Wählen Sie sie erneut.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/surviving_report.py" />
      <source>The first five lines are the source's; the rest are beyond it. A query with several clicks counts once.</source>
      <translation>Die ersten fünf Zeilen sind die der Quelle; der Rest geht darüber hinaus. Eine Anfrage mit mehreren Klicks zählt einmal.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_params.py" />
      <source>The first half of this log's time.</source>
      <translation>Die erste Hälfte der Zeit dieses Protokolls.</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/retrieval_report.py" />
      <source>The first pair is the source's: only queries that are released count. In the second every test query counts, with 0 where it isn't there. “As printed” takes its feedback from the tested clicks themselves and flatters.</source>
      <translation>Das erste Paar ist das der Quelle: Nur freigegebene Anfragen zählen. Im zweiten zählt jede Prüfanfrage, mit 0, wo sie fehlt. „Wie gedruckt“ nimmt die Rückmeldung aus den geprüften Klicks selbst und schmeichelt.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/bundling.py" />
      <source>The first {0} of {1#}.</source>
      <translation>Die ersten {0} von {1#}.</translation>
    </message>
    <message>
      <location filename="../../auditor/log/sources.py" />
      <source>The folder holds no file. {0}</source>
      <translation>Der Ordner enthält keine Datei. {0*}</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_params.py" />
      <source>The four experiments on expansion and pruning.</source>
      <translation>Die vier Versuche zu Erweiterung und Aussondern.</translation>
    </message>
    <message>
      <location filename="../../auditor/release/approve.py" />
      <source>The gate '{0}' needs no override here.</source>
      <translation>Die Bedingung '{0}' braucht hier keine Aufhebung.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/token_hashing.py" />
      <source>The hashes of a query are sorted; their order is gone.</source>
      <translation>Die Hashes einer Anfrage werden sortiert; ihre Reihenfolge ist fort.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/hash_inversion.py" />
      <source>The hashes stand in an order that means something, and it was used.</source>
      <translation>Die Hashes stehen in einer Reihenfolge, die etwas bedeutet, und sie wurde genutzt.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/geo_vanity.py" />
      <source>The home agrees with one of the city's codes.</source>
      <translation>Der Wohnort passt zu einer der Postleitzahlen der Stadt.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_params.py" />
      <source>The i-th most frequent to the i-th.</source>
      <translation>Das i-thäufigste zum i-thäufigsten.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_truth.py" />
      <source>The inversion needs a reference log. Give one, or let it split this log.</source>
      <translation>Die Umkehrung braucht ein Vergleichsprotokoll. Geben Sie eines an, oder lassen Sie dieses Protokoll teilen.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/hash_inversion.py" />
      <source>The inversion needs two words at least on either side.</source>
      <translation>Die Umkehrung braucht auf beiden Seiten mindestens zwei Wörter.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/token_hashing.py" />
      <source>The key can't be saved ({0}): name a new file in a folder that you may write to.</source>
      <translation>Der Schlüssel kann nicht gespeichert werden ({0}): Nennen Sie eine neue Datei in einem Ordner, in den Sie schreiben dürfen.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/dp_audit_report.py" />
      <source>The largest lower bound on ε that runs on neighbouring logs show. Above the claimed ε it refutes the claim; below, it does not confirm it.</source>
      <translation>Die größte untere Schranke für ε, die Läufe auf benachbarten Protokollen zeigen. Über dem behaupteten ε widerlegt sie die Behauptung; darunter bestätigt sie sie nicht.</translation>
    </message>
    <message>
      <location filename="../../auditor/privacy/accounting.py" />
      <source>The least ε over b is {0#}, at b = {1#}.</source>
      <translation>Das kleinste ε über b ist {0#}, bei b = {1#}.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/zealous.py" />
      <source>The least τ' with which δ' really holds.</source>
      <translation>Das kleinste τ', mit dem δ' wirklich gilt.</translation>
    </message>
    <message>
      <location filename="../../auditor/release/ledger.py" />
      <source>The ledger is not as it was written: {0}. Nothing is approved before somebody has found out why; 'auditor ledger --verify' tells all of it.</source>
      <translation>Das Freigabebuch ist nicht, wie es geschrieben wurde: {0*}. Nichts wird genehmigt, bevor jemand den Grund gefunden hat; 'auditor ledger --verify' nennt alles.</translation>
    </message>
    <message>
      <location filename="../../auditor/release/ledger.py" />
      <source>The ledger {0} can be read by others than you. It tells what was released of which log: chmod 600, and ask who has changed it.</source>
      <translation>Das Freigabebuch {0} können auch andere lesen. Es verrät, was von welchem Protokoll freigegeben wurde: chmod 600, und fragen Sie, wer es geändert hat.</translation>
    </message>
    <message>
      <location filename="../../auditor/release/ledger.py" />
      <source>The ledger {0} can't be made: {1}. Name another place by --ledger or AUDITOR_LEDGER.</source>
      <translation>Das Freigabebuch {0} kann nicht angelegt werden: {1*}. Nennen Sie mit --ledger oder AUDITOR_LEDGER eine andere Stelle.</translation>
    </message>
    <message>
      <location filename="../../auditor/release/ledger.py" />
      <source>The ledger {0} can't be read: {1}.</source>
      <translation>Das Freigabebuch {0} ist nicht lesbar: {1*}.</translation>
    </message>
    <message>
      <location filename="../../auditor/release/ledger.py" />
      <source>The ledger {0} can't be used: {1}.</source>
      <translation>Das Freigabebuch {0} ist nicht benutzbar: {1*}.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/safelog_params.py" />
      <source>The list, or the log of another period, that the pool is read from. Never take it from the log that is being released.</source>
      <translation>Die Liste oder das Protokoll eines anderen Zeitraums, woraus der Vorrat gelesen wird. Nehmen Sie ihn nie aus dem Protokoll, das freigegeben wird.</translation>
    </message>
    <message>
      <location filename="../../auditor/log/bundles.py" />
      <source>The log has no IP addresses to mask. Bundle it by cookie-hash or random-users.</source>
      <translation>Das Protokoll hat keine IP-Adressen zum Maskieren. Bündeln Sie es mit cookie-hash oder random-users.</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/site_clustering.py" />
      <source>The log has no clicks.</source>
      <translation>Das Protokoll hat keine Klicks.</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/retrieval.py" />
      <source>The log has no clicks: nothing says which page was right.</source>
      <translation>Das Protokoll hat keine Klicks: Nichts sagt, welche Seite die richtige war.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/k_delta_outlook.py" />
      <source>The log has no clicks: users are alike only in the very strings they asked.</source>
      <translation>Das Protokoll hat keine Klicks: Nutzer sind nur in genau gleichen Zeichenfolgen ähnlich.</translation>
    </message>
    <message>
      <location filename="../../auditor/log/bundles.py" />
      <source>The log has no cookies to hash. Bundle it by ip-mask or random-users.</source>
      <translation>Das Protokoll hat keine Cookies zum Hashen. Bündeln Sie es mit ip-mask oder random-users.</translation>
    </message>
    <message>
      <location filename="../../auditor/engine/plan.py" />
      <source>The log has no rows. Open another file or check its column mapping.</source>
      <translation>Das Protokoll hat keine Zeilen. Öffnen Sie eine andere Datei oder prüfen Sie die Zuordnung der Spalten.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/vanity_report.py" />
      <source>The log has nothing to bundle by as asked; only single users are attacked.</source>
      <translation>Das Protokoll hat nichts, wonach sich wie verlangt bündeln ließe; nur einzelne Nutzer werden angegriffen.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/k_delta_common.py" />
      <source>The log has {0#} users, fewer than k = {1#}.</source>
      <translation>Das Protokoll hat {0#} Nutzer, weniger als k = {1#}.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/microaggregation_groups.py" />
      <source>The log has {0#} users, fewer than k = {1#}. Choose a smaller k.</source>
      <translation>Das Protokoll hat {0#} Nutzer, weniger als k = {1#}. Wählen Sie ein kleineres k.</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/site_clustering.py" />
      <source>The log has {0#}.</source>
      <translation>Das Protokoll hat {0#}.</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/trends.py" />
      <source>The log holds {0} whole steps of {1} days: too few for a trend.</source>
      <translation>Das Protokoll umfasst {0} ganze Abschnitte von {1} Tagen: zu wenige für einen Trend.</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/retrieval.py" />
      <source>The log is split into so many parts; each is tested on once, after the method has been run on all the others.</source>
      <translation>Das Protokoll wird in so viele Teile geteilt; jeder wird einmal geprüft, nachdem das Verfahren auf allen anderen lief.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/k_delta_common.py" />
      <source>The log says which pages were clicked, so that queries of one interest meet.</source>
      <translation>Das Protokoll sagt, welche Seiten geklickt wurden, sodass Anfragen eines Interesses zusammenfinden.</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/frequencies.py" />
      <source>The log's most frequent {0}</source>
      <translation>Die häufigsten {0*} des Protokolls</translation>
    </message>
    <message>
      <location filename="../../auditor" />
      <source>The logs are invented, so the audit looks at nobody and spends no ε; their noise is drawn as a release's is.</source>
      <translation>Die Protokolle sind erfunden; die Prüfung sieht also niemanden an und verbraucht kein ε; ihr Rauschen wird gezogen wie das einer Freigabe.</translation>
    </message>
    <message>
      <location filename="../../auditor" />
      <source>The logs are invented, so the audit looks at nobody and spends no ε; their noise is seeded and has the law of a release's.</source>
      <translation>Die Protokolle sind erfunden; die Prüfung sieht also niemanden an und verbraucht kein ε; ihr Rauschen hat einen Startwert und das Gesetz einer Freigabe.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_tables.py" />
      <source>The logs begin {0#} days apart.</source>
      <translation>Die Protokolle beginnen {0#} Tage auseinander.</translation>
    </message>
    <message>
      <location filename="../../auditor/release/gates.py" />
      <source>The manifest's figures can't be read. Make the release anew.</source>
      <translation>Die Kennzahlen des Manifests sind nicht lesbar. Erzeugen Sie die Freigabe neu.</translation>
    </message>
    <message>
      <location filename="../../auditor/release/approve.py" />
      <source>The manifest's gates can't be judged anew. Make the release anew.</source>
      <translation>Die Bedingungen des Manifests lassen sich nicht neu beurteilen. Erzeugen Sie die Freigabe neu.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/hash_inversion.py" />
      <source>The mapping was still changing when the updates were used up.</source>
      <translation>Die Zuordnung änderte sich noch, als die Aktualisierungen aufgebraucht waren.</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/retrieval_report.py" />
      <source>The method was run anew, with seeded noise, on each fold's training part: what is measured is the setting, not the one release.</source>
      <translation>Das Verfahren lief neu, mit Rauschen aus einem Startwert, auf dem Trainingsteil jeder Teilung: Gemessen wird die Einstellung, nicht die eine Freigabe.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/entities.py" />
      <source>The n most frequent words are recovered, all rightly.</source>
      <translation>Die n häufigsten Wörter sind wiedergefunden, alle richtig.</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/similarity.py" />
      <source>The nearest others are looked for among all users, for so many users drawn at random. Means over all pairs are of all users.</source>
      <translation>Die nächsten anderen werden unter allen Nutzern gesucht, für so viele zufällig gezogene. Mittel über alle Paare beziehen sich auf alle Nutzer.</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/similarity.py" />
      <source>The nearest others are those of {0#} users drawn at random.</source>
      <translation>Die nächsten anderen sind die von {0#} zufällig gezogenen Nutzern.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_params.py" />
      <source>The nearest pair is matched first.</source>
      <translation>Das nächste Paar wird zuerst zugeordnet.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/microaggregation_groups.py" />
      <source>The number of terms weighs double (eq. 1).</source>
      <translation>Die Anzahl der Begriffe wiegt doppelt (Gl. 1).</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/structural_values.py" />
      <source>The one place that she asked for is asked for by nobody else of her bundle. At random: {0#} %.</source>
      <translation>Nach dem einen Ort, nach dem der Nutzer fragte, fragt sonst niemand im Bündel. Zufällig: {0#} %.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/token_hashing.py" />
      <source>The order of a query's words does not help to guess them.</source>
      <translation>Die Reihenfolge der Wörter einer Anfrage hilft nicht, sie zu erraten.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/hash_inversion.py" />
      <source>The order of the hashes means nothing, so company alone was used.</source>
      <translation>Die Reihenfolge der Hashes bedeutet nichts, also wurde nur die Nachbarschaft genutzt.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_tables.py" />
      <source>The order of words {0}. At most {1} updates. {2}</source>
      <translation>Die Reihenfolge der Wörter {0*}. Höchstens {1} Aktualisierungen. {2*}</translation>
    </message>
    <message>
      <location filename="../../auditor/release/policy.py" />
      <source>The policy{0} {1}.</source>
      <translation>Die Richtlinie{0*} {1*}.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/pool.py" />
      <source>The pool '{0}' needs a file: give pool_file, or choose pool none or n-grams.</source>
      <translation>Der Vorrat '{0}' braucht eine Datei: Geben Sie pool_file an, oder wählen Sie pool none oder n-grams.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/pool.py" />
      <source>The pool can't be read: {0}.</source>
      <translation>Der Vorrat ist nicht lesbar: {0*}.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/pool.py" />
      <source>The pool holds no query; put one on each line.</source>
      <translation>Der Vorrat enthält keine Anfrage; schreiben Sie eine in jede Zeile.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/pool.py" />
      <source>The pool is not UTF-8 text.</source>
      <translation>Der Vorrat ist kein UTF-8-Text.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/statements.py" />
      <source>The pool was not derived from this log. People whose queries stand in the pool are not protected by this statement.</source>
      <translation>Der Vorrat stammt nicht aus diesem Protokoll. Menschen, deren Anfragen im Vorrat stehen, schützt diese Zusicherung nicht.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/safelog.py" />
      <source>The pool's file can't be read here, so decoys are left out of account.</source>
      <translation>Die Datei des Vorrats ist hier nicht lesbar, also bleiben Köder außer Betracht.</translation>
    </message>
    <message>
      <location filename="../../auditor/project/file.py" />
      <source>The project can't be read: {0}.</source>
      <translation>Das Projekt ist nicht lesbar: {0*}.</translation>
    </message>
    <message>
      <location filename="../../auditor/project/file.py" />
      <source>The project was not saved. {0}</source>
      <translation>Das Projekt wurde nicht gespeichert. {0*}</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/korolova.py" />
      <source>The public results can't be read: {0}.</source>
      <translation>Die öffentlichen Ergebnisse sind nicht lesbar: {0*}.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/microaggregation_groups.py" />
      <source>The published formula and its description swap two weights. The printed one exchanges the weights of words and number of terms.</source>
      <translation>Die veröffentlichte Formel und ihre Beschreibung vertauschen zwei Gewichte. Die gedruckte vertauscht die Gewichte von Wörtern und Anzahl der Begriffe.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/safelog_params.py" />
      <source>The queries of another log file.</source>
      <translation>Die Anfragen einer anderen Protokolldatei.</translation>
    </message>
    <message>
      <location filename="../../auditor/engine/explaining.py" />
      <source>The query is longer than {0#} characters.</source>
      <translation>Die Anfrage ist länger als {0#} Zeichen.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/flagged_model.py" />
      <source>The query with the gravest mark; sorts as in the log</source>
      <translation>Die Anfrage mit der schwersten Markierung; sortiert wie im Protokoll</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/frequencies.py" />
      <source>The rank correlation over the most frequent ones looks at so many of them; those that are not released count as 0 there.</source>
      <translation>Die Rangkorrelation über die häufigsten sieht so viele davon an; nicht freigegebene zählen dort als 0.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/vanity_report.py" />
      <source>The rate counts users who never ask for their own name as not found.</source>
      <translation>Die Quote zählt Nutzer, die nie nach dem eigenen Namen suchen, als nicht gefunden.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/linkage_report.py" />
      <source>The rates are over these. The others have no record, or the method left too little of their own in it for equal rows to tell which it is.</source>
      <translation>Die Quoten beziehen sich auf diese. Die übrigen haben keinen Datensatz, oder das Verfahren ließ zu wenig Eigenes darin, als dass gleiche Zeilen verrieten, welcher es ist.</translation>
    </message>
    <message>
      <location filename="../../auditor/log/mapping.py" />
      <source>The reading option '{0}' must be {1}. Got {2#}.</source>
      <translation>Die Leseoption '{0}' muss sein: {1*}. Angegeben war {2#}.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/entities.py" />
      <source>The recovery is assumed, not shown; the other choice shows what is found.</source>
      <translation>Das Wiederfinden ist angenommen, nicht gezeigt; die andere Wahl zeigt, was gefunden wird.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/surviving_content.py" />
      <source>The reference log shares users with the input, so the control is too high.</source>
      <translation>Das Vergleichsprotokoll teilt Nutzer mit der Eingabe, also ist die Kontrolle zu hoch.</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/volume.py" />
      <source>The release counts {0}. Counts below 0 are taken as 0.</source>
      <translation>Die Freigabe zählt {0*}. Anzahlen unter 0 gelten als 0.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/entities.py" />
      <source>The release does not tell users apart as the raw log does. The sessions and the rate are counted as if it did; the table of single queries holds without.</source>
      <translation>Die Freigabe unterscheidet Nutzer nicht so wie das Rohprotokoll. Sitzungen und Quote sind gezählt, als täte sie es; die Tabelle einzelner Anfragen gilt auch so.</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/retrieval.py" />
      <source>The release has no table of clicks: it leads to no page.</source>
      <translation>Die Freigabe hat keine Klicktabelle: Sie führt zu keiner Seite.</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/site_clustering.py" />
      <source>The release has no table of clicks: nothing leads from queries to web sites.</source>
      <translation>Die Freigabe hat keine Klicktabelle: Nichts führt von Anfragen zu Websites.</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/next_query.py" />
      <source>The release has no table of transitions: nothing says what follows what.</source>
      <translation>Die Freigabe hat keine Tabelle der Übergänge: Nichts sagt, was worauf folgt.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/surviving_content.py" />
      <source>The release is tables: a string counts as surviving if it is in them.</source>
      <translation>Die Freigabe besteht aus Tabellen: Eine Zeichenfolge gilt als erhalten, wenn sie darin steht.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/k_delta_edit.py" />
      <source>The release would have more than {0#} events. Choose another size, or allow suppressing.</source>
      <translation>Die Freigabe hätte mehr als {0#} Ereignisse. Wählen Sie eine andere Größe, oder erlauben Sie das Weglassen.</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/bundle_sizes.py" />
      <source>The release's bundles</source>
      <translation>Die Bündel der Freigabe</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/entities.py" />
      <source>The release's rows are not the raw log's, so no session can be opened.</source>
      <translation>Die Zeilen der Freigabe sind nicht die des Rohprotokolls, also lässt sich keine Sitzung öffnen.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_truth.py" />
      <source>The release's rows don't correspond to the log's, so the log can't be split into a hashed part and a reference. Give a reference log.</source>
      <translation>Die Zeilen der Freigabe entsprechen nicht denen des Protokolls, also lässt es sich nicht in einen gehashten Teil und ein Vergleichsprotokoll teilen. Geben Sie ein Vergleichsprotokoll an.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/linkage_report.py" />
      <source>The released queries can't be read: the attacker goes by how many words a query has and how often it is asked, to a factor of two.</source>
      <translation>Die freigegebenen Anfragen sind nicht lesbar: Der Angreifer geht danach, wie viele Wörter eine Anfrage hat und wie oft sie gestellt wird, auf den Faktor zwei genau.</translation>
    </message>
    <message>
      <location filename="../../auditor/release/ledger_totals.py" />
      <source>The releases protect different units, whose ε are not to be added.</source>
      <translation>Die Freigaben schützen verschiedene Einheiten, deren ε sich nicht zusammenzählen lassen.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/set_union.py" />
      <source>The rest finds queries: more for the counts means fewer queries with better counts.</source>
      <translation>Der Rest findet Anfragen: Mehr für die Anzahlen heißt weniger Anfragen mit besseren Anzahlen.</translation>
    </message>
    <message>
      <location filename="../../auditor/fitting.py" />
      <source>The run takes more than the {0} that it may (--memory), and was stopped. Allow more, or take a sample of the users (--sample-users 0.2).</source>
      <translation>Der Lauf braucht mehr als die erlaubten {0} (--memory) und wurde angehalten. Erlauben Sie mehr, oder nehmen Sie eine Stichprobe der Nutzer (--sample-users 0.2).</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/entities.py" />
      <source>The same for what is told of single queries, for a log without sessions. With the inversion, a second size means a second inversion.</source>
      <translation>Dasselbe für einzelne Anfragen, für ein Protokoll ohne Sitzungen. Bei der Umkehrung bedeutet eine zweite Größe eine zweite Umkehrung.</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/profile_exposure.py" />
      <source>The same over users with at least one query that holds a sensitive term.</source>
      <translation>Dasselbe über Nutzer mit mindestens einer Anfrage, die einen heiklen Begriff enthält.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/microaggregation_outlook.py" />
      <source>The same where a string counts by how many of its occurrences are released.</source>
      <translation>Dasselbe, wobei eine Zeichenfolge danach zählt, wie viele ihrer Vorkommen freigegeben werden.</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/profile_exposure.py" />
      <source>The same where a string counts by how many of its occurrences are released: about 100/k after microaggregation, as the source's figure has it.</source>
      <translation>Dasselbe, wobei eine Zeichenfolge danach zählt, wie viele ihrer Vorkommen freigegeben sind: etwa 100/k nach Mikroaggregation, wie in der Abbildung der Quelle.</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/retrieval_report.py" />
      <source>The same with every query weighed by its held-out clicks.</source>
      <translation>Dasselbe, jede Anfrage nach ihren zurückgehaltenen Klicks gewichtet.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/unbundling_params.py" />
      <source>The same, learning anew for each.</source>
      <translation>Dasselbe, für jede neu gelernt.</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/site_clustering.py" />
      <source>The same, where a pair of the log is lost if either site isn't released.</source>
      <translation>Dasselbe, wobei ein Paar des Protokolls verloren ist, wenn eine Website nicht freigegeben wurde.</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/bundle_sizes.py" />
      <source>The second column counts bundles of so many queries or more alone, and so does the table of masks. The source takes 100.</source>
      <translation>Die zweite Spalte zählt nur Bündel mit so vielen oder mehr Anfragen, ebenso die Tabelle der Masken. Die Quelle nimmt 100.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/hash_inversion.py" />
      <source>The smaller log has {0#} different words, so n was cut to that.</source>
      <translation>Das kleinere Protokoll hat {0#} verschiedene Wörter, daher wurde n darauf gekürzt.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_report.py" />
      <source>The source doesn't print how bundles are averaged: here each counts the same, and F over all queries at once is given besides. Intervals take bundles as independent.</source>
      <translation>Die Quelle sagt nicht, wie über Bündel gemittelt wird: Hier zählt jedes gleich; zusätzlich ist F über alle Anfragen zugleich angegeben. Intervalle nehmen Bündel als unabhängig an.</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/information_loss.py" />
      <source>The source reads about 10 % at k = 3 and 50 % at k = 35.</source>
      <translation>Die Quelle zeigt etwa 10 % bei k = 3 und 50 % bei k = 35.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/microaggregation_outlook.py" />
      <source>The source settles for k = 3, where its PEL falls below 40 %.</source>
      <translation>Die Quelle entscheidet sich für k = 3, wo ihr PEL unter 40 % fällt.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_params.py" />
      <source>The source's for many words: double with one update each.</source>
      <translation>Wie die Quelle bei vielen Wörtern: verdoppeln mit je einer Aktualisierung.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_params.py" />
      <source>The source's from known pairs, one by one.</source>
      <translation>Wie die Quelle, von bekannten Paaren aus, eines nach dem anderen.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_params.py" />
      <source>The source's own.</source>
      <translation>Der der Quelle.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_params.py" />
      <source>The source's own: update all until nothing changes.</source>
      <translation>Wie die Quelle: alle aktualisieren, bis sich nichts ändert.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/hash_inversion.py" />
      <source>The source's tables need the true words, which nobody knows here.</source>
      <translation>Die Tabellen der Quelle brauchen die wahren Wörter, die hier niemand kennt.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/safelog_statement.py" />
      <source>The source's theorem claims ε = {0}. It does not hold here: {1} of its assumptions fail. Were it only for the pool, what would hold is Korolova's ε = {2} with δ = {3}</source>
      <translation>Der Satz der Quelle behauptet ε = {0}. Das gilt hier nicht: {1} seiner Annahmen treffen nicht zu. Ginge es nur um den Vorrat, gälte Korolovas ε = {2} mit δ = {3}</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/vanity_params.py" />
      <source>The source's: infinite for a query that was sent once.</source>
      <translation>Das der Quelle: unendlich für eine einmal gestellte Anfrage.</translation>
    </message>
    <message>
      <location filename="../../auditor/release/policy_schema.py" />
      <source>The statement's own figure “{0}”.</source>
      <translation>Die eigene Kennzahl „{0*}“ der Zusicherung.</translation>
    </message>
    <message>
      <location filename="../../auditor/release/ledger_totals.py" />
      <source>The sum also holds where a release was chosen after the earlier ones had been seen, as long as it stays below a limit that was set before (Rogers, Roth, Ullman and Vadhan 2016). Choosing by the log itself is not in it.</source>
      <translation>Die Summe gilt auch, wo eine Freigabe gewählt wurde, nachdem die früheren bekannt waren, solange sie unter einer vorher gesetzten Grenze bleibt (Rogers, Roth, Ullman und Vadhan 2016). Das Wählen anhand des Protokolls selbst ist nicht enthalten.</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/user_clustering.py" />
      <source>The sweep goes from 2 to this many clusters, or to half of the users.</source>
      <translation>Von 2 bis zu so vielen Clustern, oder bis zur Hälfte der Nutzer.</translation>
    </message>
    <message>
      <location filename="../../auditor/log/recoding.py" />
      <source>The text isn't in the encoding it should be in.</source>
      <translation>Der Text hat nicht die Kodierung, die er haben sollte.</translation>
    </message>
    <message>
      <location filename="../../auditor/log/structured.py" />
      <source>The texts of one batch are larger than 2 GB.</source>
      <translation>Die Texte eines Blocks sind größer als 2 GB.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/outlook.py" />
      <source>The three together bound the expected ℓ1 error.</source>
      <translation>Die drei zusammen begrenzen den erwarteten ℓ1-Fehler.</translation>
    </message>
    <message>
      <location filename="../../auditor/privacy/noise.py" />
      <source>The threshold of zero counts must be at least 1.</source>
      <translation>Der Schwellenwert für Anzahlen von null muss mindestens 1 sein.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/entities.py" />
      <source>The true words are not known: the counts are what the attacker believes.</source>
      <translation>Die wahren Wörter sind nicht bekannt: Die Zahlen sind, was der Angreifer glaubt.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/linkage_report.py" />
      <source>The truth: {0}.</source>
      <translation>Die Wahrheit: {0*}.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/reasons.py" />
      <source>The user asked for the name in her own profile: everything else in her history is then tied to that name.</source>
      <translation>Der Nutzer suchte nach dem Namen in seinem Profil: Alles andere in seinem Verlauf ist damit an diesen Namen gebunden.</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/user_clustering.py" />
      <source>The user nearest to all of the cluster; fast.</source>
      <translation>Der Nutzer, der allen des Clusters am nächsten ist; schnell.</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/similarity.py" />
      <source>The user who stands out most of those looked at.</source>
      <translation>Der auffälligste der betrachteten Nutzer.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/k_delta_outlook.py" />
      <source>The user who will stand out most.</source>
      <translation>Der Nutzer, der am meisten auffallen wird.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/flagged_model.py" />
      <source>The user's id in the log, as it was before anonymization</source>
      <translation>Die Kennung des Nutzers im Protokoll, wie sie vor der Anonymisierung war</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/next_query.py" />
      <source>The users are split into so many parts; each is tested on once, after the method has been run on all the others.</source>
      <translation>Die Nutzer werden in so viele Teile geteilt; jeder wird einmal geprüft, nachdem das Verfahren auf allen anderen lief.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/linkage_report.py" />
      <source>The users who are easiest to find</source>
      <translation>Die Nutzer, die am leichtesten zu finden sind</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/structural_report.py" />
      <source>The users who hold most of their bundle</source>
      <translation>Die Nutzer, die das meiste ihres Bündels halten</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_params.py" />
      <source>The vocabulary that is settled before it is doubled again and again up to n, and the smallest size in the tables.</source>
      <translation>Der Wortschatz, der festgelegt wird, bevor er bis n immer wieder verdoppelt wird, und die kleinste Größe in den Tabellen.</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/retrieval_report.py" />
      <source>The walk makes {0} moves; MAP looks at the first {1} places. A page with a released count of 0 or less comes last, and such a transition is not walked.</source>
      <translation>Die Wanderung macht {0} Schritte; MAP sieht die ersten {1} Plätze an. Eine Seite mit freigegebener Anzahl 0 oder weniger kommt zuletzt, und ein solcher Übergang wird nicht gegangen.</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/retrieval.py" />
      <source>The walker's chance to stay at a query rather than go to a page or another query.</source>
      <translation>Die Wahrscheinlichkeit, mit der der Wanderer bei einer Anfrage bleibt, statt zu einer Seite oder anderen Anfrage zu gehen.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/outlook.py" />
      <source>The wanted {0} must be a number above 0.</source>
      <translation>Das gewünschte {0} muss eine Zahl über 0 sein.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/safelog.py" />
      <source>The wanted δ must be below 1.</source>
      <translation>Das gewünschte δ muss unter 1 liegen.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/microaggregation_groups.py" />
      <source>The words' distance weighs double.</source>
      <translation>Der Abstand der Wörter wiegt doppelt.</translation>
    </message>
    <message>
      <location filename="../../auditor/log/sources.py" />
      <source>The zip archive is damaged or cut short.</source>
      <translation>Das Zip-Archiv ist beschädigt oder abgeschnitten.</translation>
    </message>
    <message>
      <location filename="../../auditor/log/sources.py" />
      <source>The zip archive is packed in a way that can't be read. Unpack it first.</source>
      <translation>Das Zip-Archiv ist so gepackt, dass es nicht lesbar ist. Entpacken Sie es zuerst.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/hash_inversion.py" />
      <source>The {0#} known pairs count neither as found nor as matchable.</source>
      <translation>Die {0#} bekannten Paare zählen weder als gefunden noch als auffindbar.</translation>
    </message>
    <message>
      <location filename="../../auditor/release/policy_schema.py" />
      <source>The δ that the release claims.</source>
      <translation>Das δ, das die Freigabe behauptet.</translation>
    </message>
    <message>
      <location filename="../../auditor/release/policy_schema.py" />
      <source>The ε that the release claims.</source>
      <translation>Das ε, das die Freigabe behauptet.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/linkage_report.py" />
      <source>Their closest record is at least {0#} times as close as any other.</source>
      <translation>Der nächste Datensatz ist mindestens {0#}-mal so nah wie jeder andere.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_report.py" />
      <source>There are too few bundles to learn weights from, here or in a reference log: queries that share a word were joined instead.</source>
      <translation>Es gibt zu wenige Bündel, um Gewichte zu lernen, hier oder in einem Vergleichsprotokoll: Stattdessen wurden Anfragen mit einem gemeinsamen Wort verbunden.</translation>
    </message>
    <message>
      <location filename="../../auditor/ledgers.py" />
      <source>There is no ledger at {0} yet. The first audit or approval makes it.</source>
      <translation>In {0} gibt es noch kein Freigabebuch. Die erste Prüfung oder Genehmigung legt es an.</translation>
    </message>
    <message>
      <location filename="../../auditor/release/manifest.py" />
      <source>There is no release folder here.</source>
      <translation>Hier ist kein Freigabeordner.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/surviving_content.py" />
      <source>There is no release here: what is told is what the input holds.</source>
      <translation>Hier gibt es keine Freigabe: Gesagt wird, was die Eingabe enthält.</translation>
    </message>
    <message>
      <location filename="../../auditor/log/guessing.py" />
      <source>There is no row to guess the time format from.</source>
      <translation>Es gibt keine Zeile, an der sich das Zeitformat erraten ließe.</translation>
    </message>
    <message>
      <location filename="../../auditor/log/sources.py" />
      <source>There is no such file.</source>
      <translation>Diese Datei gibt es nicht.</translation>
    </message>
    <message>
      <location filename="../../auditor/log/spill.py" />
      <source>There is not enough room for working files in '{0}'. Free some space, or name a folder on another disk (--spill).</source>
      <translation>In '{0}' ist nicht genug Platz für Arbeitsdateien. Schaffen Sie Platz, oder nennen Sie einen Ordner auf einer anderen Platte (--spill).</translation>
    </message>
    <message>
      <location filename="../../auditor/release/ledger.py" />
      <source>There is not enough room on the disk for the ledger {0}. Nothing was added to it.</source>
      <translation>Auf der Platte ist nicht genug Platz für das Freigabebuch {0}. Nichts wurde hinzugefügt.</translation>
    </message>
    <message>
      <location filename="../../auditor/log/mapping.py" />
      <source>There is {0} called '{1}' to take for {2}.</source>
      <translation>Es gibt {0*} namens '{1}' für {2}.</translation>
    </message>
    <message>
      <location filename="../../auditor/release/approve.py" />
      <source>These gates stand in the way: {0}.</source>
      <translation>Diese Bedingungen stehen im Weg: {0}.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/token_hashing.py" />
      <source>They are left out.</source>
      <translation>Sie werden weggelassen.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/token_hashing.py" />
      <source>They stay as they are.</source>
      <translation>Sie bleiben, wie sie sind.</translation>
    </message>
    <message>
      <location filename="../../auditor/log/sources.py" />
      <source>This expands more than {0#} times (max_expansion_ratio), as archives made to fill a disk do. Raise the limit if you trust the file.</source>
      <translation>Sie wächst beim Entpacken auf mehr als das {0#}-Fache (max_expansion_ratio), wie Archive, die eine Platte füllen sollen. Erhöhen Sie die Grenze, wenn Sie der Datei vertrauen.</translation>
    </message>
    <message>
      <location filename="../../auditor/release/ledger.py" />
      <source>This file is no ledger of this program's. Name another one.</source>
      <translation>Diese Datei ist kein Freigabebuch dieses Programms. Nennen Sie eine andere.</translation>
    </message>
    <message>
      <location filename="../../auditor/project/file.py" />
      <source>This file is no project of this program. Choose another file.</source>
      <translation>Diese Datei ist kein Projekt dieses Programms. Wählen Sie eine andere.</translation>
    </message>
    <message>
      <location filename="../../auditor/log/sources.py" />
      <source>This is a Parquet file inside an archive. Unpack it first.</source>
      <translation>Dies ist eine Parquet-Datei in einem Archiv. Entpacken Sie sie zuerst.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/review_dialog.py" />
      <source>This is a preview. Its noise came from a seed, and a seed undoes the noise, so it can't be exported. Close this, press Run, and review the run that comes of it.</source>
      <translation>Dies ist eine Vorschau. Ihr Rauschen kam aus einem Startwert, und mit ihm lässt es sich entfernen; deshalb kann sie nicht exportiert werden. Schließen Sie dies, drücken Sie „Starten“ und prüfen Sie den Lauf, der daraus entsteht.</translation>
    </message>
    <message>
      <location filename="../../auditor/log/sources.py" />
      <source>This is a tar archive. Unpack it and name the folder.</source>
      <translation>Dies ist ein tar-Archiv. Entpacken Sie es und nennen Sie den Ordner.</translation>
    </message>
    <message>
      <location filename="../../auditor/log/sources.py" />
      <source>This is an Office document or a program, no log.</source>
      <translation>Dies ist ein Office-Dokument oder ein Programm, kein Protokoll.</translation>
    </message>
    <message>
      <location filename="../../auditor/log/sources.py" />
      <source>This is no regular file but a pipe or a device.</source>
      <translation>Dies ist keine gewöhnliche Datei, sondern eine Pipe oder ein Gerät.</translation>
    </message>
    <message>
      <location filename="../../auditor/log/sources.py" />
      <source>This is packed twice ({0}, then {1}). Unpack once.</source>
      <translation>Dies ist zweifach gepackt ({0}, dann {1}). Entpacken Sie einmal.</translation>
    </message>
    <message>
      <location filename="../../auditor/release/ledger.py" />
      <source>This is too long for the ledger. Shorten the reasons.</source>
      <translation>Das ist zu lang für das Freigabebuch. Kürzen Sie die Begründungen.</translation>
    </message>
    <message>
      <location filename="../../auditor/log/sources.py" />
      <source>This is {0}.</source>
      <translation>Dies ist {0*}.</translation>
    </message>
    <message>
      <location filename="../../auditor/release/ledger.py" />
      <source>This ledger is of another version of this program, or is none.</source>
      <translation>Dieses Freigabebuch ist von einer anderen Version dieses Programms, oder es ist keines.</translation>
    </message>
    <message>
      <location filename="../../auditor/log/sources.py" />
      <source>This member is encrypted. Unpack the archive first.</source>
      <translation>Dieser Teil ist verschlüsselt. Entpacken Sie das Archiv zuerst.</translation>
    </message>
    <message>
      <location filename="../../auditor/engine/solving.py" />
      <source>This method says nothing of that figure before a run. Choose another.</source>
      <translation>Dieses Verfahren sagt vor einem Lauf nichts zu dieser Kennzahl. Wählen Sie eine andere.</translation>
    </message>
    <message>
      <location filename="../../auditor/project/file.py" />
      <source>This project has more parts than any of ours.</source>
      <translation>Dieses Projekt hat mehr Teile als irgendeines von uns.</translation>
    </message>
    <message>
      <location filename="../../auditor/project/file.py" />
      <source>This project has parts that none of ours has.</source>
      <translation>Dieses Projekt hat Teile, die keines von uns hat.</translation>
    </message>
    <message>
      <location filename="../../auditor/project/reading.py" />
      <source>This project is damaged or was changed by hand: {0} must be {1}.</source>
      <translation>Dieses Projekt ist beschädigt oder wurde von Hand geändert: {0} muss sein: {1*}.</translation>
    </message>
    <message>
      <location filename="../../auditor/project/file.py" />
      <source>This project is damaged, or no project of this program: it can't be unpacked.</source>
      <translation>Dieses Projekt ist beschädigt oder keines dieses Programms: Es lässt sich nicht entpacken.</translation>
    </message>
    <message>
      <location filename="../../auditor/project/codec.py" />
      <source>This project is damaged: the results of run {0} are missing.</source>
      <translation>Dieses Projekt ist beschädigt: Die Ergebnisse von Lauf {0} fehlen.</translation>
    </message>
    <message>
      <location filename="../../auditor/project/file.py" />
      <source>This project is damaged: {0} is nested too deep.</source>
      <translation>Dieses Projekt ist beschädigt: {0} ist zu tief verschachtelt.</translation>
    </message>
    <message>
      <location filename="../../auditor/project/file.py" />
      <source>This project is damaged: {0} is no JSON.</source>
      <translation>Dieses Projekt ist beschädigt: {0} ist kein JSON.</translation>
    </message>
    <message>
      <location filename="../../auditor/project/file.py" />
      <source>This project unpacks to more than is taken in.</source>
      <translation>Dieses Projekt wird entpackt größer, als aufgenommen wird.</translation>
    </message>
    <message>
      <location filename="../../auditor/project/migrate.py" />
      <source>This project was saved by a newer version of the program (it is of version {0}, this program knows {1}). Open it with that one.</source>
      <translation>Dieses Projekt wurde von einer neueren Version des Programms gespeichert (Version {0}, dieses Programm kennt {1}). Öffnen Sie es mit jener.</translation>
    </message>
    <message>
      <location filename="../../auditor/release/approve.py" />
      <source>This release was not judged by any policy. Make it by 'auditor audit', which does.</source>
      <translation>Diese Freigabe wurde von keiner Richtlinie beurteilt. Erzeugen Sie sie mit 'auditor audit', das dies tut.</translation>
    </message>
    <message>
      <location filename="../../auditor/release/export.py" />
      <source>This result was made from another log. Run it again, then export.</source>
      <translation>Dieses Ergebnis entstand aus einem anderen Protokoll. Starten Sie erneut, und exportieren Sie dann.</translation>
    </message>
    <message>
      <location filename="../../auditor" />
      <source>This setting is expected to release about {0} queries: the most frequent query has about {1#} counts within the users' limits, and {2#} are needed.</source>
      <translation>Diese Einstellung gibt voraussichtlich etwa {0} Anfragen frei: Die häufigste Anfrage hat etwa {1#} Zählungen innerhalb der Grenzen der Nutzer, und {2#} sind nötig.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/outlook.py" />
      <source>This setting is expected to release about {0} queries: the most frequent query has {1}{2#} counts within the users' limits, and {3#} are needed. Lower that threshold or the noise that it follows from, accept a larger δ, or open a log of more users.</source>
      <translation>Diese Einstellung gibt voraussichtlich etwa {0} Anfragen frei: Die häufigste Anfrage hat {1*}{2#} Zählungen innerhalb der Grenzen der Nutzer, und {3#} sind nötig. Senken Sie diesen Schwellenwert oder das Rauschen, aus dem er folgt, lassen Sie ein größeres δ zu, oder öffnen Sie ein Protokoll mit mehr Nutzern.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/frequency_threshold.py" />
      <source>This setting is expected to release no query: the most frequent one was asked by about {0#} users, and n is {1#}. Lower n, or open a log of more users.</source>
      <translation>Diese Einstellung gibt voraussichtlich keine Anfrage frei: Die häufigste stellten etwa {0#} Nutzer, und n ist {1#}. Senken Sie n, oder öffnen Sie ein Protokoll mit mehr Nutzern.</translation>
    </message>
    <message>
      <location filename="../../auditor/project/settings.py" />
      <source>This version has no method '{0}'; another one is chosen.</source>
      <translation>Diese Version hat kein Verfahren '{0}'; ein anderes ist gewählt.</translation>
    </message>
    <message>
      <location filename="../../auditor/project/settings.py" />
      <source>This version has no {0} '{1}'.</source>
      <translation>Diese Version hat '{1}' nicht ({0}).</translation>
    </message>
    <message>
      <location filename="../../auditor/project/settings.py" />
      <source>This version's {0} has no parameter '{1}'.</source>
      <translation>Bei {0} hat diese Version keinen Parameter '{1}'.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/linkage_report.py" />
      <source>Those who have no record, or of whom nobody can say which is theirs, count as not found: at least so many are.</source>
      <translation>Wer keinen Datensatz hat oder bei wem niemand sagen kann, welcher es ist, zählt als nicht gefunden: Mindestens so viele sind es.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/session_view.py" />
      <source>Time (UTC)</source>
      <translation>Zeit (UTC)</translation>
    </message>
    <message>
      <location filename="../../auditor/engine/events.py" />
      <source>Time of each phase</source>
      <translation>Zeit jeder Phase</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/k_delta_outlook.py" />
      <source>Time of each phase over k</source>
      <translation>Zeit jeder Phase über k</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/k_delta_outlook.py" />
      <source>Time of each phase, over users</source>
      <translation>Zeit jeder Phase, über Nutzer</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/entity_report.py" />
      <source>Times asked</source>
      <translation>So oft gefragt</translation>
    </message>
    <message>
      <location filename="../../resources/policies" />
      <source>To publish one random user's whole history has a δ of one in the users.</source>
      <translation>Den ganzen Verlauf eines zufälligen Nutzers zu veröffentlichen hat ein δ von eins durch die Nutzerzahl.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/token_hashing.py" />
      <source>Token hashing</source>
      <translation>Hashen von Wörtern</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_report.py" />
      <source>Token side: average degree</source>
      <translation>Wortseite: mittlerer Grad</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_report.py" />
      <source>Token side: frequency of the least frequent</source>
      <translation>Wortseite: Häufigkeit des seltensten</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_report.py" />
      <source>Top half</source>
      <translation>Obere Hälfte</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_report.py" />
      <source>Topics</source>
      <translation>Themen</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_report.py" />
      <source>Topics by threshold</source>
      <translation>Themen nach Schwellenwert</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_report.py" />
      <source>Topics come from {0#} users of the reference log; {1#} who asked too much for counting pairs were left out. Related is χ² ≥ {2#}.</source>
      <translation>Themen stammen von {0#} Nutzern des Vergleichsprotokolls; {1#}, die zu viel fragten, um Paare zu zählen, blieben außer Betracht. Verwandt heißt χ² ≥ {2#}.</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/trends.py" />
      <source>Trends</source>
      <translation>Trends</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_report.py" />
      <source>True word</source>
      <translation>Wahres Wort</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_params.py" />
      <source>Trust the surest pairs first. Finds the most.</source>
      <translation>Den sichersten Paaren zuerst vertrauen. Findet am meisten.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/welcome.py" />
      <source>Tune a method</source>
      <translation>Ein Verfahren einstellen</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/safelog_params.py" />
      <source>Two frequent English n-grams that end in a noun, drawn independently and joined.</source>
      <translation>Zwei häufige englische n-Gramme, die auf ein Substantiv enden, unabhängig gezogen und verbunden.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_params.py" />
      <source>Two more inversions, of the reference.</source>
      <translation>Zwei weitere Umkehrungen, des Vergleichsprotokolls.</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/next_query.py" />
      <source>Two queries of a user further apart than this are no step, in the test and in logs that are learned from.</source>
      <translation>Zwei Anfragen eines Nutzers mit größerem Abstand sind kein Schritt, weder in der Prüfung noch in Protokollen, an denen gelernt wird.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/unbundling.py" />
      <source>Un-bundling</source>
      <translation>Auftrennen von Bündeln</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/explain_rows.py" />
      <source>Under whom it stands</source>
      <translation>Unter wem sie steht</translation>
    </message>
    <message>
      <location filename="../../auditor/log/sources.py" />
      <source>Unpacked, this is larger than {0#} bytes (max_expanded_bytes). Raise the limit if you trust the file.</source>
      <translation>Entpackt ist sie größer als {0#} Bytes (max_expanded_bytes). Erhöhen Sie die Grenze, wenn Sie der Datei vertrauen.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_params.py" />
      <source>Update</source>
      <translation>Aktualisierung</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_tables.py" />
      <source>Updates</source>
      <translation>Aktualisierungen</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_params.py" />
      <source>Updates at most</source>
      <translation>Höchstzahl Aktualisierungen</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_params.py" />
      <source>Updating stops earlier when the mapping stays as it is. Each update may find more words, since more of their company is known.</source>
      <translation>Es endet früher, wenn die Zuordnung gleich bleibt. Jede Aktualisierung kann mehr Wörter finden, da mehr von ihrer Nachbarschaft bekannt ist.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/flagged_model.py" />
      <source>User</source>
      <translation>Nutzer</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/frequency_threshold.py" />
      <source>User ids</source>
      <translation>Nutzerkennungen</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/k_delta_common.py" />
      <source>User ids stay as they are.</source>
      <translation>Nutzerkennungen bleiben, wie sie sind.</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/similarity.py" />
      <source>User ids were changed: a search counts as added or suppressed if its query and second stand in one of the logs alone.</source>
      <translation>Nutzerkennungen wurden geändert: Eine Suche gilt als hinzugekommen oder entfallen, wenn Anfrage und Sekunde nur in einem der Protokolle stehen.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/frequency_threshold.py" />
      <source>User ids, addresses and cookies stay as they are.</source>
      <translation>Nutzerkennungen, Adressen und Cookies bleiben, wie sie sind.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/geo_vanity_report.py" />
      <source>Users</source>
      <translation>Nutzer</translation>
    </message>
    <message>
      <location filename="../../auditor/privacy/models.py" />
      <source>Users alike (k)</source>
      <translation>Gleiche Nutzer (k)</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/similarity.py" />
      <source>Users are compared by clusters of queries, δ = {0#}, of the log's clicks.</source>
      <translation>Nutzer werden nach Clustern von Anfragen verglichen, δ = {0#}, aus den Klicks des Protokolls.</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/similarity.py" />
      <source>Users are compared by query strings.</source>
      <translation>Nutzer werden nach Anfragetexten verglichen.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/linkage.py" />
      <source>Users attacked</source>
      <translation>Angegriffene Nutzer</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/user_clustering.py" />
      <source>Users clustered</source>
      <translation>Gruppierte Nutzer</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/m_k_delta_epsilon.py" />
      <source>Users exactly alike (m)</source>
      <translation>Genau gleiche Nutzer (m)</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/microaggregation_groups.py" />
      <source>Users in a block</source>
      <translation>Nutzer in einem Block</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_report.py" />
      <source>Users in a bundle</source>
      <translation>Nutzer im Bündel</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/similarity.py" />
      <source>Users in a group (k)</source>
      <translation>Nutzer in einer Gruppe (k)</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/bundling.py" />
      <source>Users in each bundle</source>
      <translation>Nutzer in jedem Bündel</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/similarity.py" />
      <source>Users looked at</source>
      <translation>Betrachtete Nutzer</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/microaggregation.py" />
      <source>Users of a group have one list.</source>
      <translation>Nutzer einer Gruppe haben eine Liste.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/bundling.py" />
      <source>Users of one network have no more in common than any users.</source>
      <translation>Nutzer eines Netzes haben nicht mehr gemeinsam als irgendwelche Nutzer.</translation>
    </message>
    <message>
      <location filename="../../auditor/privacy/models.py" />
      <source>Users of one record (k)</source>
      <translation>Nutzer eines Datensatzes (k)</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/structural_report.py" />
      <source>Users of the bundle</source>
      <translation>Nutzer des Bündels</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/frequency_threshold.py" />
      <source>Users that a query needs (n)</source>
      <translation>Nutzer, die eine Anfrage braucht (n)</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/set_union.py" />
      <source>Users that a query needs in the last round, over ε</source>
      <translation>Nutzer, die eine Anfrage in der letzten Runde braucht, über ε</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/geo_vanity_report.py" />
      <source>Users who ask for a place near their home</source>
      <translation>Nutzer, die nach einem Ort nahe ihrem Wohnort fragen</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/vanity_report.py" />
      <source>Users who ask for that name</source>
      <translation>Nutzer, die nach diesem Namen suchen</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/vanity_report.py" />
      <source>Users who ask for their own name</source>
      <translation>Nutzer, die nach dem eigenen Namen suchen</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/dp_audit.py" />
      <source>Users who may be there in one run</source>
      <translation>Nutzer, die in einem Lauf dabei sein können</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/vanity_report.py" />
      <source>Users whom their own names give away</source>
      <translation>Nutzer, die ihr eigener Name verrät</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/geo_vanity_report.py" />
      <source>Users whom their own places give away</source>
      <translation>Nutzer, die ihre eigenen Orte verraten</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/vanity_report.py" />
      <source>Users whose name is known</source>
      <translation>Nutzer, deren Name bekannt ist</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/volume.py" />
      <source>Users, or what stands for them.</source>
      <translation>Nutzer, oder was für sie steht.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_tables.py" />
      <source>Variant</source>
      <translation>Variante</translation>
    </message>
    <message>
      <location filename="../../auditor" />
      <source>Verdict</source>
      <translation>Urteil</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_report.py" />
      <source>Vocabulary (n)</source>
      <translation>Wortschatz (n)</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_params.py" />
      <source>Vocabulary size (n)</source>
      <translation>Größe des Wortschatzes (n)</translation>
    </message>
    <message>
      <location filename="../../auditor/log/model.py" />
      <source>Vocabulary({0} strings)</source>
      <translation>Vocabulary({0} strings)</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/volume.py" />
      <source>Volume</source>
      <translation>Umfang</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/zealous.py" />
      <source>Wanted δ'</source>
      <translation>Gewünschtes δ'</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/set_union.py" />
      <source>Wanted ε</source>
      <translation>Gewünschtes ε</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/zealous.py" />
      <source>Wanted ε'</source>
      <translation>Gewünschtes ε'</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_report.py" />
      <source>Ways that learn knew the users of {0#} bundles, on which no way is scored.</source>
      <translation>Lernende Wege kannten die Nutzer von {0#} Bündeln, auf denen kein Weg bewertet wird.</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/retrieval.py" />
      <source>Web search</source>
      <translation>Websuche</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/retrieval_report.py" />
      <source>Web search before and after</source>
      <translation>Websuche vorher und nachher</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/retrieval_report.py" />
      <source>Web search before and after: {0}</source>
      <translation>Websuche vorher und nachher: {0*}</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/site_clustering.py" />
      <source>Web sites in clusters of two or more, by where the dendrogram is cut</source>
      <translation>Websites in Clustern mit zwei oder mehr, nach der Schnitthöhe des Dendrogramms</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/vanity_params.py" />
      <source>Weight of a query sent c times</source>
      <translation>Gewicht einer c-mal gestellten Anfrage</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/microaggregation_groups.py" />
      <source>Weight of activity</source>
      <translation>Gewicht der Aktivität</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/retrieval.py" />
      <source>Weight of feedback (λ)</source>
      <translation>Gewicht der Rückmeldung (λ)</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/profile_exposure.py" />
      <source>Weight of other queries</source>
      <translation>Gewicht anderer Anfragen</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/microaggregation_groups.py" />
      <source>Weight of queries</source>
      <translation>Gewicht der Anfragen</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/microaggregation_groups.py" />
      <source>Weight of rank</source>
      <translation>Gewicht des Rangs</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/microaggregation_groups.py" />
      <source>Weight of the clicked site</source>
      <translation>Gewicht der geklickten Website</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/microaggregation_groups.py" />
      <source>Weight of the number of terms</source>
      <translation>Gewicht der Anzahl Begriffe</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/microaggregation_groups.py" />
      <source>Weight of the query's text</source>
      <translation>Gewicht des Anfragetexts</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/microaggregation_groups.py" />
      <source>Weight of the words</source>
      <translation>Gewicht der Wörter</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/microaggregation_groups.py" />
      <source>Weight of time</source>
      <translation>Gewicht der Zeit</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/vanity_report.py" />
      <source>Weights are as printed: a query sent once is infinitely heavy.</source>
      <translation>Gewichte sind wie gedruckt: Eine einmal gestellte Anfrage wiegt unendlich schwer.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/outlook.py" />
      <source>What K costs</source>
      <translation>Was K kostet</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/bundling.py" />
      <source>What a masked bit buys</source>
      <translation>Was ein maskiertes Bit bringt</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/token_hashing.py" />
      <source>What becomes of clicked pages. A page that stays readable tells what the hashed query before it was about.</source>
      <translation>Was aus geklickten Seiten wird. Eine lesbare Seite verrät, wovon die gehashte Anfrage davor handelte.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/frequency_threshold.py" />
      <source>What becomes of the ids. A random number still keeps one user's queries together, and together they can say who she is.</source>
      <translation>Was aus den Kennungen wird. Eine Zufallsnummer hält die Anfragen eines Nutzers noch beisammen, und zusammen können sie sagen, wer er ist.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/k_delta_common.py" />
      <source>What becomes of the ids. Kept ids undo everything for whoever knows one. Addresses and cookies are always dropped.</source>
      <translation>Was aus den Kennungen wird. Behaltene machen für jeden, der eine kennt, alles zunichte. Adressen und Cookies entfallen immer.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/token_hashing.py" />
      <source>What becomes of user ids. Kept or hashed, all queries of one user stay together, and one word found again tells of all of them. Addresses and cookies stay only where user ids are kept.</source>
      <translation>Was aus Nutzerkennungen wird. Behalten oder gehasht bleiben alle Anfragen eines Nutzers beisammen, und ein wiedergefundenes Wort sagt etwas über alle. Adressen und Cookies bleiben nur, wo Kennungen behalten werden.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/structural_report.py" />
      <source>What chance gives: {0}</source>
      <translation>Was der Zufall ergibt: {0*}</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_plots.py" />
      <source>What coarser addresses help</source>
      <translation>Was gröbere Adressen helfen</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/korolova.py" />
      <source>What counts</source>
      <translation>Was zählt</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/dp_audit_report.py" />
      <source>What each pair of neighbouring logs shows</source>
      <translation>Was jedes Paar benachbarter Protokolle zeigt</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/dp_audit_report.py" />
      <source>What is assumed</source>
      <translation>Was angenommen wird</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/dp_audit_report.py" />
      <source>What is claimed of the method</source>
      <translation>Was vom Verfahren behauptet wird</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/site_clustering.py" />
      <source>What is clustered</source>
      <translation>Was gruppiert wird</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/set_union.py" />
      <source>What is found before a round is taken as the likely case.</source>
      <translation>Was vor einer Runde gefunden ist, wird als der wahrscheinliche Fall genommen.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/linkage.py" />
      <source>What is known of an event</source>
      <translation>Was von einem Ereignis bekannt ist</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/explain_counts.py" />
      <source>What is left of its count when histories end after {0} = {1#}.</source>
      <translation>Was von ihrer Anzahl bleibt, wenn Verläufe nach {0} = {1#} enden.</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/volume.py" />
      <source>What is left of the log</source>
      <translation>Was vom Protokoll übrig ist</translation>
    </message>
    <message>
      <location filename="../../auditor/release/answer.py" />
      <source>What it comes from</source>
      <translation>Woraus es sich ergibt</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/set_union.py" />
      <source>What it weighs</source>
      <translation>Was sie wiegt</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/similarity.py" />
      <source>What k-anonymity raises: at 1 everybody has k − 1 doubles.</source>
      <translation>Was k-Anonymität hebt: Bei 1 hat jeder k − 1 Doppelgänger.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_report.py" />
      <source>What looking at the queries gives beyond not looking.</source>
      <translation>Was das Ansehen der Anfragen gegenüber dem Nichtansehen bringt.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/unbundling_params.py" />
      <source>What makes the attacker take two queries for one user's. Whatever is joined hangs together, so one wrong link can put two people into one fiber.</source>
      <translation>Woran der Angreifer zwei Anfragen einem Nutzer zuschreibt. Was verbunden ist, hängt zusammen; eine falsche Verbindung kann also zwei Menschen in eine Faser bringen.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/linkage_report.py" />
      <source>What more knowledge gives</source>
      <translation>Was mehr Wissen bringt</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/frequency_threshold.py" />
      <source>What n costs</source>
      <translation>Was n kostet</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/korolova.py" />
      <source>What one count of a query is. Counting users once a query makes a given K safer, since nobody can lift a query alone.</source>
      <translation>Was eine Zählung einer Anfrage ist. Nutzer je Anfrage einmal zu zählen macht ein gegebenes K sicherer, da niemand allein eine Anfrage heben kann.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/safelog_params.py" />
      <source>What one count of a query is. Strict mode always counts users, so that nobody can lift a query to K alone.</source>
      <translation>Was eine Zählung einer Anfrage ist. Der strenge Modus zählt stets Nutzer, sodass niemand allein eine Anfrage auf K heben kann.</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/frequencies.py" />
      <source>What one count of the log is. Other units than the release's own compare two different things.</source>
      <translation>Was eine Zählung des Protokolls ist. Andere Einheiten als die der Freigabe vergleichen zwei verschiedene Dinge.</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/bundle_sizes.py" />
      <source>What other masks would give; the log's addresses are not in the release.</source>
      <translation>Was andere Masken ergäben; die Adressen des Protokolls stehen nicht in der Freigabe.</translation>
    </message>
    <message>
      <location filename="../../auditor/log/bundles.py" />
      <source>What puts users together. Neighbours on the network often live near each other, so bundles by address are the source's own and the least mixed ones.</source>
      <translation>Was Nutzer zusammenlegt. Nachbarn im Netz wohnen oft nahe beieinander; darum sind Bündel nach Adresse die der Quelle und am wenigsten gemischt.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/dp_audit_report.py" />
      <source>What she does</source>
      <translation>Was sie tut</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/linkage.py" />
      <source>What she typed.</source>
      <translation>Was eingegeben wurde.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/flagged_model.py" />
      <source>What somebody said of the session, and why it was dismissed</source>
      <translation>Was jemand zu der Sitzung notiert hat und warum sie verworfen wurde</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/volume.py" />
      <source>What stands in the release without being in the log: decoys of a query pool, noise in empty cells, or strings that were changed.</source>
      <translation>Was in der Freigabe steht, ohne im Protokoll zu sein: Köder aus einem Vorrat, Rauschen in leeren Zellen oder geänderte Zeichenfolgen.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/flagged_model.py" />
      <source>What survives</source>
      <translation>Was bleibt</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_params.py" />
      <source>What the attacker compares with. Where this log is split, the other part alone counts as hashed.</source>
      <translation>Womit der Angreifer vergleicht. Wird dieses Protokoll geteilt, gilt nur der andere Teil als gehasht.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/linkage.py" />
      <source>What the attacker knows of each search. Where the released words are hashed, a query is known by its number of words and by how often it is asked, to a factor of two.</source>
      <translation>Was der Angreifer von jeder Suche weiß. Wo die freigegebenen Wörter gehasht sind, kennt man eine Anfrage an der Zahl ihrer Wörter und daran, wie oft sie gestellt wird, auf den Faktor zwei genau.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/entities.py" />
      <source>What the hash inversion recovers here.</source>
      <translation>Was die Hash-Umkehrung hier wiederfindet.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/token_hashing.py" />
      <source>What the hashes still show</source>
      <translation>Was die Hashes noch zeigen</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_report.py" />
      <source>What the recovered fibers leave unsaid of the true ones, and the other way round; 0 if they are the same.</source>
      <translation>Was die wiedergefundenen Fasern von den wahren ungesagt lassen, und umgekehrt; 0, wenn sie gleich sind.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_report.py" />
      <source>What the same distance finds, one to one, if the attacker began with the true mapping: about as much as a better way to go on might reach.</source>
      <translation>Was derselbe Abstand eins zu eins findet, wenn der Angreifer mit der wahren Zuordnung begänne: etwa so viel, wie ein besserer Weg erreichen könnte.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/safelog.py" />
      <source>What the selection has when the pool can't contain a user's query (Korolova).</source>
      <translation>Was die Auswahl hat, wenn der Vorrat die Anfrage eines Nutzers nicht enthalten kann (Korolova).</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_report.py" />
      <source>What topics add to words, in F</source>
      <translation>Was Themen den Wörtern hinzufügen, in F</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/similarity.py" />
      <source>What two users must share to be alike: the very strings, or queries of one cluster, as (k,δ)-anonymity has it.</source>
      <translation>Was zwei Nutzer teilen müssen, um ähnlich zu sein: genau die Zeichenfolgen, oder Anfragen eines Clusters, wie in der (k,δ)-Anonymität.</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/user_clustering.py" />
      <source>What users are compared with when they are assigned to clusters.</source>
      <translation>Womit Nutzer verglichen werden, wenn sie Clustern zugeordnet werden.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/wizard_intent.py" />
      <source>What was clicked, empty where nothing was</source>
      <translation>Was geklickt wurde; leer, wo nichts</translation>
    </message>
    <message>
      <location filename="../../resources/policies" />
      <source>What was published can be attacked for ever, by attacks that nobody has tried yet.</source>
      <translation>Veröffentlichtes kann für immer angegriffen werden, auch durch noch nie versuchte Angriffe.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/flagged_model.py" />
      <source>What was recognised</source>
      <translation>Was erkannt wurde</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/wizard_intent.py" />
      <source>What was typed</source>
      <translation>Was eingegeben wurde</translation>
    </message>
    <message>
      <location filename="../../auditor/release/answer.py" />
      <source>What would change that</source>
      <translation>Was das ändern würde</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/safelog_statement.py" />
      <source>Whatever one user did, and whether she is in the log at all, changes the chance of any release by a factor of at most e^{0#}, except with a chance of {1}.</source>
      <translation>Was ein Nutzer auch tat und ob er überhaupt im Protokoll steht, ändert die Wahrscheinlichkeit jeder Freigabe höchstens um den Faktor e^{0#}, außer mit einer Wahrscheinlichkeit von {1}.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/wizard_intent.py" />
      <source>When</source>
      <translation>Wann</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/flagged_model.py" />
      <source>When (UTC)</source>
      <translation>Wann (UTC)</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/flagged_model.py" />
      <source>When the session began</source>
      <translation>Wann die Sitzung begann</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/surviving_content.py" />
      <source>Where profiles are given, flag users who asked for their own name: it ties all their other queries to them.</source>
      <translation>Wo Profile angegeben sind, Nutzer melden, die nach dem eigenen Namen suchten: Das bindet alle ihre anderen Anfragen an sie.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_params.py" />
      <source>Where the attacker begins. The fingerprint gets there in the fewest updates.</source>
      <translation>Wo der Angreifer beginnt. Der Fingerabdruck kommt mit den wenigsten Aktualisierungen ans Ziel.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/dp_audit_report.py" />
      <source>Where the audit looked, and the ε that shows there</source>
      <translation>Wo die Prüfung hinsah, und welches ε sich dort zeigt</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/dp_audit_report.py" />
      <source>Where to look</source>
      <translation>Wo hingesehen wird</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/token_hashing.py" />
      <source>Whether a query's hashes stay in the order of its words. Order helps whoever studies phrases, and whoever guesses them.</source>
      <translation>Ob die Hashes einer Anfrage in der Reihenfolge ihrer Wörter bleiben. Reihenfolge hilft jedem, der Wendungen untersucht, und jedem, der sie errät.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/korolova.py" />
      <source>Whether and for which pages clicks are released. Only pages that everybody could see anyway keep the guarantee.</source>
      <translation>Ob und für welche Seiten Klicks freigegeben werden. Nur Seiten, die ohnehin jeder sehen konnte, wahren die Garantie.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_params.py" />
      <source>Whether each pair gets a chance of being right, learnt by inverting parts of the reference whose truth the attacker knows. With the truth at hand the chances are checked.</source>
      <translation>Ob jedes Paar eine Wahrscheinlichkeit erhält, richtig zu sein, gelernt durch Umkehren von Teilen des Vergleichsprotokolls, deren Wahrheit der Angreifer kennt. Ist die Wahrheit bekannt, werden die Wahrscheinlichkeiten geprüft.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/k_delta_common.py" />
      <source>Whether events may be added, suppressed, or both. Either alone seldom reaches equal shares; the distance that is left is reported.</source>
      <translation>Ob Ereignisse hinzukommen, entfallen oder beides dürfen. Eines allein erreicht selten gleiche Anteile; der verbleibende Abstand wird genannt.</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/trends.py" />
      <source>Whether frequent queries still rise and fall on the same days.</source>
      <translation>Ob häufige Anfragen noch an denselben Tagen zu- und abnehmen.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_plots.py" />
      <source>Whether more users in a bundle hide each other</source>
      <translation>Ob mehr Nutzer im Bündel einander verbergen</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_report.py" />
      <source>Whether the attacker knows which pairs are right</source>
      <translation>Ob der Angreifer weiß, welche Paare richtig sind</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_params.py" />
      <source>Whether the attacker looks at which hash follows which. Hashes that were sorted or shuffled are seen to be so, and their order is ignored.</source>
      <translation>Ob der Angreifer ansieht, welcher Hash auf welchen folgt. Sortierte oder gemischte Hashes werden als solche erkannt, und ihre Reihenfolge wird übergangen.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_confidence.py" />
      <source>Whether the attacker's confidence is right</source>
      <translation>Ob die Konfidenz des Angreifers stimmt</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/dp_audit.py" />
      <source>Whether the audit runs the method with the fast seeded sampler of previews, or with the secure one that a release draws from. The second also tests that sampler.</source>
      <translation>Ob die Prüfung das Verfahren mit dem schnellen Zufall der Vorschau aus einem Startwert ausführt oder mit dem sicheren einer Freigabe. Das Zweite prüft auch diesen.</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/site_clustering.py" />
      <source>Whether the pages of one host count together or each for itself.</source>
      <translation>Ob die Seiten eines Hosts zusammen zählen oder jede für sich.</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/frequencies.py" />
      <source>Whether the release still says which queries and words are frequent.</source>
      <translation>Ob die Freigabe noch sagt, welche Anfragen und Wörter häufig sind.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/zealous.py" />
      <source>Whether the second threshold is the source's formula or the least one that keeps a user's own queries back as often as δ' promises.</source>
      <translation>Ob der zweite Schwellenwert die Formel der Quelle ist oder der kleinste, der die eigenen Anfragen eines Nutzers so oft zurückhält, wie δ' zusichert.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/safelog_params.py" />
      <source>Whether to release how often one released query followed another in a user's history. Without them, nothing of ε is spent on them.</source>
      <translation>Ob freigegeben wird, wie oft eine freigegebene Anfrage im Verlauf eines Nutzers auf eine andere folgte. Ohne sie wird dafür nichts von ε verbraucht.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/safelog_params.py" />
      <source>Whether to release how often which page was clicked for a released query. Without the clicks, nothing of ε and δ is spent on them.</source>
      <translation>Ob freigegeben wird, wie oft welche Seite zu einer freigegebenen Anfrage geklickt wurde. Ohne die Klicks wird dafür nichts von ε und δ verbraucht.</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/user_clustering.py" />
      <source>Whether users who cluster together in the log do so in the release.</source>
      <translation>Ob Nutzer, die im Protokoll in einem Cluster sind, es auch in der Freigabe sind.</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/site_clustering.py" />
      <source>Whether web sites that are clicked for the same queries can still be told to belong together.</source>
      <translation>Ob sich Websites, die zu denselben Anfragen geklickt werden, noch als zusammengehörig erkennen lassen.</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/frequencies.py" />
      <source>Whether what everybody asks for is still there.</source>
      <translation>Ob noch da ist, was alle fragen.</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/frequencies.py" />
      <source>Whether words such as 'the' count among the words. They are frequent in every log and say little, so the source leaves them out.</source>
      <translation>Ob Wörter wie 'the' unter den Wörtern zählen. Sie sind in jedem Protokoll häufig und sagen wenig; die Quelle lässt sie weg.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/korolova.py" />
      <source>Which pages stand in the click table does not depend on the log: they are results that anybody is shown.</source>
      <translation>Welche Seiten in der Klicktabelle stehen, hängt nicht vom Protokoll ab: Es sind Ergebnisse, die jedem gezeigt werden.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/safelog_statement.py" />
      <source>Which pairs can be released follows from the released queries alone, so that no released pair proves that it occurred.</source>
      <translation>Welche Paare freigegeben werden können, folgt allein aus den freigegebenen Anfragen, sodass kein freigegebenes Paar beweist, dass es vorkam.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/safelog_statement.py" />
      <source>Which queries are dropped before users are limited does not depend on the log: τ ≤ 1.</source>
      <translation>Welche Anfragen entfallen, bevor Nutzer begrenzt werden, hängt nicht vom Protokoll ab: τ ≤ 1.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/linkage.py" />
      <source>Which record makes what is known likeliest.</source>
      <translation>Welcher Datensatz das Bekannte am wahrscheinlichsten macht.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/vanity_report.py" />
      <source>Which searches are hers?</source>
      <translation>Welche Suchen sind ihre?</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/unbundling_params.py" />
      <source>Which words make one topic. Topics are learned from the reference log.</source>
      <translation>Welche Wörter ein Thema bilden. Themen werden am Vergleichsprotokoll gelernt.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/entities.py" />
      <source>Which words the attacker can read. The top n show what the worst attacker sees, the inversion what the one built in here sees, mistakes included.</source>
      <translation>Welche Wörter der Angreifer lesen kann. Die häufigsten n zeigen, was der schlimmste Angreifer sieht, die Umkehrung, was der hier eingebaute sieht, Fehler inbegriffen.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/safelog_statement.py" />
      <source>Which {0} can be released does not depend on the log, or noise reaches the others, too. No noise hides that a released one occurred.</source>
      <translation>Welche {0*} freigegeben werden können, hängt nicht vom Protokoll ab, oder Rauschen erreicht auch die anderen. Kein Rauschen verbirgt, dass etwas Freigegebenes vorkam.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/geo_vanity_report.py" />
      <source>Who asks for her home, and how often</source>
      <translation>Wer nach dem eigenen Wohnort fragt, und wie oft</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/statements.py" />
      <source>Who knows that a person is in a group does not learn what she did. k-anonymity hides which of k records is hers, and nothing that the k have in common.</source>
      <translation>Wer weiß, dass jemand in einer Gruppe ist, erfährt nicht, was dieser tat. k-Anonymität verbirgt, welcher von k Datensätzen seiner ist, und nichts, was die k gemeinsam haben.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/outlook.py" />
      <source>Who passes the threshold</source>
      <translation>Wer den Schwellenwert erreicht</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/wizard_intent.py" />
      <source>Who searched: an id, a name, a cookie</source>
      <translation>Wer suchte: eine Kennung, ein Name, ein Cookie</translation>
    </message>
    <message>
      <location filename="../../resources/policies" />
      <source>Whoever finds a user's record finds that of so many others with it.</source>
      <translation>Wer den Datensatz eines Nutzers findet, findet damit den von so vielen anderen.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/structural_values.py" />
      <source>Whoever knows that somebody of the bundle has to do with such a place knows which queries are hers. If the places were handed to their askers at random it were {0#} %.</source>
      <translation>Wer weiß, dass jemand im Bündel mit einem solchen Ort zu tun hat, weiß, welche Anfragen die seinen sind. Zufällig an die Fragenden verteilt, wären es {0#} %.</translation>
    </message>
    <message>
      <location filename="../../auditor/log/bundles.py" />
      <source>Whole users, put together by chance.</source>
      <translation>Ganze Nutzer, zufällig zusammengelegt.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/linkage_report.py" />
      <source>Whom it finds</source>
      <translation>Wen er findet</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_findings.py" />
      <source>Whose</source>
      <translation>Wessen</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/vanity_report.py" />
      <source>Whose searches are these?</source>
      <translation>Wessen Suchen sind dies?</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/flagged_model.py" />
      <source>Why</source>
      <translation>Warum</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/gates_card.py" />
      <source>Why it may pass all the same</source>
      <translation>Warum sie dennoch als erfüllt gelten darf</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/session_view.py" />
      <source>Why marked</source>
      <translation>Warum markiert</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/similarity.py" />
      <source>Width of a cluster (δ)</source>
      <translation>Breite eines Clusters (δ)</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/k_delta_common.py" />
      <source>Width of a query cluster (δ)</source>
      <translation>Breite eines Anfragenclusters (δ)</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/safelog_strict.py" />
      <source>With K_t = {0} about {1#} transitions that never happened would be released. Set K_t to {2} or more, or leave it to be solved.</source>
      <translation>Mit K_t = {0} würden etwa {1#} Übergänge freigegeben, die nie stattfanden. Setzen Sie K_t auf {2} oder mehr, oder lassen Sie es bestimmen.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/dp_audit_report.py" />
      <source>With her</source>
      <translation>Mit ihr</translation>
    </message>
    <message>
      <location filename="../../auditor/privacy/accounting.py" />
      <source>With p_g = 0 no b gives a finite ε.</source>
      <translation>Mit p_g = 0 ergibt kein b ein endliches ε.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/safelog.py" />
      <source>With p_g = 0 no ε is finite.</source>
      <translation>Mit p_g = 0 ist kein ε endlich.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/dp_audit_report.py" />
      <source>With so many runs no larger ε can be shown, however much leaks.</source>
      <translation>Mit so vielen Läufen lässt sich kein größeres ε zeigen, so viel auch durchsickert.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_params.py" />
      <source>With the continuous update, how many pairs the attacker knows to begin with: true ones of frequent words where the auditor knows them, else the best by fingerprint.</source>
      <translation>Bei der fortlaufenden Aktualisierung: wie viele Paare der Angreifer anfangs kennt, wahre von häufigen Wörtern, wo der Prüfer sie kennt, sonst die besten nach Fingerabdruck.</translation>
    </message>
    <message>
      <location filename="../../auditor/engine/solving.py" />
      <source>With {0} from {1#} to {2#}, the figure is between {3#} and {4#}. Choose a value within, or another parameter.</source>
      <translation>Mit {0} von {1#} bis {2#} liegt die Kennzahl zwischen {3#} und {4#}. Wählen Sie einen Wert darin, oder einen anderen Parameter.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/microaggregation_groups.py" />
      <source>Within the text: how much the length matters.</source>
      <translation>Innerhalb des Texts: wie sehr die Länge zählt.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/microaggregation_groups.py" />
      <source>Within the text: how much the spelling of words matters.</source>
      <translation>Innerhalb des Texts: wie sehr die Schreibung der Wörter zählt.</translation>
    </message>
    <message>
      <location filename="../../resources/policies" />
      <source>Without a guarantee nothing is known of attacks that nobody has tried.</source>
      <translation>Ohne Garantie weiß man nichts über Angriffe, die niemand versucht hat.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/dp_audit_report.py" />
      <source>Without her</source>
      <translation>Ohne sie</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/vanity_report.py" />
      <source>Without profiles, names come from the log's own user ids.</source>
      <translation>Ohne Profile stammen Namen aus den Nutzerkennungen des Protokolls.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_report.py" />
      <source>Word</source>
      <translation>Wort</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_params.py" />
      <source>Word order</source>
      <translation>Wortreihenfolge</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_report.py" />
      <source>Words</source>
      <translation>Wörter</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/entities.py" />
      <source>Words are read in the order in which users typed them. If the release hides the order, a name is two words in one query that need not belong together.</source>
      <translation>Wörter werden in der Reihenfolge gelesen, in der Nutzer sie eingaben. Verbirgt die Freigabe die Reihenfolge, ist ein Name zwei Wörter einer Anfrage, die nicht zusammengehören müssen.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_report.py" />
      <source>Words covered</source>
      <translation>Abgedeckte Wörter</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_scores.py" />
      <source>Words found again after each update</source>
      <translation>Nach jeder Aktualisierung wiedergefundene Wörter</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/unbundling_params.py" />
      <source>Words that are all related to each other.</source>
      <translation>Wörter, die alle miteinander verwandt sind.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_variants.py" />
      <source>Words that the same people use.</source>
      <translation>Wörter, die dieselben Menschen benutzen.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/unbundling_params.py" />
      <source>Words with topics</source>
      <translation>Wörter mit Themen</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/entities.py" />
      <source>Words, queries</source>
      <translation>Wörter, Anfragen</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/entities.py" />
      <source>Words, sessions</source>
      <translation>Wörter, Sitzungen</translation>
    </message>
    <message>
      <location filename="../../auditor/fitting.py" />
      <source>Working files take about {0}, and '{1}' has {2} left. Free some space, or name a folder on another disk (--spill).</source>
      <translation>Working files take about {0}, and '{1}' has {2} left. Free some space, or name a folder on another disk (--spill).</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_report.py" />
      <source>Wrong pairs, the most frequent first</source>
      <translation>Falsche Paare, die häufigsten zuerst</translation>
    </message>
    <message>
      <location filename="../../auditor/release/ledger.py" />
      <source>You have no home folder. Say where the ledger is to lie: set AUDITOR_DATA.</source>
      <translation>Sie haben keinen persönlichen Ordner. Sagen Sie, wo das Freigabebuch liegen soll: Setzen Sie AUDITOR_DATA.</translation>
    </message>
    <message>
      <location filename="../../auditor/log/sources.py" />
      <source>You may not read this file.</source>
      <translation>Sie dürfen diese Datei nicht lesen.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/zealous.py" />
      <source>ZEALOUS</source>
      <translation>ZEALOUS</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/site_clustering.py" />
      <source>Zhang et al. 2016, Exploring Web Mining</source>
      <translation>Zhang et al. 2016, Exploring Web Mining</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/retrieval_report.py" />
      <source>Zhang et al. 2016, Figure 3</source>
      <translation>Zhang et al. 2016, Figure 3</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/safelog.py" />
      <source>Zhang, Yang, Singh &amp; Xiong: Safelog (2016), Algorithm 1 and Theorem 1</source>
      <translation>Zhang, Yang, Singh &amp; Xiong: Safelog (2016), Algorithm 1 and Theorem 1</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/retrieval.py" />
      <source>Zhang, Yang, Singh &amp; Xiong: Safelog (2016), Web Search Task and Figures 3 to 5</source>
      <translation>Zhang, Yang, Singh &amp; Xiong: Safelog (2016), Web Search Task and Figures 3 to 5</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/site_clustering.py" />
      <source>Zhang, Yang, Singh &amp; Xiong: Safelog (2016), equation 14 and Table 4</source>
      <translation>Zhang, Yang, Singh &amp; Xiong: Safelog (2016), equation 14 and Table 4</translation>
    </message>
    <message>
      <location filename="../../auditor/log/sources.py" />
      <source>a 7-Zip archive; unpack it first</source>
      <translation>ein 7-Zip-Archiv; entpacken Sie es zuerst</translation>
    </message>
    <message>
      <location filename="../../auditor/log/sources.py" />
      <source>a PDF document</source>
      <translation>ein PDF-Dokument</translation>
    </message>
    <message>
      <location filename="../../auditor/log/sources.py" />
      <source>a RAR archive; unpack it first</source>
      <translation>ein RAR-Archiv; entpacken Sie es zuerst</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/bundling.py" />
      <source>a bundle can't be taken apart</source>
      <translation>ein Bündel lässt sich nicht auftrennen</translation>
    </message>
    <message>
      <location filename="../../auditor/privacy/audit_bounds.py" />
      <source>a confidence must be in (0, 1), not {0#}</source>
      <translation>eine Konfidenz muss in (0, 1) liegen, nicht {0#}</translation>
    </message>
    <message>
      <location filename="../../auditor/release/manifest.py" />
      <source>a key stands twice</source>
      <translation>ein Schlüssel steht zweimal</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/pool.py" />
      <source>a list</source>
      <translation>eine Liste</translation>
    </message>
    <message>
      <location filename="../../auditor/project/codec.py" />
      <source>a list of 4 entries</source>
      <translation>eine Liste mit 4 Einträgen</translation>
    </message>
    <message>
      <location filename="../../auditor/project/reading.py" />
      <source>a list of at most {0#} entries</source>
      <translation>eine Liste mit höchstens {0#} Einträgen</translation>
    </message>
    <message>
      <location filename="../../auditor/project/results.py" />
      <source>a list of at most {0#} numbers</source>
      <translation>eine Liste mit höchstens {0#} Zahlen</translation>
    </message>
    <message>
      <location filename="../../auditor/project/results.py" />
      <source>a list of numbers</source>
      <translation>eine Liste von Zahlen</translation>
    </message>
    <message>
      <location filename="../../auditor/project/results.py" />
      <source>a list of {0} entries</source>
      <translation>eine Liste mit {0} Einträgen</translation>
    </message>
    <message>
      <location filename="../../auditor/log/mapping.py" />
      <source>a mapping from </source>
      <translation>eine Zuordnung von </translation>
    </message>
    <message>
      <location filename="../../auditor/log/mapping.py" />
      <source>a mapping from {0}</source>
      <translation>eine Zuordnung von {0}</translation>
    </message>
    <message>
      <location filename="../../auditor/privacy/composition.py" />
      <source>a mechanism must have a positive scale and a count of 0 or more</source>
      <translation>ein Mechanismus muss eine positive Skala und eine Anzahl von 0 oder mehr haben</translation>
    </message>
    <message>
      <location filename="../../auditor/project/settings.py" />
      <source>a name and its parameters</source>
      <translation>ein Name und seine Parameter</translation>
    </message>
    <message>
      <location filename="../../auditor/log/mapping.py" />
      <source>a name or a place for {0}</source>
      <translation>ein Name oder eine Stelle für {0}</translation>
    </message>
    <message>
      <location filename="../../auditor/privacy/randomness.py" />
      <source>a noise scale must be in (0, {0#}], not {1#}</source>
      <translation>eine Rauschskala muss in (0, {0#}] liegen, nicht {1#}</translation>
    </message>
    <message>
      <location filename="../../auditor/project/reading.py" />
      <source>a number</source>
      <translation>eine Zahl</translation>
    </message>
    <message>
      <location filename="../../auditor/log/mapping.py" />
      <source>a number in [0, 1]</source>
      <translation>eine Zahl in [0, 1]</translation>
    </message>
    <message>
      <location filename="../../auditor/params.py" />
      <source>a number in {0}</source>
      <translation>eine Zahl in {0}</translation>
    </message>
    <message>
      <location filename="../../auditor/log/mapping.py" />
      <source>a number of at least 1</source>
      <translation>eine Zahl von mindestens 1</translation>
    </message>
    <message>
      <location filename="../../auditor/log/mapping.py" />
      <source>a pattern of {0}</source>
      <translation>ein Muster aus {0}</translation>
    </message>
    <message>
      <location filename="../../auditor/log/sources.py" />
      <source>a picture</source>
      <translation>ein Bild</translation>
    </message>
    <message>
      <location filename="../../auditor/log/mapping.py" />
      <source>a place in [0, 4096) for {0}</source>
      <translation>eine Stelle in [0, 4096) für {0}</translation>
    </message>
    <message>
      <location filename="../../auditor/log/mapping.py" />
      <source>a positive integer</source>
      <translation>eine positive ganze Zahl</translation>
    </message>
    <message>
      <location filename="../../auditor/log/sources.py" />
      <source>a program</source>
      <translation>ein Programm</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/bundling.py" />
      <source>a provider's network often serves one district, whose name the queries hold</source>
      <translation>das Netz eines Anbieters versorgt oft einen Bezirk, dessen Namen die Anfragen enthalten</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/safelog_statement.py" />
      <source>a pure ε leaves something to use</source>
      <translation>ein reines ε lässt etwas Nützliches übrig</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/set_union.py" />
      <source>a query of one user alone passes, δ/{0} in each of {1} rounds</source>
      <translation>eine Anfrage nur eines Nutzers kommt durch, δ/{0} in jeder von {1} Runden</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/frequency_threshold.py" />
      <source>a query that nobody asked has no rows to keep</source>
      <translation>eine Anfrage, die niemand stellte, hat keine Zeilen</translation>
    </message>
    <message>
      <location filename="../../auditor/fitting.py" />
      <source>a sample of {0#} of {1#} users. {2}</source>
      <translation>eine Stichprobe von {0#} der {1#} Nutzer. {2*}</translation>
    </message>
    <message>
      <location filename="../../auditor/project/results.py" />
      <source>a series with as many y, and as many ends of intervals, as x</source>
      <translation>eine Reihe mit so vielen y und so vielen Intervallenden wie x</translation>
    </message>
    <message>
      <location filename="../../auditor/project/codec.py" />
      <source>a session of one row at least</source>
      <translation>eine Sitzung mit mindestens einer Zeile</translation>
    </message>
    <message>
      <location filename="../../auditor/project/reading.py" />
      <source>a text of at most {0#} characters</source>
      <translation>ein Text mit höchstens {0#} Zeichen</translation>
    </message>
    <message>
      <location filename="../../auditor/privacy/verify_k_delta.py" />
      <source>a user has {0#} events, more than can be compared</source>
      <translation>ein Nutzer hat {0#} Ereignisse, mehr als sich vergleichen lassen</translation>
    </message>
    <message>
      <location filename="../../auditor/project/codec.py" />
      <source>a way of reading a log that this version knows</source>
      <translation>eine Leseweise, die diese Version kennt</translation>
    </message>
    <message>
      <location filename="../../auditor/project/reading.py" />
      <source>a whole number from {0} to {1}</source>
      <translation>eine ganze Zahl von {0} bis {1}</translation>
    </message>
    <message>
      <location filename="../../auditor/release/ledger_totals.py" />
      <source>a δ that says nothing</source>
      <translation>ein δ, das nichts sagt</translation>
    </message>
    <message>
      <location filename="../../auditor/project/model.py" />
      <source>about a public figure or place</source>
      <translation>betrifft eine öffentliche Person oder einen Ort</translation>
    </message>
    <message>
      <location filename="../../auditor/engine/costs.py" />
      <source>about a second</source>
      <translation>etwa eine Sekunde</translation>
    </message>
    <message>
      <location filename="../../auditor/project/model.py" />
      <source>about nobody in particular</source>
      <translation>betrifft niemanden im Besonderen</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/bundling.py" />
      <source>about {0#}</source>
      <translation>etwa {0#}</translation>
    </message>
    <message>
      <location filename="../../auditor/engine/costs.py" />
      <source>about {0}</source>
      <translation>etwa {0*}</translation>
    </message>
    <message>
      <location filename="../../auditor" />
      <source>accuracy</source>
      <translation>Genauigkeit</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_report.py" />
      <source>accuracy on the matchable set</source>
      <translation>Genauigkeit auf der auffindbaren Menge</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/dp_audit.py" />
      <source>accuses sooner</source>
      <translation>beschuldigt früher</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/k_delta_common.py" />
      <source>add and suppress</source>
      <translation>hinzufügen und weglassen</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/k_delta_common.py" />
      <source>add only</source>
      <translation>nur hinzufügen</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/similarity.py" />
      <source>added</source>
      <translation>hinzugekommen</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_order.py" />
      <source>adding up who follows whom</source>
      <translation>Wer auf wen folgt, wird summiert</translation>
    </message>
    <message>
      <location filename="../../auditor/log/bundles.py" />
      <source>address</source>
      <translation>Adresse</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_plots.py" />
      <source>address bits masked</source>
      <translation>maskierte Adressbits</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_report.py" />
      <source>address, {0} bits</source>
      <translation>Adresse, {0} Bits</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/kinds.py" />
      <source>adult term</source>
      <translation>sexueller Begriff</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/information_loss.py" />
      <source>after (bits)</source>
      <translation>nachher (Bits)</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_report.py" />
      <source>after Jones et al. 2008</source>
      <translation>nach Jones et al. 2008</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/retrieval_report.py" />
      <source>algorithm</source>
      <translation>Algorithmus</translation>
    </message>
    <message>
      <location filename="../../auditor" />
      <source>all</source>
      <translation>allen</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/profile_exposure.py" />
      <source>all alike</source>
      <translation>alle gleich</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/bundle_sizes.py" />
      <source>all bundles</source>
      <translation>alle Bündel</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/safelog_statement.py" />
      <source>all ordered pairs of released queries get noise, also those that nobody asked</source>
      <translation>alle geordneten Paare freigegebener Anfragen erhalten Rauschen, auch die, die niemand stellte</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/similarity.py" />
      <source>all pairs</source>
      <translation>alle Paare</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/trends.py" />
      <source>all searches over time: correlation</source>
      <translation>alle Suchen über die Zeit: Korrelation</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_variants.py" />
      <source>all together (BL2)</source>
      <translation>alles zusammen (BL2)</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_params.py" />
      <source>always</source>
      <translation>immer</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/vanity_report.py" />
      <source>among the 1 weightiest</source>
      <translation>unter dem gewichtigsten</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/linkage_report.py" />
      <source>among the 5 closest</source>
      <translation>unter den 5 nächsten</translation>
    </message>
    <message>
      <location filename="../../auditor/log/sources.py" />
      <source>an Arrow file; convert it to Parquet</source>
      <translation>eine Arrow-Datei; wandeln Sie sie in Parquet um</translation>
    </message>
    <message>
      <location filename="../../auditor/log/sources.py" />
      <source>an Avro file; convert it to Parquet</source>
      <translation>eine Avro-Datei; wandeln Sie sie in Parquet um</translation>
    </message>
    <message>
      <location filename="../../auditor/log/sources.py" />
      <source>an ORC file; convert it to Parquet</source>
      <translation>eine ORC-Datei; wandeln Sie sie in Parquet um</translation>
    </message>
    <message>
      <location filename="../../auditor/log/sources.py" />
      <source>an SQLite database; export the table as CSV</source>
      <translation>eine SQLite-Datenbank; exportieren Sie die Tabelle als CSV</translation>
    </message>
    <message>
      <location filename="../../auditor/release/ledger_totals.py" />
      <source>an assumption of its ε fails: {0}</source>
      <translation>eine Annahme seines ε trifft nicht zu: {0*}</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_params.py" />
      <source>an earlier period</source>
      <translation>ein früherer Zeitraum</translation>
    </message>
    <message>
      <location filename="../../auditor/privacy/audit_bounds.py" />
      <source>an event needs trials on both sides</source>
      <translation>ein Ereignis braucht Versuche auf beiden Seiten</translation>
    </message>
    <message>
      <location filename="../../auditor/log/mapping.py" />
      <source>an integer in [{0}, {1}]</source>
      <translation>eine ganze Zahl in [{0}, {1}]</translation>
    </message>
    <message>
      <location filename="../../auditor/params.py" />
      <source>an integer in {0}</source>
      <translation>eine ganze Zahl in {0}</translation>
    </message>
    <message>
      <location filename="../../auditor/project/reading.py" />
      <source>an object</source>
      <translation>ein Objekt</translation>
    </message>
    <message>
      <location filename="../../auditor/log/sources.py" />
      <source>an old Office document; save the sheet as CSV</source>
      <translation>ein altes Office-Dokument; speichern Sie das Blatt als CSV</translation>
    </message>
    <message>
      <location filename="../../auditor/project/model.py" />
      <source>an ordinary phrase, wrongly recognised</source>
      <translation>eine gewöhnliche Wendung, falsch erkannt</translation>
    </message>
    <message>
      <location filename="../../auditor/engine/runner.py" />
      <source>an unknown place</source>
      <translation>einer unbekannten Stelle</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/token_hashing_explain.py" />
      <source>and are found by that count alone.</source>
      <translation>und sind allein an dieser Anzahl zu finden.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/k_delta_common.py" />
      <source>and the greatest distance from a user to the farthest of her {0#} </source>
      <translation>und der größte Abstand eines Nutzers zum fernsten seiner {0#} </translation>
    </message>
    <message>
      <location filename="../../auditor/methods/pool.py" />
      <source>another period's log</source>
      <translation>das Protokoll eines anderen Zeitraums</translation>
    </message>
    <message>
      <location filename="../../auditor" />
      <source>any</source>
      <translation>irgendeiner</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/geo_vanity.py" />
      <source>any of the city</source>
      <translation>irgendeine der Stadt</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/next_query.py" />
      <source>any pause counts, as in the methods' own tables</source>
      <translation>jede Pause zählt, wie in den Tabellen der Verfahren</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/bundle_view.py" />
      <source>arranging bundles</source>
      <translation>Bündel werden geordnet</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/microaggregation_groups.py" />
      <source>as described</source>
      <translation>wie beschrieben</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/token_hashing.py" />
      <source>as hashes, which link equal pages</source>
      <translation>als Hashes, die gleiche Seiten verbinden</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/zealous.py" />
      <source>as high as δ' needs</source>
      <translation>so hoch, wie δ' verlangt</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/safelog_params.py" />
      <source>as in the source</source>
      <translation>wie in der Quelle</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/wizard_intent.py" />
      <source>as it looks</source>
      <translation>wie es aussieht</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/microaggregation_groups.py" />
      <source>as printed</source>
      <translation>wie gedruckt</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/safelog_params.py" />
      <source>as published</source>
      <translation>wie veröffentlicht</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/dp_audit_verdict.py" />
      <source>as stated</source>
      <translation>wie angegeben</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/frequencies.py" />
      <source>as the release does</source>
      <translation>wie die Freigabe</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_confidence.py" />
      <source>as told</source>
      <translation>wie genannt</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/structural_findings.py" />
      <source>asked most of her bundle's queries</source>
      <translation>stellte die meisten Anfragen des Bündels</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/geo_vanity.py" />
      <source>asked often</source>
      <translation>oft gefragt</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/geo_vanity.py" />
      <source>asked once</source>
      <translation>einmal gefragt</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/geo_vanity_report.py" />
      <source>asks for a place near her home</source>
      <translation>fragt nach einem Ort nahe dem eigenen Wohnort</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/structural_findings.py" />
      <source>asks for a place that nobody else in her bundle does</source>
      <translation>fragt nach einem Ort, nach dem im Bündel sonst niemand fragt</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/vanity_findings.py" />
      <source>asks for her own name</source>
      <translation>sucht nach dem eigenen Namen</translation>
    </message>
    <message>
      <location filename="../../auditor" />
      <source>assumptions</source>
      <translation>Annahmen</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/k_delta_explain.py" />
      <source>at least </source>
      <translation>mindestens </translation>
    </message>
    <message>
      <location filename="../../auditor/release/policy.py" />
      <source>at least {0#}</source>
      <translation>mindestens {0#}</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/k_delta_outlook.py" />
      <source>at least {0#} others</source>
      <translation>mindestens {0#} andere</translation>
    </message>
    <message>
      <location filename="../../auditor/release/policy.py" />
      <source>at most {0#}</source>
      <translation>höchstens {0#}</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/frequency_threshold.py" />
      <source>attackers are none of the n</source>
      <translation>Angreifer sind keiner der n</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/statements.py" />
      <source>attackers know nothing of the others</source>
      <translation>Angreifer wissen nichts von den anderen</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/dp_audit_summary.py" />
      <source>audited ≥ {0#}</source>
      <translation>geprüft ≥ {0#}</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/dp_audit_summary.py" />
      <source>audited: no ε holds</source>
      <translation>geprüft: kein ε gilt</translation>
    </message>
    <message>
      <location filename="../../auditor/release/ledger.py" />
      <source>auditor ledger 1</source>
      <translation>auditor ledger 1</translation>
    </message>
    <message>
      <location filename="../../auditor/release/policy.py" />
      <source>auditor policy 1</source>
      <translation>auditor policy 1</translation>
    </message>
    <message>
      <location filename="../../auditor/project/file.py" />
      <source>auditor project</source>
      <translation>auditor project</translation>
    </message>
    <message>
      <location filename="../../auditor/release/manifest.py" />
      <source>auditor release 1</source>
      <translation>auditor release 1</translation>
    </message>
    <message>
      <location filename="../../auditor/release/signing.py" />
      <source>auditor signature 1</source>
      <translation>auditor signature 1</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/korolova.py" />
      <source>b from a wanted ε</source>
      <translation>b aus einem gewünschten ε</translation>
    </message>
    <message>
      <location filename="../../auditor/log/mapping.py" />
      <source>bad IP address</source>
      <translation>fehlerhafte IP-Adresse</translation>
    </message>
    <message>
      <location filename="../../auditor/log/mapping.py" />
      <source>bad JSON</source>
      <translation>fehlerhaftes JSON</translation>
    </message>
    <message>
      <location filename="../../auditor/log/mapping.py" />
      <source>bad UTF-8</source>
      <translation>fehlerhaftes UTF-8</translation>
    </message>
    <message>
      <location filename="../../auditor/log/mapping.py" />
      <source>bad quoting</source>
      <translation>fehlerhafte Anführungszeichen</translation>
    </message>
    <message>
      <location filename="../../auditor/log/mapping.py" />
      <source>bad rank</source>
      <translation>fehlerhafter Rang</translation>
    </message>
    <message>
      <location filename="../../auditor/log/mapping.py" />
      <source>bad time</source>
      <translation>fehlerhafte Zeit</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/wizard_intent.py" />
      <source>bar  |</source>
      <translation>Senkrechter Strich  |</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/information_loss.py" />
      <source>before (bits)</source>
      <translation>vorher (Bits)</translation>
    </message>
    <message>
      <location filename="../../auditor/project/model.py" />
      <source>belongs to somebody who agreed</source>
      <translation>gehört jemandem, der zugestimmt hat</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_params.py" />
      <source>best ranks first</source>
      <translation>beste Ränge zuerst</translation>
    </message>
    <message>
      <location filename="../../auditor/release/comparison.py" />
      <source>better</source>
      <translation>besser</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/set_union.py" />
      <source>better counts</source>
      <translation>bessere Anzahlen</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/dp_audit_summary.py" />
      <source>beyond sight</source>
      <translation>nicht erkennbar</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_plots.py" />
      <source>bits</source>
      <translation>Bits</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/microaggregation_groups.py" />
      <source>blocked</source>
      <translation>in Blöcken</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/vanity_params.py" />
      <source>both</source>
      <translation>beide</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_tables.py" />
      <source>bottom half</source>
      <translation>untere Hälfte</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/outlook.py" />
      <source>bounding the users</source>
      <translation>Begrenzen der Nutzer</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/dp_audit.py" />
      <source>bounding ε</source>
      <translation>ε wird eingegrenzt</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/bundling.py" />
      <source>bundle</source>
      <translation>Bündel</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/bundling.py" />
      <source>bundle numbers tell nothing</source>
      <translation>Bündelnummern verraten nichts</translation>
    </message>
    <message>
      <location filename="../../auditor" />
      <source>bundle the weightiest for a name</source>
      <translation>Bündel das gewichtigste zu einem Namen</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/bundling.py" />
      <source>bundle, by size</source>
      <translation>Bündel, nach Größe</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/bundle_sizes.py" />
      <source>bundle, the largest first</source>
      <translation>Bündel, das größte zuerst</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_report.py" />
      <source>bundles</source>
      <translation>Bündel</translation>
    </message>
    <message>
      <location filename="../../auditor" />
      <source>bundles 100</source>
      <translation>Bündel ab 100</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/structural_counts.py" />
      <source>bundles by chance</source>
      <translation>Bündel durch Zufall</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/bundling.py" />
      <source>bundles hold several users</source>
      <translation>Bündel enthalten mehrere Nutzer</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/bundling.py" />
      <source>bundles in which it stands</source>
      <translation>Bündel, in denen sie steht</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/structural_report.py" />
      <source>bundles looked at</source>
      <translation>angesehene Bündel</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/structural_values.py" />
      <source>bundles of which one user asked nine tenths</source>
      <translation>Bündel, von denen ein Nutzer neun Zehntel stellte</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/bundle_sizes.py" />
      <source>bundles of {0#} queries or more</source>
      <translation>Bündel mit {0#} oder mehr Anfragen</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_report.py" />
      <source>bundles scored</source>
      <translation>bewertete Bündel</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_report.py" />
      <source>bundles taken apart better than by either baseline</source>
      <translation>Bündel, die besser aufgetrennt sind als durch beide Grundlinien</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/bundling.py" />
      <source>bundles that one user dominates</source>
      <translation>Bündel, die ein Nutzer beherrscht</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/linkage_report.py" />
      <source>by chance</source>
      <translation>durch Zufall</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/safelog_statement.py" />
      <source>by composing the noise exactly, at δ = {0#} in all</source>
      <translation>durch genaues Verknüpfen des Rauschens, bei δ = {0#} insgesamt</translation>
    </message>
    <message>
      <location filename="../../auditor/release/export.py" />
      <source>by count, the greatest first, then by text</source>
      <translation>nach Anzahl, die größte zuerst, dann nach Text</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_report.py" />
      <source>by frequency alone</source>
      <translation>nur nach Häufigkeit</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/similarity.py" />
      <source>by method</source>
      <translation>nach Verfahren</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/microaggregation_groups.py" />
      <source>by size</source>
      <translation>nach Größe</translation>
    </message>
    <message>
      <location filename="../../auditor/ledgers.py" />
      <source>by {0}</source>
      <translation>von {0}</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/plain.py" />
      <source>bytes</source>
      <translation>Bytes</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/safelog_statement.py" />
      <source>c_f/b_c; 1 − (1 − P[X ≥ K_c − 1])^c_f with K_c = {0#}</source>
      <translation>c_f/b_c; 1 − (1 − P[X ≥ K_c − 1])^c_f mit K_c = {0#}</translation>
    </message>
    <message>
      <location filename="../../auditor/release/policy.py" />
      <source>can't be read: {0}</source>
      <translation>ist nicht lesbar: {0*}</translation>
    </message>
    <message>
      <location filename="../../auditor/privacy/randomness.py" />
      <source>can't take {0} distinct members out of {1}</source>
      <translation>{0} verschiedene von {1} lassen sich nicht ziehen</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/linkage_truth.py" />
      <source>can't tell whose record is whose: ids were changed, and the rows are no longer those of the log</source>
      <translation>kann nicht sagen, wem welcher Datensatz gehört: Kennungen wurden geändert, und die Zeilen sind nicht mehr die des Protokolls</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/style.py" />
      <source>cancelled</source>
      <translation>abgebrochen</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_pairs.py" />
      <source>candidates looked at</source>
      <translation>angesehene Kandidaten</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/outlook.py" />
      <source>cause</source>
      <translation>Ursache</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/explain_counts.py" />
      <source>chance</source>
      <translation>Wahrscheinlichkeit</translation>
    </message>
    <message>
      <location filename="../../auditor/release/answer.py" />
      <source>chance of being released</source>
      <translation>Wahrscheinlichkeit der Freigabe</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/outlook.py" />
      <source>chance to be released</source>
      <translation>Wahrscheinlichkeit der Freigabe</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_confidence.py" />
      <source>chance told</source>
      <translation>genannte Wahrscheinlichkeit</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/microaggregation.py" />
      <source>checked on the release: {0#} different lists, the rarest of {1#} users</source>
      <translation>an der Freigabe geprüft: {0#} verschiedene Listen, die seltenste von {1#} Nutzern</translation>
    </message>
    <message>
      <location filename="../../auditor/project/file.py" />
      <source>checking the project</source>
      <translation>Projekt wird geprüft</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_learned.py" />
      <source>choosing how much evidence is enough</source>
      <translation>Wie viel Beleg genügt, wird gewählt</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/dp_audit_summary.py" />
      <source>claim {0#}</source>
      <translation>Behauptung {0#}</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/dp_audit_summary.py" />
      <source>claimed by the statement</source>
      <translation>von der Zusicherung behauptet</translation>
    </message>
    <message>
      <location filename="../../auditor/engine/events.py" />
      <source>claimed δ</source>
      <translation>behauptetes δ</translation>
    </message>
    <message>
      <location filename="../../auditor/engine/events.py" />
      <source>claimed ε</source>
      <translation>behauptetes ε</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/dp_audit_report.py" />
      <source>claimed ε = {0#}</source>
      <translation>behauptet ε = {0#}</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/dp_audit_summary.py" />
      <source>claimed ≤ {0#}</source>
      <translation>behauptet ≤ {0#}</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/linkage.py" />
      <source>claims less</source>
      <translation>behauptet weniger</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/linkage.py" />
      <source>claims more</source>
      <translation>behauptet mehr</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/wizard_intent.py" />
      <source>clicked URL</source>
      <translation>geklickte URL</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/safelog_statement.py" />
      <source>clicked pages</source>
      <translation>geklickte Seiten</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/frequency_threshold.py" />
      <source>clicked pages are shared, too</source>
      <translation>auch geklickte Seiten sind geteilt</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/bundling.py" />
      <source>clicked pages tell nothing</source>
      <translation>geklickte Seiten verraten nichts</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/korolova.py" />
      <source>clicks</source>
      <translation>Klicks</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/safelog_statement.py" />
      <source>clicks of one user stay in</source>
      <translation>Klicks eines Nutzers bleiben drin</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/volume.py" />
      <source>clicks whose query and page are released</source>
      <translation>Klicks, deren Anfrage und Seite freigegeben sind</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/unbundling_params.py" />
      <source>cliques</source>
      <translation>Cliquen</translation>
    </message>
    <message>
      <location filename="../../auditor" />
      <source>closest</source>
      <translation>nächster</translation>
    </message>
    <message>
      <location filename="../../auditor" />
      <source>cluster</source>
      <translation>Cluster</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/k_delta_outlook.py" />
      <source>cluster are </source>
      <translation>Clusters </translation>
    </message>
    <message>
      <location filename="../../auditor/measures/site_clustering.py" />
      <source>cluster in the log</source>
      <translation>Cluster im Protokoll</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/k_delta_outlook.py" />
      <source>clustering queries</source>
      <translation>Anfragen werden gruppiert</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/user_clustering.py" />
      <source>clustering users</source>
      <translation>Nutzer werden gruppiert</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/similarity.py" />
      <source>clusters</source>
      <translation>Cluster</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/user_clustering.py" />
      <source>clusters (κ)</source>
      <translation>Cluster (κ)</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/site_clustering.py" />
      <source>clusters are only compared with those of the log</source>
      <translation>Cluster werden nur mit denen des Protokolls verglichen</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/k_delta_common.py" />
      <source>clusters are those of the whole log</source>
      <translation>Cluster sind die des ganzen Protokolls</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/site_clustering.py" />
      <source>clusters of two web sites or more in the release</source>
      <translation>Cluster mit zwei oder mehr Websites in der Freigabe</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/site_clustering.py" />
      <source>clusters of web sites: Jaccard index, all sites of the log</source>
      <translation>Cluster von Websites: Jaccard-Index, alle Websites des Protokolls</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/site_clustering.py" />
      <source>clusters of web sites: Jaccard index, sites found</source>
      <translation>Cluster von Websites: Jaccard-Index, gefundene Websites</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/k_delta_common.py" />
      <source>clusters were not computed again from the release</source>
      <translation>Cluster wurden nicht erneut aus der Freigabe berechnet</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/k_delta_common.py" />
      <source>coarser</source>
      <translation>gröber</translation>
    </message>
    <message>
      <location filename="../../auditor/log/user_space.py" />
      <source>coding domains</source>
      <translation>Domains werden kodiert</translation>
    </message>
    <message>
      <location filename="../../auditor/log/user_space.py" />
      <source>coding users</source>
      <translation>Nutzer werden kodiert</translation>
    </message>
    <message>
      <location filename="../../auditor/log/guessing.py" />
      <source>column {0}</source>
      <translation>Spalte {0}</translation>
    </message>
    <message>
      <location filename="../../auditor/log/model.py" />
      <source>column {0} has {1} rows, not {2}</source>
      <translation>Spalte {0} hat {1} Zeilen, nicht {2}</translation>
    </message>
    <message>
      <location filename="../../auditor/log/contents.py" />
      <source>column {0} is taken for the {1}, by its contents</source>
      <translation>Spalte {0} gilt ihrem Inhalt nach als {1*}</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/wizard_intent.py" />
      <source>comma  ,</source>
      <translation>Komma  ,</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/vanity_params.py" />
      <source>common</source>
      <translation>gemeinsam</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_evidence.py" />
      <source>common initial words</source>
      <translation>gemeinsame Anfangswörter</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/dp_audit_logs.py" />
      <source>common pages</source>
      <translation>häufige Seiten</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/dp_audit_logs.py" />
      <source>common queries</source>
      <translation>häufige Anfragen</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/dp_audit_logs.py" />
      <source>common query</source>
      <translation>häufige Anfrage</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_evidence.py" />
      <source>common words</source>
      <translation>gemeinsame Wörter</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/dp_audit_logs.py" />
      <source>common {0}</source>
      <translation>häufig {0}</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/dp_audit_logs.py" />
      <source>common, all together</source>
      <translation>häufige, alle zusammen</translation>
    </message>
    <message>
      <location filename="../../auditor" />
      <source>company</source>
      <translation>Firma</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/similarity.py" />
      <source>comparing all users</source>
      <translation>alle Nutzer werden verglichen</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_scores.py" />
      <source>comparing fibers</source>
      <translation>Fasern werden verglichen</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/user_profiles.py" />
      <source>comparing profiles</source>
      <translation>Profile werden verglichen</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_pairs.py" />
      <source>comparing queries</source>
      <translation>Anfragen werden verglichen</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/explain_rows.py" />
      <source>comparing records</source>
      <translation>Datensätze werden verglichen</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_alignment.py" />
      <source>comparing rows</source>
      <translation>Zeilen werden verglichen</translation>
    </message>
    <message>
      <location filename="../../auditor/log/user_distance.py" />
      <source>comparing users</source>
      <translation>Nutzer werden verglichen</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_alignment.py" />
      <source>comparing words</source>
      <translation>Wörter werden verglichen</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/k_delta_common.py" />
      <source>complete linkage</source>
      <translation>vollständige Verkettung</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/k_delta_outlook.py" />
      <source>computation time</source>
      <translation>Rechenzeit</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/geo_vanity_report.py" />
      <source>confidence, at least</source>
      <translation>Konfidenz, mindestens</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/unbundling_params.py" />
      <source>connected</source>
      <translation>verbunden</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/surviving_report.py" />
      <source>content</source>
      <translation>Inhalt</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_params.py" />
      <source>continuous</source>
      <translation>fortlaufend</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/wizard_intent.py" />
      <source>control character 1</source>
      <translation>Steuerzeichen 1</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/wizard_intent.py" />
      <source>cookie</source>
      <translation>Cookie</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/trends.py" />
      <source>correlation</source>
      <translation>Korrelation</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/trends.py" />
      <source>correlation with the log</source>
      <translation>Korrelation mit dem Protokoll</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_params.py" />
      <source>cosine</source>
      <translation>Kosinus</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_evidence.py" />
      <source>cosine of stems</source>
      <translation>Kosinus der Stämme</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/frequencies.py" />
      <source>count</source>
      <translation>Anzahl</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/safelog.py" />
      <source>count in the whole log, compared with τ</source>
      <translation>Anzahl im ganzen Protokoll, verglichen mit τ</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/outlook.py" />
      <source>count of the query within the users' limits</source>
      <translation>begrenzte Anzahl der Anfrage</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/explain_counts.py" />
      <source>count within each user's first {0#}</source>
      <translation>Anzahl innerhalb der ersten {0#} jedes Nutzers</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/explain_counts.py" />
      <source>count within the limit</source>
      <translation>Anzahl innerhalb der Grenze</translation>
    </message>
    <message>
      <location filename="../../auditor/release/gates.py" />
      <source>counted at the approval, by the ledger</source>
      <translation>bei der Genehmigung gezählt, durch das Freigabebuch</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_features.py" />
      <source>counting a term once a query</source>
      <translation>Ein Begriff zählt einmal je Anfrage</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/frequency_threshold.py" />
      <source>counting clicked pages</source>
      <translation>Geklickte Seiten werden gezählt</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/volume.py" />
      <source>counting clicks</source>
      <translation>Klicks werden gezählt</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/log_tables.py" />
      <source>counting clicks and transitions</source>
      <translation>Klicks und Übergänge werden gezählt</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_features.py" />
      <source>counting co-occurrences</source>
      <translation>Gemeinsames Auftreten wird gezählt</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/trends.py" />
      <source>counting days</source>
      <translation>Tage werden gezählt</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_features.py" />
      <source>counting events</source>
      <translation>Ereignisse werden gezählt</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/entities.py" />
      <source>counting marked queries</source>
      <translation>markierte Anfragen werden gezählt</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/counting.py" />
      <source>counting queries</source>
      <translation>Anfragen werden gezählt</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_candidates.py" />
      <source>counting rewrites</source>
      <translation>Umformulierungen werden gezählt</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_features.py" />
      <source>counting single words</source>
      <translation>Einzelne Wörter werden gezählt</translation>
    </message>
    <message>
      <location filename="../../auditor/log/text.py" />
      <source>counting tokens</source>
      <translation>Wörter werden gezählt</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/volume.py" />
      <source>counting transitions</source>
      <translation>Übergänge werden gezählt</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/frequency_threshold.py" />
      <source>counting unique users</source>
      <translation>Einzelne Nutzer werden gezählt</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/counting.py" />
      <source>counting users</source>
      <translation>Nutzer werden gezählt</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/similarity.py" />
      <source>counting users' queries</source>
      <translation>Anfragen der Nutzer werden gezählt</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_topics.py" />
      <source>counting users' words</source>
      <translation>Wörter der Nutzer werden gezählt</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/safelog_published.py" />
      <source>counting what is left out</source>
      <translation>Was ausgelassen wird, wird gezählt</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/survey.py" />
      <source>counting who asked what</source>
      <translation>Wer was fragte, wird gezählt</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_order.py" />
      <source>counting who follows whom</source>
      <translation>Wer auf wen folgt, wird gezählt</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/surviving_lists.py" />
      <source>counting whose strings are whose</source>
      <translation>Wessen Zeichenfolgen wessen sind, wird gezählt</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_topics.py" />
      <source>counting words</source>
      <translation>Wörter werden gezählt</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_topics.py" />
      <source>counting words of one query</source>
      <translation>Wörter einer Anfrage werden gezählt</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_topics.py" />
      <source>counting words' users</source>
      <translation>Nutzer der Wörter werden gezählt</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/outlook.py" />
      <source>counts</source>
      <translation>Zählungen</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/dp_audit_logs.py" />
      <source>crowd {0}</source>
      <translation>Menge {0}</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_params.py" />
      <source>cube roots</source>
      <translation>Kubikwurzeln</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_tables.py" />
      <source>cube roots and order</source>
      <translation>Kubikwurzeln und Reihenfolge</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/site_clustering.py" />
      <source>cut {0#}</source>
      <translation>Schnitt {0#}</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/site_clustering.py" />
      <source>cutting the dendrogram</source>
      <translation>Dendrogramm wird geschnitten</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/trends.py" />
      <source>daily searches of frequent queries: share that differs</source>
      <translation>tägliche Suchen häufiger Anfragen: abweichender Anteil</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/unbundling_params.py" />
      <source>days</source>
      <translation>Tage</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/trends.py" />
      <source>days since the log's first</source>
      <translation>Tage seit dem ersten des Protokolls</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_scores.py" />
      <source>dealing fibers out anew</source>
      <translation>Fasern werden neu ausgeteilt</translation>
    </message>
    <message>
      <location filename="../../auditor/log/spilled.py" />
      <source>dealing out rows</source>
      <translation>Zeilen werden ausgeteilt</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/outlook.py" />
      <source>declared p_g</source>
      <translation>erklärtes p_g</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/safelog_statement.py" />
      <source>declared p_g = {0#}; </source>
      <translation>erklärtes p_g = {0#}; </translation>
    </message>
    <message>
      <location filename="../../auditor/methods/statements.py" />
      <source>delta</source>
      <translation>delta</translation>
    </message>
    <message>
      <location filename="../../auditor/privacy/composition.py" />
      <source>delta must be in [0, 1), not {0#}</source>
      <translation>delta muss in [0, 1) liegen, nicht {0#}</translation>
    </message>
    <message>
      <location filename="../../auditor/privacy/audit_bounds.py" />
      <source>delta must be in [0, 1], not {0#}</source>
      <translation>delta muss in [0, 1] liegen, nicht {0#}</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/korolova.py" />
      <source>different queries</source>
      <translation>verschiedene Anfragen</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/token_hashing_explain.py" />
      <source>different words of the log</source>
      <translation>verschiedene Wörter des Protokolls</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/korolova.py" />
      <source>differential privacy</source>
      <translation>Differential Privacy</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/geo_vanity.py" />
      <source>digits</source>
      <translation>Ziffern</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/set_union.py" />
      <source>discrete Gaussian (Canonne, Kamath and Steinke)</source>
      <translation>diskretes Gauß-Rauschen (Canonne, Kamath und Steinke)</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/statements.py" />
      <source>discrete Laplace (Canonne, Kamath and Steinke)</source>
      <translation>diskretes Laplace-Rauschen (Canonne, Kamath und Steinke)</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_report.py" />
      <source>distance of the two ranks (median and quartiles)</source>
      <translation>Abstand der beiden Ränge (Median und Quartile)</translation>
    </message>
    <message>
      <location filename="../../auditor" />
      <source>distance within groups</source>
      <translation>Abstand innerhalb der Gruppen</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_params.py" />
      <source>distances</source>
      <translation>Abstände</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/volume.py" />
      <source>distinct queries</source>
      <translation>verschiedene Anfragen</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/entity_report.py" />
      <source>distinct queries with a non-star name</source>
      <translation>verschiedene Anfragen mit einem unbekannten Namen</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/surviving_report.py" />
      <source>distinct strings</source>
      <translation>verschiedene Zeichenfolgen</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/surviving_report.py" />
      <source>distinct strings flagged</source>
      <translation>verschiedene gemeldete Zeichenfolgen</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/token_hashing.py" />
      <source>distinct words hashed</source>
      <translation>gehashte verschiedene Wörter</translation>
    </message>
    <message>
      <location filename="../../auditor/release/gates.py" />
      <source>does not apply</source>
      <translation>nicht anwendbar</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/base.py" />
      <source>does not apply to a release of {0}</source>
      <translation>ist auf eine Freigabe als {0*} nicht anwendbar</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/base.py" />
      <source>does not apply to a release of {0}{1}</source>
      <translation>ist auf eine Freigabe als {0*} nicht anwendbar{1*}</translation>
    </message>
    <message>
      <location filename="../../auditor/release/policy.py" />
      <source>does not say format = "{0}"</source>
      <translation>enthält nicht format = "{0}"</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/dp_audit.py" />
      <source>dp-audit can't have the secure sampler here. Choose sampler=preview.</source>
      <translation>dp-audit kann hier keinen sicheren Zufall bekommen. Wählen Sie sampler=preview.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/dp_audit.py" />
      <source>dp-audit {0}.</source>
      <translation>dp-audit {0*}.</translation>
    </message>
    <message>
      <location filename="../../auditor/privacy/noise.py" />
      <source>drawing empty cells</source>
      <translation>Leere Zellen werden gezogen</translation>
    </message>
    <message>
      <location filename="../../auditor/privacy/noise.py" />
      <source>drawing noise</source>
      <translation>Rauschen wird gezogen</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/set_union.py" />
      <source>drawing noise of the counts</source>
      <translation>Rauschen der Anzahlen wird gezogen</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/set_union.py" />
      <source>drawing noise, round {0}</source>
      <translation>Rauschen wird gezogen, Runde {0}</translation>
    </message>
    <message>
      <location filename="../../auditor/privacy/noise.py" />
      <source>drawing which pass</source>
      <translation>Es wird gezogen, welche durchkommen</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/bundling.py" />
      <source>drawn from the operating system's randomness</source>
      <translation>aus dem Zufall des Betriebssystems gezogen</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/structural_report.py" />
      <source>drawn from the power law</source>
      <translation>aus dem Potenzgesetz gezogen</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/frequency_threshold.py" />
      <source>drop</source>
      <translation>entfernen</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/token_hashing.py" />
      <source>dropped</source>
      <translation>entfernt</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/frequency_threshold.py" />
      <source>dropping rare queries</source>
      <translation>Seltene Anfragen werden entfernt</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/kinds.py" />
      <source>e-mail address</source>
      <translation>E-Mail-Adresse</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_variants.py" />
      <source>each apart (BL1)</source>
      <translation>alles getrennt (BL1)</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/structural_report.py" />
      <source>each query given to a user at random, %</source>
      <translation>jede Anfrage einem zufälligen Nutzer gegeben, %</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/dp_audit_logs.py" />
      <source>edge {0}</source>
      <translation>Grenzfall {0}</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_evidence.py" />
      <source>edit distance</source>
      <translation>Editierdistanz</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_pairs.py" />
      <source>edit distance over length</source>
      <translation>Editierdistanz je Länge</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/k_delta_edit.py" />
      <source>editing groups</source>
      <translation>Gruppen werden bearbeitet</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/vanity_params.py" />
      <source>either</source>
      <translation>eines von beiden</translation>
    </message>
    <message>
      <location filename="../../auditor/log/mapping.py" />
      <source>empty line</source>
      <translation>leere Zeile</translation>
    </message>
    <message>
      <location filename="../../auditor/log/mapping.py" />
      <source>empty user</source>
      <translation>leerer Nutzer</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/frequency_threshold.py" />
      <source>enough: every row with it is kept</source>
      <translation>genug: Jede Zeile mit ihr bleibt</translation>
    </message>
    <message>
      <location filename="../../auditor/release/ledger.py" />
      <source>entry {0} does not follow the one before it</source>
      <translation>Eintrag {0} folgt nicht auf den vorigen</translation>
    </message>
    <message>
      <location filename="../../auditor/release/ledger.py" />
      <source>entry {0} is missing</source>
      <translation>Eintrag {0} fehlt</translation>
    </message>
    <message>
      <location filename="../../auditor/release/ledger.py" />
      <source>entry {0} was changed after it was written</source>
      <translation>Eintrag {0} wurde nachträglich geändert</translation>
    </message>
    <message>
      <location filename="../../auditor" />
      <source>epsilon of one user more</source>
      <translation>epsilon eines Nutzers mehr</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/outlook.py" />
      <source>error</source>
      <translation>Fehler</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/outlook.py" />
      <source>error from bounding the users</source>
      <translation>Fehler durch das Begrenzen der Nutzer</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/outlook.py" />
      <source>error from the noise</source>
      <translation>Fehler durch das Rauschen</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/outlook.py" />
      <source>error from the threshold</source>
      <translation>Fehler durch den Schwellenwert</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_report.py" />
      <source>events</source>
      <translation>Ereignisse</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/explain_rows.py" />
      <source>events added{0}</source>
      <translation>hinzugefügte Ereignisse{0*}</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/explain_rows.py" />
      <source>events asked</source>
      <translation>gefragte Ereignisse</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_evidence.py" />
      <source>events between</source>
      <translation>Ereignisse dazwischen</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/linkage_report.py" />
      <source>events known</source>
      <translation>bekannte Ereignisse</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/explain_rows.py" />
      <source>events released</source>
      <translation>freigegebene Ereignisse</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/explain_rows.py" />
      <source>events suppressed{0}</source>
      <translation>entfallene Ereignisse{0*}</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_evidence.py" />
      <source>events with clicks</source>
      <translation>Ereignisse mit Klicks</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/safelog_statement.py" />
      <source>every query can come from the pool</source>
      <translation>jede Anfrage kann aus dem Vorrat kommen</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/microaggregation.py" />
      <source>every record stands k times</source>
      <translation>jeder Datensatz steht k-mal da</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/frequency_threshold.py" />
      <source>every string has n users</source>
      <translation>jede Zeichenfolge hat n Nutzer</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/bundling.py" />
      <source>everything but the bucket of their cookie</source>
      <translation>alles außer dem Fach ihres Cookies</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/microaggregation_groups.py" />
      <source>exact</source>
      <translation>genau</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/statements.py" />
      <source>exact figures stay inside</source>
      <translation>exakte Zahlen bleiben drinnen</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/k_delta_common.py" />
      <source>exact shares</source>
      <translation>genaue Anteile</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/k_delta_outlook.py" />
      <source>exactly hers.</source>
      <translation>genau die eigenen.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/k_delta_common.py" />
      <source>exactly the same. </source>
      <translation>genau dieselben sind. </translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_params.py" />
      <source>expand</source>
      <translation>erweitern</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_run.py" />
      <source>expanding to {0#}</source>
      <translation>Erweitern auf {0#}</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_params.py" />
      <source>expansion</source>
      <translation>Erweiterung</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/microaggregation_outlook.py" />
      <source>expected exposure</source>
      <translation>erwartete Preisgabe</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/statements.py" />
      <source>expected figures and runs here are computed from the log without noise: whoever picks the best of several settings by them spends more than ε, and nobody knows how much; settings found on an older log or on a synthetic one cost nothing</source>
      <translation>erwartete Kennzahlen und Läufe werden hier ohne Rauschen aus dem Protokoll berechnet: Wer danach die beste von mehreren Einstellungen wählt, verbraucht mehr als ε, und niemand weiß, wie viel; an einem älteren oder künstlichen Protokoll gefundene Einstellungen kosten nichts</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/outlook.py" />
      <source>expected share of query volume kept</source>
      <translation>erwarteter Anteil behaltener Anfragen</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/structural_values.py" />
      <source>exponent of the law of queries per user</source>
      <translation>Exponent des Gesetzes der Anfragen je Nutzer</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/style.py" />
      <source>failed</source>
      <translation>gescheitert</translation>
    </message>
    <message>
      <location filename="../../auditor" />
      <source>failing users</source>
      <translation>verfehlende Nutzer</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/style.py" />
      <source>fails</source>
      <translation>trifft nicht zu</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/dp_audit_logs.py" />
      <source>fallback {0}</source>
      <translation>Ersatz {0}</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/retrieval_report.py" />
      <source>feedback as printed</source>
      <translation>Rückmeldung wie gedruckt</translation>
    </message>
    <message>
      <location filename="../../auditor" />
      <source>fewer</source>
      <translation>weniger</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/entities.py" />
      <source>fewer names</source>
      <translation>weniger Namen</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/surviving_content.py" />
      <source>fewer names flagged</source>
      <translation>weniger Namen gemeldet</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/entities.py" />
      <source>fewer private names</source>
      <translation>weniger private Namen</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/frequency_threshold.py" />
      <source>fewer rare queries</source>
      <translation>weniger seltene Anfragen</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/k_delta_points.py" />
      <source>fewest searches</source>
      <translation>wenigste Suchen</translation>
    </message>
    <message>
      <location filename="../../auditor/log/mapping.py" />
      <source>field too long</source>
      <translation>zu langes Feld</translation>
    </message>
    <message>
      <location filename="../../auditor/release/comparison.py" />
      <source>figure</source>
      <translation>Kennzahl</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_tables.py" />
      <source>figure 1</source>
      <translation>Abbildung 1</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_tables.py" />
      <source>figure 4</source>
      <translation>Abbildung 4</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_topics.py" />
      <source>finding cliques</source>
      <translation>Cliquen werden gesucht</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/beeferman_berger.py" />
      <source>finding similar queries and pages</source>
      <translation>Ähnliche Anfragen und Seiten werden gesucht</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/site_clusters.py" />
      <source>finding web sites</source>
      <translation>Websites werden gesucht</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/dp_audit_trials.py" />
      <source>finding which queries come out</source>
      <translation>Es wird ermittelt, welche Anfragen herauskommen</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_params.py" />
      <source>fingerprint</source>
      <translation>Fingerabdruck</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_distance.py" />
      <source>fingerprint distances</source>
      <translation>Abstände von Fingerabdrücken</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/style.py" />
      <source>finished</source>
      <translation>fertig</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_params.py" />
      <source>first mappings</source>
      <translation>erste Zuordnungen</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/next_query.py" />
      <source>first query there</source>
      <translation>erste Anfrage dort</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/structural_report.py" />
      <source>fitted power law</source>
      <translation>angepasstes Potenzgesetz</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_update.py" />
      <source>fixing pairs</source>
      <translation>Paare werden festgelegt</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/surviving_content.py" />
      <source>flag fewer</source>
      <translation>weniger melden</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/surviving_content.py" />
      <source>flag more</source>
      <translation>mehr melden</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/surviving_report.py" />
      <source>flagged strings that survive</source>
      <translation>gemeldete Zeichenfolgen, die erhalten bleiben</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/surviving_content.py" />
      <source>flagged users of whom a flagged string survives verbatim</source>
      <translation>auffällige Nutzer, von denen eine gemeldete Zeichenfolge wörtlich erhalten bleibt</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/dp_audit_logs.py" />
      <source>follow {0}</source>
      <translation>Folge {0}</translation>
    </message>
    <message>
      <location filename="../../auditor/project/model.py" />
      <source>for another reason</source>
      <translation>aus einem anderen Grund</translation>
    </message>
    <message>
      <location filename="../../auditor/release/policy_edit.py" />
      <source>format = "{0}"
{1}</source>
      <translation>format = "{0}"
{1}</translation>
    </message>
    <message>
      <location filename="../../auditor/release/policy_edit.py" />
      <source>format = {0}</source>
      <translation>format = {0}</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/linkage_report.py" />
      <source>found</source>
      <translation>gefunden</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/structural_report.py" />
      <source>found, %</source>
      <translation>gefunden, %</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/token_hashing.py" />
      <source>frequencies and co-occurrences are kept: Kumar et al. inverted 99 % of the 1,000 most frequent hashes of 3 million queries; the attack hash-inversion measures it on this log</source>
      <translation>Häufigkeiten und gemeinsames Auftreten bleiben erhalten: Kumar et al. kehrten 99 % der 1.000 häufigsten Hashes von 3 Millionen Anfragen um; der Angriff hash-inversion misst es an diesem Protokoll</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_params.py" />
      <source>frequency</source>
      <translation>Häufigkeit</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/trends.py" />
      <source>frequent queries of the log that are released</source>
      <translation>freigegebene häufige Anfragen des Protokolls</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/entities.py" />
      <source>frequent words</source>
      <translation>häufige Wörter</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/dp_audit_logs.py" />
      <source>friend {0}</source>
      <translation>Freund {0}</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_report.py" />
      <source>gained in F over {0}</source>
      <translation>in F gewonnen gegenüber {0*}</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_params.py" />
      <source>gap</source>
      <translation>Lücke</translation>
    </message>
    <message>
      <location filename="../../auditor/log/text.py" />
      <source>gathering tokens</source>
      <translation>Wörter werden gesammelt</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/geo_vanity.py" />
      <source>geo-vanity needs postal codes: no user of the log has one.</source>
      <translation>geo-vanity benötigt Postleitzahlen: Kein Nutzer des Protokolls hat eine.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/geo_vanity.py" />
      <source>geo-vanity needs profiles with the column 'zip'.</source>
      <translation>geo-vanity benötigt Profile mit der Spalte 'zip'.</translation>
    </message>
    <message>
      <location filename="../../auditor" />
      <source>group</source>
      <translation>Gruppe</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/k_delta_outlook.py" />
      <source>grouping users</source>
      <translation>Nutzer werden gruppiert</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/k_delta_outlook.py" />
      <source>groups</source>
      <translation>Gruppen</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_forest.py" />
      <source>growing a forest</source>
      <translation>Ein Wald wächst</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_pairs.py" />
      <source>growing the tree</source>
      <translation>Der Baum wächst</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_tables.py" />
      <source>half the period</source>
      <translation>der halbe Zeitraum</translation>
    </message>
    <message>
      <location filename="../../auditor/release/policy.py" />
      <source>has more than one gate '{0}'</source>
      <translation>hat mehr als eine Bedingung '{0}'</translation>
    </message>
    <message>
      <location filename="../../auditor/release/policy.py" />
      <source>has no [[gate]]</source>
      <translation>hat kein [[gate]]</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/dp_audit.py" />
      <source>has nothing to test: this release claims no ε, and without noise there is none</source>
      <translation>hat nichts zu prüfen: Diese Freigabe behauptet kein ε, und ohne Rauschen gibt es keines</translation>
    </message>
    <message>
      <location filename="../../auditor/release/policy.py" />
      <source>has reasons, which go with .{0} alone</source>
      <translation>hat reasons, die nur zu .{0} gehören</translation>
    </message>
    <message>
      <location filename="../../auditor/release/policy.py" />
      <source>has the unknown entry '{0}'</source>
      <translation>hat den unbekannten Eintrag '{0}'</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/token_hashing.py" />
      <source>hashed</source>
      <translation>gehasht</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_report.py" />
      <source>hashed events</source>
      <translation>gehashte Ereignisse</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/hash_inversion.py" />
      <source>hashes and words that are each other's nearest</source>
      <translation>Hashes und Wörter, die einander am nächsten sind</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/token_hashing.py" />
      <source>hashes can't be turned back</source>
      <translation>Hashes lassen sich nicht umkehren</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_report.py" />
      <source>hashes expected to be read rightly</source>
      <translation>voraussichtlich richtig gelesene Hashes</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_scores.py" />
      <source>hashes mapped anew</source>
      <translation>neu zugeordnete Hashes</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/token_hashing.py" />
      <source>hashing clicked pages</source>
      <translation>Geklickte Seiten werden gehasht</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/token_hashing.py" />
      <source>hashing tokens</source>
      <translation>Wörter werden gehasht</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/token_hashing.py" />
      <source>hashing users</source>
      <translation>Nutzer werden gehasht</translation>
    </message>
    <message>
      <location filename="../../auditor/release/manifest.py" />
      <source>hashing {0}</source>
      <translation>Prüfsumme von {0}</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/unbundling_params.py" />
      <source>heavy users alone</source>
      <translation>nur starke Nutzer</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/structural_report.py" />
      <source>heavy users in a bundle</source>
      <translation>starke Nutzer in einem Bündel</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/structural_values.py" />
      <source>heavy users who asked for one place only</source>
      <translation>starke Nutzer, die nur nach einem Ort fragten</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/structural_report.py" />
      <source>heavy users with one place</source>
      <translation>starke Nutzer mit einem Ort</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/structural_report.py" />
      <source>heavy users with one place, theirs alone</source>
      <translation>starke Nutzer mit einem Ort, der nur ihrer ist</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_report.py" />
      <source>heavy users' fibers in them</source>
      <translation>Fasern starker Nutzer darin</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/structural_findings.py" />
      <source>heavy, with one place that is hers alone</source>
      <translation>stark, mit einem Ort, den sonst niemand nennt</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/retrieval_report.py" />
      <source>held-out clicks whose query is in the release</source>
      <translation>zurückgehaltene Klicks, deren Anfrage in der Freigabe steht</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/next_query.py" />
      <source>held-out users</source>
      <translation>zurückgehaltene Nutzer</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/vanity_findings.py" />
      <source>her name leads here among the first ten</source>
      <translation>der Name führt unter den ersten zehn hierher</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/vanity_findings.py" />
      <source>her name leads here before anywhere else</source>
      <translation>der Name führt zuerst hierher</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/vanity_report.py" />
      <source>her name, from her searches</source>
      <translation>den Namen, aus den Suchen</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/vanity_findings.py" />
      <source>her own name is the weightiest that she asks for</source>
      <translation>der eigene Name ist der gewichtigste, nach dem gesucht wird</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/vanity_report.py" />
      <source>her searches, from her name</source>
      <translation>die Suchen, aus dem Namen</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_findings.py" />
      <source>hers, missed</source>
      <translation>ihre, verfehlt</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_findings.py" />
      <source>hers, recovered</source>
      <translation>ihre, wiedergefunden</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/token_hashing.py" />
      <source>hidden</source>
      <translation>verborgen</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/token_hashing.py" />
      <source>hiding the order</source>
      <translation>Die Reihenfolge wird verborgen</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/values_panel.py" />
      <source>higher is better</source>
      <translation>höher ist besser</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/next_query.py" />
      <source>hit@{0}, most frequent queries</source>
      <translation>hit@{0}, häufigste Anfragen</translation>
    </message>
    <message>
      <location filename="../../auditor/privacy/audit_bounds.py" />
      <source>hits must be between 0 and the number of trials</source>
      <translation>Treffer müssen zwischen 0 und der Zahl der Versuche liegen</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/style.py" />
      <source>holds</source>
      <translation>trifft zu</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/explain_counts.py" />
      <source>holds it</source>
      <translation>enthält sie</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/geo_vanity.py" />
      <source>homes</source>
      <translation>Wohnorte</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/safelog_params.py" />
      <source>honest</source>
      <translation>ehrlich</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_evidence.py" />
      <source>hours apart</source>
      <translation>Stunden Abstand</translation>
    </message>
    <message>
      <location filename="../../auditor" />
      <source>how far the attack's success is above guessing</source>
      <translation>wie weit der Erfolg des Angriffs über dem Raten liegt</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/dp_audit_reading.py" />
      <source>how many are shown</source>
      <translation>wie viele gezeigt werden</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/dp_audit_reading.py" />
      <source>how many count more than the crowd did</source>
      <translation>wie viele mehr zählen als die Menge</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/dp_audit.py" />
      <source>how often the auditor tells whether one user is in the log</source>
      <translation>wie oft der Prüfer erkennt, ob ein Nutzer im Protokoll steht</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/explain_rows.py" />
      <source>id in the release</source>
      <translation>Kennung in der Freigabe</translation>
    </message>
    <message>
      <location filename="../../auditor/engine/explaining.py" />
      <source>ids</source>
      <translation>Kennungen</translation>
    </message>
    <message>
      <location filename="../../auditor/privacy/records.py" />
      <source>ids are those of the log</source>
      <translation>Kennungen sind die des Protokolls</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/statements.py" />
      <source>ids are unknown</source>
      <translation>Kennungen sind unbekannt</translation>
    </message>
    <message>
      <location filename="../../auditor/engine/explaining.py" />
      <source>ids it stands under</source>
      <translation>Kennungen, unter denen sie steht</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/surviving_lists.py" />
      <source>ids that such a string stands under, on average</source>
      <translation>Kennungen, unter denen eine solche Zeichenfolge steht, im Mittel</translation>
    </message>
    <message>
      <location filename="../../auditor/privacy/records.py" />
      <source>ids were changed, and the rows are no longer those of the log</source>
      <translation>Kennungen wurden geändert, und die Zeilen sind nicht mehr die des Protokolls</translation>
    </message>
    <message>
      <location filename="../../auditor/privacy/records.py" />
      <source>ids were changed, and whose a record is isn't looked up above </source>
      <translation>Kennungen wurden geändert, und wem ein Datensatz gehört, wird nicht nachgesehen über </translation>
    </message>
    <message>
      <location filename="../../auditor/privacy/records.py" />
      <source>ids were changed; equal rows tell whose record is whose</source>
      <translation>Kennungen wurden geändert; gleiche Zeilen verraten, wem welcher Datensatz gehört</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/statements.py" />
      <source>ids were kept as they are in the original log: whoever knows one reads her record</source>
      <translation>Kennungen blieben wie im ursprünglichen Protokoll: Wer eine kennt, liest den Datensatz</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/wizard_intent.py" />
      <source>ignore</source>
      <translation>übergehen</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_params.py" />
      <source>ignored</source>
      <translation>übergangen</translation>
    </message>
    <message>
      <location filename="../../auditor/log/read.py" />
      <source>ignored {0}</source>
      <translation>{0} übergangen</translation>
    </message>
    <message>
      <location filename="../../auditor/log/sources.py" />
      <source>ignored {0}: a folder</source>
      <translation>{0} übergangen: ein Ordner</translation>
    </message>
    <message>
      <location filename="../../auditor/log/sources.py" />
      <source>ignored {0}: it can't be reached</source>
      <translation>{0} übergangen: nicht erreichbar</translation>
    </message>
    <message>
      <location filename="../../auditor/log/read.py" />
      <source>ignored {0}: it doesn't look like the query log</source>
      <translation>{0} übergangen: sieht nicht wie das Anfrageprotokoll aus</translation>
    </message>
    <message>
      <location filename="../../auditor/log/read.py" />
      <source>ignored {0}: it is empty</source>
      <translation>{0} übergangen: leer</translation>
    </message>
    <message>
      <location filename="../../auditor/log/sources.py" />
      <source>ignored {0}: not a regular file</source>
      <translation>{0} übergangen: keine gewöhnliche Datei</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/retrieval_report.py" />
      <source>implicit feedback</source>
      <translation>implizite Rückmeldung</translation>
    </message>
    <message>
      <location filename="../../auditor/engine/events.py" />
      <source>in all</source>
      <translation>insgesamt</translation>
    </message>
    <message>
      <location filename="../../auditor/log/guessing.py" />
      <source>in dates the month is taken to stand before the day</source>
      <translation>in Datumsangaben steht der Monat vor dem Tag</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/statements.py" />
      <source>in each of {0#} groups</source>
      <translation>in jeder von {0#} Gruppen</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/statements.py" />
      <source>in each of {0#} groups all members have the same {1}, by construction</source>
      <translation>in jeder von {0#} Gruppen haben alle Mitglieder dem Aufbau nach dieselben {1*}</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/statements.py" />
      <source>in every group</source>
      <translation>in jeder Gruppe</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/statements.py" />
      <source>in every group all members have the same {0}, by construction</source>
      <translation>in jeder Gruppe haben alle Mitglieder dem Aufbau nach dieselben {0*}</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/surviving_report.py" />
      <source>in the input</source>
      <translation>in der Eingabe</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/frequencies.py" />
      <source>in the log</source>
      <translation>im Protokoll</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/volume.py" />
      <source>in the release</source>
      <translation>in der Freigabe</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/bundling.py" />
      <source>in {0#} of {1#} bundles one user asked more than half{2}</source>
      <translation>in {0#} von {1#} Bündeln stellte ein Nutzer mehr als die Hälfte{2*}</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/linkage_index.py" />
      <source>indexing records</source>
      <translation>Datensätze werden verzeichnet</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_texts.py" />
      <source>indexing words</source>
      <translation>Wörter werden verzeichnet</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/information_loss.py" />
      <source>information lost over the log (ILR)</source>
      <translation>Verlust an Information über das Protokoll (ILR)</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/information_loss.py" />
      <source>information lost per user (ILR), mean</source>
      <translation>Verlust an Information je Nutzer (ILR), Mittel</translation>
    </message>
    <message>
      <location filename="../../auditor/privacy/randomness.py" />
      <source>integers need a bound in [1, 2^63], not {0}</source>
      <translation>ganze Zahlen brauchen eine Grenze in [1, 2^63], nicht {0}</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_params.py" />
      <source>interval</source>
      <translation>Zeitspanne</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/zealous.py" />
      <source>is below the first threshold τ = {0#}</source>
      <translation>liegt unter dem ersten Schwellenwert τ = {0#}</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/dp_audit_report.py" />
      <source>is drawn as a release's is.</source>
      <translation>wird gezogen wie das einer Freigabe.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/token_hashing_explain.py" />
      <source>is in a file that is not read</source>
      <translation>ist in einer Datei, die nicht gelesen wird</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_tables.py" />
      <source>is kept and used</source>
      <translation>ist erhalten und genutzt</translation>
    </message>
    <message>
      <location filename="../../auditor/release/policy.py" />
      <source>is larger than {0} MB</source>
      <translation>ist größer als {0} MB</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/explain_counts.py" />
      <source>is never released</source>
      <translation>wird nie freigegeben</translation>
    </message>
    <message>
      <location filename="../../auditor/release/policy.py" />
      <source>is no TOML: {0}</source>
      <translation>ist kein TOML: {0}</translation>
    </message>
    <message>
      <location filename="../../auditor/ledgers.py" />
      <source>is not signed, so it proves nothing</source>
      <translation>ist nicht signiert und beweist daher nichts</translation>
    </message>
    <message>
      <location filename="../../auditor/release/ledger.py" />
      <source>is not the release that entry {0} tells of</source>
      <translation>ist nicht die Freigabe, von der Eintrag {0} handelt</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/safelog.py" />
      <source>is rarer than τ = {0#}</source>
      <translation>ist seltener als τ = {0#}</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/explain_counts.py" />
      <source>is released nearly always</source>
      <translation>wird fast immer freigegeben</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/explain_counts.py" />
      <source>is released with a chance of {0#}</source>
      <translation>wird mit einer Wahrscheinlichkeit von {0#} freigegeben</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/explain_counts.py" />
      <source>is released with a chance of {0#} %</source>
      <translation>wird mit einer Wahrscheinlichkeit von {0#} % freigegeben</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/dp_audit_report.py" />
      <source>is seeded and has the law of a release's.</source>
      <translation>hat einen Startwert und das Gesetz einer Freigabe.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/korolova.py" />
      <source>it is not UTF-8 text</source>
      <translation>es ist kein UTF-8-Text</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/own_names.py" />
      <source>it is not UTF-8 text in columns</source>
      <translation>es ist kein UTF-8-Text in Spalten</translation>
    </message>
    <message>
      <location filename="../../auditor/log/splits.py" />
      <source>it is packed ({0})</source>
      <translation>sie ist gepackt ({0})</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_params.py" />
      <source>iterate</source>
      <translation>wiederholen</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_tables.py" />
      <source>iteration</source>
      <translation>Wiederholung</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_run.py" />
      <source>iteration {0}</source>
      <translation>Wiederholung {0}</translation>
    </message>
    <message>
      <location filename="../../auditor/release/ledger_totals.py" />
      <source>its entry can't be read</source>
      <translation>der Eintrag ist nicht lesbar</translation>
    </message>
    <message>
      <location filename="../../auditor/log/splits.py" />
      <source>its fields are quoted, or it is not UTF-8 with line feeds</source>
      <translation>die Felder stehen in Anführungszeichen, oder es ist kein UTF-8 mit Zeilenvorschub</translation>
    </message>
    <message>
      <location filename="../../auditor/release/ledger.py" />
      <source>its own rules were changed ({0})</source>
      <translation>die eigenen Regeln wurden geändert ({0})</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_plots.py" />
      <source>joined by</source>
      <translation>verbunden durch</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fibers.py" />
      <source>joining pairs</source>
      <translation>Paare werden verbunden</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fibers.py" />
      <source>joining queries</source>
      <translation>Anfragen werden verbunden</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_topics.py" />
      <source>joining words</source>
      <translation>Wörter werden verbunden</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/survey.py" />
      <source>judging sessions</source>
      <translation>Sitzungen werden beurteilt</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/microaggregation_outlook.py" />
      <source>k = 1 is the log itself.</source>
      <translation>k = 1 ist das Protokoll selbst.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/k_delta_outlook.py" />
      <source>k is more than the {0#} users that are looked at here.</source>
      <translation>k ist größer als die {0#} Nutzer, die hier betrachtet werden.</translation>
    </message>
    <message>
      <location filename="../../auditor/privacy/models.py" />
      <source>k where epsilon is 0, else 1</source>
      <translation>k, wo epsilon 0 ist, sonst 1</translation>
    </message>
    <message>
      <location filename="../../auditor" />
      <source>k-anonymity</source>
      <translation>k-Anonymität</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/profile_exposure.py" />
      <source>k-anonymity: 100 / k</source>
      <translation>k-Anonymität: 100 / k</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/frequency_threshold.py" />
      <source>keep</source>
      <translation>behalten</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/k_delta_common.py" />
      <source>keep the number</source>
      <translation>Anzahl behalten</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/volume.py" />
      <source>kept</source>
      <translation>behalten</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/linkage.py" />
      <source>knows all</source>
      <translation>weiß alles</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/linkage.py" />
      <source>knows little</source>
      <translation>weiß wenig</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/dp_audit_trials.py" />
      <source>ladder {0}</source>
      <translation>Leiter {0}</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_evidence.py" />
      <source>lag in mean pauses</source>
      <translation>Abstand in mittleren Pausen</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_pairs.py" />
      <source>lag in seconds</source>
      <translation>Abstand in Sekunden</translation>
    </message>
    <message>
      <location filename="../../auditor" />
      <source>largest distance</source>
      <translation>größter Abstand</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/next_query.py" />
      <source>learned from</source>
      <translation>gelernt an</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_variants.py" />
      <source>learned weights</source>
      <translation>gelernte Gewichte</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/k_delta_common.py" />
      <source>least change</source>
      <translation>geringste Änderung</translation>
    </message>
    <message>
      <location filename="../../auditor" />
      <source>least count</source>
      <translation>kleinste Anzahl</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/outlook.py" />
      <source>least noisy count (K)</source>
      <translation>kleinste verrauschte Anzahl (K)</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/zealous.py" />
      <source>least noisy count released</source>
      <translation>kleinste freigegebene verrauschte Anzahl</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/explain_counts.py" />
      <source>least noisy count that is released ({0})</source>
      <translation>kleinste verrauschte Anzahl, die freigegeben wird ({0})</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/surviving_report.py" />
      <source>least risk shown</source>
      <translation>geringstes gezeigtes Risiko</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/site_clustering.py" />
      <source>least similarity</source>
      <translation>geringste Ähnlichkeit</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/k_delta_outlook.py" />
      <source>least similarity of a user to her group, released</source>
      <translation>geringste Ähnlichkeit eines Nutzers zu seiner Gruppe, freigegeben</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/similarity.py" />
      <source>least similarity of a user to her nearest others, released</source>
      <translation>geringste Ähnlichkeit eines Nutzers zu seinen nächsten anderen, freigegeben</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_params.py" />
      <source>least total distance</source>
      <translation>geringster Gesamtabstand</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/dp_audit_report.py" />
      <source>least δ that any claim needs</source>
      <translation>kleinstes δ jeder Behauptung</translation>
    </message>
    <message>
      <location filename="../../auditor/ledgers.py" />
      <source>ledger: {0}</source>
      <translation>Freigabebuch: {0}</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_scores.py" />
      <source>less frequent half</source>
      <translation>seltenere Hälfte</translation>
    </message>
    <message>
      <location filename="../../auditor/project/codec.py" />
      <source>letters from A to Z</source>
      <translation>Buchstaben von A bis Z</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/linkage.py" />
      <source>likelihood</source>
      <translation>Wahrscheinlichkeit</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/histograms.py" />
      <source>limiting users</source>
      <translation>Nutzer werden begrenzt</translation>
    </message>
    <message>
      <location filename="../../auditor/log/mapping.py" />
      <source>line too long</source>
      <translation>zu lange Zeile</translation>
    </message>
    <message>
      <location filename="../../auditor/errors.py" />
      <source>line {0}</source>
      <translation>Zeile {0}</translation>
    </message>
    <message>
      <location filename="../../auditor/log/guessing.py" />
      <source>lines end with carriage returns</source>
      <translation>Zeilen enden mit Wagenrücklauf</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_findings.py" />
      <source>linked with another of her sessions, in a fiber mostly hers</source>
      <translation>mit einer anderen ihrer Sitzungen verbunden, in einer Faser, die meist ihre ist</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/linkage_index.py" />
      <source>linking users</source>
      <translation>Nutzer werden verknüpft</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/safelog_params.py" />
      <source>list from a file</source>
      <translation>Liste aus einer Datei</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_features.py" />
      <source>listing where words stand</source>
      <translation>Wo Wörter stehen, wird aufgelistet</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_topics.py" />
      <source>listing words</source>
      <translation>Wörter werden aufgelistet</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/trends.py" />
      <source>log</source>
      <translation>Protokoll</translation>
    </message>
    <message>
      <location filename="../../auditor" />
      <source>log, held-out users</source>
      <translation>Protokoll, zurückgehaltene Nutzer</translation>
    </message>
    <message>
      <location filename="../../auditor" />
      <source>lonely pages</source>
      <translation>einsame Seiten</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/entities.py" />
      <source>longer sessions</source>
      <translation>längere Sitzungen</translation>
    </message>
    <message>
      <location filename="../../auditor/log/read.py" />
      <source>looking at the files</source>
      <translation>die Dateien werden angesehen</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/explaining.py" />
      <source>looking at who asked it</source>
      <translation>Wer sie stellte, wird angesehen</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/surviving_lists.py" />
      <source>looking for borrowed searches</source>
      <translation>Geliehene Suchen werden gesucht</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/spotters.py" />
      <source>looking for names and numbers</source>
      <translation>Namen und Nummern werden gesucht</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/volume.py" />
      <source>looking for pages</source>
      <translation>Seiten werden gesucht</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/places.py" />
      <source>looking for places</source>
      <translation>Orte werden gesucht</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/counting.py" />
      <source>looking for queries</source>
      <translation>Anfragen werden gesucht</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/retrieval_graph.py" />
      <source>looking for queries and pages</source>
      <translation>Anfragen und Seiten werden gesucht</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/user_blocks.py" />
      <source>looking for similar users</source>
      <translation>Ähnliche Nutzer werden gesucht</translation>
    </message>
    <message>
      <location filename="../../auditor/engine/solving.py" />
      <source>looking for the value</source>
      <translation>Der Wert wird gesucht</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/frequencies.py" />
      <source>looking for words</source>
      <translation>Wörter werden gesucht</translation>
    </message>
    <message>
      <location filename="../../auditor/engine/explaining.py" />
      <source>looking up the query</source>
      <translation>die Anfrage wird nachgesehen</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/values_panel.py" />
      <source>lower is better</source>
      <translation>niedriger ist besser</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/statements.py" />
      <source>manifest.json and report.html in a release folder hold such figures, the number of users among them: hand out the tables alone</source>
      <translation>manifest.json und report.html in einem Freigabeordner enthalten solche Zahlen, darunter die Zahl der Nutzer: Geben Sie nur die Tabellen heraus</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/unbundling_params.py" />
      <source>many topics</source>
      <translation>viele Themen</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_report.py" />
      <source>margin to the second best (median of the group's ends)</source>
      <translation>Vorsprung vor dem zweitbesten (Mitte der Gruppengrenzen)</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/entity_views.py" />
      <source>marking what is recovered</source>
      <translation>Wiedergefundenes wird markiert</translation>
    </message>
    <message>
      <location filename="../../auditor/log/bundles.py" />
      <source>masking addresses</source>
      <translation>Adressen werden maskiert</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/unbundling_params.py" />
      <source>masks</source>
      <translation>Masken</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/unbundling_params.py" />
      <source>masks, learning too</source>
      <translation>Masken, auch lernend</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_report.py" />
      <source>matchable set</source>
      <translation>auffindbare Menge</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_update.py" />
      <source>matching</source>
      <translation>Zuordnen</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_update.py" />
      <source>matching at least cost</source>
      <translation>Zuordnen mit geringsten Kosten</translation>
    </message>
    <message>
      <location filename="../../auditor/privacy/bundle_matching.py" />
      <source>matching the release's rows</source>
      <translation>Zeilen der Freigabe werden zugeordnet</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/explain_counts.py" />
      <source>may hold it</source>
      <translation>kann sie enthalten</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/information_loss.py" />
      <source>mean</source>
      <translation>Mittel</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/profile_exposure.py" />
      <source>mean (%)</source>
      <translation>Mittel (%)</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/profile_exposure.py" />
      <source>mean PEL</source>
      <translation>mittlerer PEL</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/microaggregation_groups.py" />
      <source>mean distance</source>
      <translation>mittlerer Abstand</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/information_loss.py" />
      <source>mean over users</source>
      <translation>Mittel über Nutzer</translation>
    </message>
    <message>
      <location filename="../../auditor" />
      <source>mean queries</source>
      <translation>Anfragen im Mittel</translation>
    </message>
    <message>
      <location filename="../../auditor" />
      <source>mean queries 100</source>
      <translation>Anfragen im Mittel ab 100</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/frequencies.py" />
      <source>mean relative error of counts over {0}</source>
      <translation>mittlerer relativer Fehler der Anzahlen über {0*}</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/similarity.py" />
      <source>mean similarity of all pairs of users, {0}</source>
      <translation>mittlere Ähnlichkeit aller Nutzerpaare, {0*}</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/similarity.py" />
      <source>mean similarity to the {0#} nearest others</source>
      <translation>mittlere Ähnlichkeit zu den {0#} nächsten anderen</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/similarity.py" />
      <source>mean similarity to the {0#} nearest others, {1}</source>
      <translation>mittlere Ähnlichkeit zu den {0#} nächsten anderen, {1*}</translation>
    </message>
    <message>
      <location filename="../../auditor" />
      <source>mean users</source>
      <translation>Nutzer im Mittel</translation>
    </message>
    <message>
      <location filename="../../auditor" />
      <source>mean users 100</source>
      <translation>Nutzer im Mittel ab 100</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_tables.py" />
      <source>means nothing here</source>
      <translation>bedeutet hier nichts</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/profile_exposure.py" />
      <source>measure</source>
      <translation>Maß</translation>
    </message>
    <message>
      <location filename="../../auditor/log/bundles.py" />
      <source>measuring bundles</source>
      <translation>Bündel werden gemessen</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_scores.py" />
      <source>measuring fibers</source>
      <translation>Fasern werden gemessen</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/entity_views.py" />
      <source>measuring what is recovered</source>
      <translation>Wiedergefundenes wird gemessen</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/frequencies.py" />
      <source>median relative error of counts over {0} that both have</source>
      <translation>medianer relativer Fehler der Anzahlen über {0*}, die beide haben</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/statements.py" />
      <source>members of a group differ</source>
      <translation>Mitglieder einer Gruppe unterscheiden sich</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/microaggregation_outlook.py" />
      <source>memory, about</source>
      <translation>Speicher, etwa</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/user_clustering.py" />
      <source>merged list</source>
      <translation>zusammengeführte Liste</translation>
    </message>
    <message>
      <location filename="../../auditor/log/aggregation.py" />
      <source>merging queries</source>
      <translation>Anfragen werden zusammengeführt</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/beeferman_berger.py" />
      <source>merging queries and pages</source>
      <translation>Anfragen und Seiten werden verschmolzen</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/retrieval_report.py" />
      <source>metric</source>
      <translation>Kennzahl</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/wizard_intent.py" />
      <source>microseconds since 1970</source>
      <translation>Mikrosekunden seit 1970</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/wizard_intent.py" />
      <source>milliseconds since 1970</source>
      <translation>Millisekunden seit 1970</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/entities.py" />
      <source>min</source>
      <translation>min</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/retrieval_metrics.py" />
      <source>missing {0}</source>
      <translation>fehlt: {0*}</translation>
    </message>
    <message>
      <location filename="../../auditor" />
      <source>more</source>
      <translation>mehr</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_scores.py" />
      <source>more frequent half</source>
      <translation>häufigere Hälfte</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/entities.py" />
      <source>more names</source>
      <translation>mehr Namen</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/surviving_content.py" />
      <source>more names flagged</source>
      <translation>mehr Namen gemeldet</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/vanity_params.py" />
      <source>more people</source>
      <translation>mehr Menschen</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/geo_vanity.py" />
      <source>more places</source>
      <translation>mehr Orte</translation>
    </message>
    <message>
      <location filename="../../auditor/log/bundles.py" />
      <source>more private</source>
      <translation>besser geschützt</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/entities.py" />
      <source>more private names</source>
      <translation>mehr private Namen</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/set_union.py" />
      <source>more queries</source>
      <translation>mehr Anfragen</translation>
    </message>
    <message>
      <location filename="../../auditor/log/mapping.py" />
      <source>more than one column</source>
      <translation>mehr als eine Spalte</translation>
    </message>
    <message>
      <location filename="../../auditor/log/interning.py" />
      <source>more than two thousand million distinct strings</source>
      <translation>mehr als zwei Milliarden verschiedene Zeichenfolgen</translation>
    </message>
    <message>
      <location filename="../../auditor/log/bundles.py" />
      <source>more useful</source>
      <translation>nützlicher</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/structural.py" />
      <source>more users</source>
      <translation>mehr Nutzer</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/site_clustering.py" />
      <source>most clicked web sites of the log that are those of the release</source>
      <translation>meistgeklickte Websites des Protokolls, die auch die der Freigabe sind</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/next_query.py" />
      <source>most frequent released queries</source>
      <translation>häufigste freigegebene Anfragen</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_findings.py" />
      <source>most of what she asked in the bundle, recovered as one fiber</source>
      <translation>das meiste, was sie im Bündel fragte, als eine Faser wiedergefunden</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/k_delta_points.py" />
      <source>most searches</source>
      <translation>meiste Suchen</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/dp_audit_report.py" />
      <source>most that sampling could show</source>
      <translation>meistes, das Stichproben zeigen konnten</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/k_delta_edit.py" />
      <source>moving towards representatives</source>
      <translation>Annähern an Vertreter</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_report.py" />
      <source>n</source>
      <translation>n</translation>
    </message>
    <message>
      <location filename="../../auditor" />
      <source>name</source>
      <translation>Name</translation>
    </message>
    <message>
      <location filename="../../auditor/release/policy_edit.py" />
      <source>name = {0}</source>
      <translation>name = {0}</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/entity_report.py" />
      <source>name and place</source>
      <translation>Name und Ort</translation>
    </message>
    <message>
      <location filename="../../auditor/release/approve.py" />
      <source>named at the approval</source>
      <translation>bei der Genehmigung genannt</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/vanity_params.py" />
      <source>names</source>
      <translation>Namen</translation>
    </message>
    <message>
      <location filename="../../auditor/release/ledger.py" />
      <source>names an entry that the ledger does not hold (its end was cut off): {0}</source>
      <translation>nennt einen Eintrag, den das Freigabebuch nicht enthält (sein Ende wurde abgeschnitten): {0}</translation>
    </message>
    <message>
      <location filename="../../auditor/release/ledger.py" />
      <source>names another entry {0}: the ledger was written anew from there or before</source>
      <translation>nennt einen anderen Eintrag {0}: Das Freigabebuch wurde ab dort oder früher neu geschrieben</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/names.py" />
      <source>names in profiles</source>
      <translation>Namen in Profilen</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/names.py" />
      <source>names in userids</source>
      <translation>Namen in Kennungen</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/vanity_report.py" />
      <source>names looked at, the weightiest first</source>
      <translation>angesehene Namen, die gewichtigsten zuerst</translation>
    </message>
    <message>
      <location filename="../../auditor/release/ledger.py" />
      <source>names no entry of a ledger</source>
      <translation>nennt keinen Eintrag eines Freigabebuchs</translation>
    </message>
    <message>
      <location filename="../../auditor/release/policy.py" />
      <source>names the figure '{0}', which no run has</source>
      <translation>nennt die Kennzahl '{0}', die kein Lauf hat</translation>
    </message>
    <message>
      <location filename="../../auditor/release/policy.py" />
      <source>names the reason '{0}', which no attack gives</source>
      <translation>nennt den Grund '{0}', den kein Angriff liefert</translation>
    </message>
    <message>
      <location filename="../../auditor/release/policy.py" />
      <source>names the {0} '{1}', which does not exist</source>
      <translation>nennt '{1}', das es nicht gibt ({0})</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fibers.py" />
      <source>naming fibers</source>
      <translation>Fasern werden benannt</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_topics.py" />
      <source>naming topics</source>
      <translation>Themen werden benannt</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/wizard_intent.py" />
      <source>nanoseconds since 1970</source>
      <translation>Nanosekunden seit 1970</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/linkage.py" />
      <source>narrow interval</source>
      <translation>enges Intervall</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/unbundling.py" />
      <source>near O(words of the queries); candidates of the pairs in a bundle where it learns</source>
      <translation>nahe O(Wörter der Anfragen); Kandidaten der Paare im Bündel, wo es lernt</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_params.py" />
      <source>nearest first</source>
      <translation>nächste zuerst</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/similarity.py" />
      <source>nearest others</source>
      <translation>nächste andere</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/k_delta_common.py" />
      <source>nearest others is </source>
      <translation>nächsten anderen ist </translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_update.py" />
      <source>nearest tokens</source>
      <translation>nächste Wörter</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/user_clustering.py" />
      <source>nearest user</source>
      <translation>nächster Nutzer</translation>
    </message>
    <message>
      <location filename="../../auditor/release/policy.py" />
      <source>needs 'most' or 'least'</source>
      <translation>braucht 'most' oder 'least'</translation>
    </message>
    <message>
      <location filename="../../auditor/release/policy.py" />
      <source>needs a finite number as {0}</source>
      <translation>braucht eine endliche Zahl als {0}</translation>
    </message>
    <message>
      <location filename="../../auditor/release/policy.py" />
      <source>needs a list of texts as reasons</source>
      <translation>braucht eine Liste von Texten als reasons</translation>
    </message>
    <message>
      <location filename="../../auditor/release/policy.py" />
      <source>needs a name of small letters, digits and hyphens</source>
      <translation>braucht einen Namen aus Kleinbuchstaben, Ziffern und Bindestrichen</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/linkage_truth.py" />
      <source>needs a release</source>
      <translation>benötigt eine Freigabe</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/bundle_view.py" />
      <source>needs a release by bundling, or the log alone: this release holds no bundles</source>
      <translation>benötigt eine Freigabe durch Bündelung oder das Protokoll allein: Diese Freigabe enthält keine Bündel</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/bundle_sizes.py" />
      <source>needs a release by bundling: others hold no bundles</source>
      <translation>benötigt eine Freigabe durch Bündelung: Andere enthalten keine Bündel</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_truth.py" />
      <source>needs a release that is a log, not tables</source>
      <translation>benötigt eine Freigabe, die ein Protokoll ist, keine Tabellen</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/linkage_truth.py" />
      <source>needs a release that is a log: tables hold no records of users</source>
      <translation>benötigt eine Freigabe, die ein Protokoll ist: Tabellen enthalten keine Datensätze von Nutzern</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_truth.py" />
      <source>needs a release whose words are hashed; these can be read</source>
      <translation>benötigt eine Freigabe, deren Wörter gehasht sind; diese sind lesbar</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/dp_audit.py" />
      <source>needs a release, to know the method and its parameters</source>
      <translation>benötigt eine Freigabe, um Verfahren und Parameter zu kennen</translation>
    </message>
    <message>
      <location filename="../../auditor/release/policy.py" />
      <source>needs a text as {0}</source>
      <translation>braucht einen Text als {0}</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/geo_vanity.py" />
      <source>needs homes: the profiles have no column 'zip'</source>
      <translation>benötigt Wohnorte: Die Profile haben keine Spalte 'zip'</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/names_profiles.py" />
      <source>needs names: the profiles have no column 'userid' or 'name'</source>
      <translation>benötigt Namen: Die Profile haben keine Spalte 'userid' oder 'name'</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/names_profiles.py" />
      <source>needs profiles (user, userid, name): the log's user ids carry no names</source>
      <translation>benötigt Profile (user, userid, name): Die Nutzerkennungen des Protokolls enthalten keine Namen</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/linkage_truth.py" />
      <source>needs rows on either side: there is nothing to link</source>
      <translation>benötigt Zeilen auf beiden Seiten: Es gibt nichts zu verknüpfen</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/bundle_view.py" />
      <source>needs rows: the log is empty</source>
      <translation>benötigt Zeilen: Das Protokoll ist leer</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/dp_audit.py" />
      <source>needs the method and its parameters, which this release does not name</source>
      <translation>benötigt Verfahren und Parameter, die diese Freigabe nicht nennt</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/linkage_truth.py" />
      <source>needs two records at least: here all rows stand under one id</source>
      <translation>benötigt mindestens zwei Datensätze: Hier stehen alle Zeilen unter einer Kennung</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/base.py" />
      <source>needs {0}</source>
      <translation>benötigt {0*}</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/bundling.py" />
      <source>neighbours on the network are strangers</source>
      <translation>Nachbarn im Netz sind Fremde</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_params.py" />
      <source>never</source>
      <translation>nie</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/dp_audit_logs.py" />
      <source>new order of queries</source>
      <translation>neue Reihenfolge von Anfragen</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/next_query.py" />
      <source>next query among 10 told, steps found</source>
      <translation>nächste Anfrage unter 10 genannten, gefundene Schritte</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/next_query.py" />
      <source>next query among 10 told, within the release</source>
      <translation>nächste Anfrage unter 10 genannten, innerhalb der Freigabe</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/next_query.py" />
      <source>next query among {0} told, all steps</source>
      <translation>nächste Anfrage unter {0} genannten, alle Schritte</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/next_query.py" />
      <source>next query told, all steps</source>
      <translation>nächste Anfrage vorhergesagt, alle Schritte</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/dp_audit_summary.py" />
      <source>no claim</source>
      <translation>keine Behauptung</translation>
    </message>
    <message>
      <location filename="../../auditor/log/mapping.py" />
      <source>no column</source>
      <translation>keine Spalte</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/safelog_statement.py" />
      <source>no data-dependent cleaning</source>
      <translation>keine datenabhängige Bereinigung</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/dp_audit_summary.py" />
      <source>no finite claim</source>
      <translation>keine endliche Behauptung</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/dp_audit_summary.py" />
      <source>no finite number</source>
      <translation>keine endliche Zahl</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/dp_audit_report.py" />
      <source>no finite ε</source>
      <translation>kein endliches ε</translation>
    </message>
    <message>
      <location filename="../../auditor/privacy/statement.py" />
      <source>no formal guarantee</source>
      <translation>keine formale Garantie</translation>
    </message>
    <message>
      <location filename="../../auditor/release/ledger_totals.py" />
      <source>no formal guarantee that adds up: </source>
      <translation>keine formale Garantie, die sich summiert: </translation>
    </message>
    <message>
      <location filename="../../auditor/release/ledger_totals.py" />
      <source>no formal guarantee that adds up: {0}</source>
      <translation>keine formale Garantie, die sich summiert: {0*}</translation>
    </message>
    <message>
      <location filename="../../auditor/release/ledger_totals.py" />
      <source>no noise</source>
      <translation>kein Rauschen</translation>
    </message>
    <message>
      <location filename="../../auditor/release/signing.py" />
      <source>no object</source>
      <translation>kein Objekt</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/statements.py" />
      <source>no other release</source>
      <translation>keine andere Freigabe</translation>
    </message>
    <message>
      <location filename="../../auditor/release/ledger_totals.py" />
      <source>no release of this log has a guarantee that adds up</source>
      <translation>keine Freigabe dieses Protokolls hat eine Garantie, die sich summiert</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/k_delta_common.py" />
      <source>no string gives a person away</source>
      <translation>keine Zeichenfolge verrät eine Person</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/statements.py" />
      <source>no table of the release holds a time; a service that lets others start runs shows how long they take</source>
      <translation>keine Tabelle der Freigabe enthält eine Zeit; ein Dienst, der andere Läufe starten lässt, zeigt, wie lange sie dauern</translation>
    </message>
    <message>
      <location filename="../../auditor/release/signing.py" />
      <source>no text</source>
      <translation>kein Text</translation>
    </message>
    <message>
      <location filename="../../auditor/release/ledger_totals.py" />
      <source>no total</source>
      <translation>keine Summe</translation>
    </message>
    <message>
      <location filename="../../auditor/privacy/records.py" />
      <source>no user of the log is in the release</source>
      <translation>kein Nutzer des Protokolls ist in der Freigabe</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/explaining.py" />
      <source>no value from {0#} to {1#} changes it</source>
      <translation>kein Wert von {0#} bis {1#} ändert es</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/explaining.py" />
      <source>no value in its bounds changes it</source>
      <translation>kein Wert in seinen Grenzen ändert es</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/k_delta_explain.py" />
      <source>no value of it brings in a query that nobody asked</source>
      <translation>kein Wert davon bringt eine Anfrage hinein, die niemand stellte</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/dp_audit_summary.py" />
      <source>no ε holds</source>
      <translation>kein ε gilt</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/bundling.py" />
      <source>nobody dominates a bundle</source>
      <translation>niemand beherrscht ein Bündel</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/statements.py" />
      <source>nobody watches the clock</source>
      <translation>niemand sieht auf die Uhr</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_distance.py" />
      <source>node-start distances</source>
      <translation>Abstände von Knotenanfängen</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/outlook.py" />
      <source>noise</source>
      <translation>Rauschen</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/set_union.py" />
      <source>noise of a count</source>
      <translation>Rauschen einer Anzahl</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/set_union.py" />
      <source>noise of its number of users</source>
      <translation>Rauschen ihrer Nutzerzahl</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/outlook.py" />
      <source>noise of the selection (b)</source>
      <translation>Rauschen der Auswahl (b)</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/zealous.py" />
      <source>noise λ</source>
      <translation>Rauschen λ</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/set_union.py" />
      <source>noise σ</source>
      <translation>Rauschen σ</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/entity_report.py" />
      <source>non-star name</source>
      <translation>unbekannter Name</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/reasons.py" />
      <source>non-star name and a company</source>
      <translation>unbekannter Name und eine Firma</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/entity_report.py" />
      <source>non-star name and a company name</source>
      <translation>unbekannter Name und ein Firmenname</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/reasons.py" />
      <source>non-star name and a place</source>
      <translation>unbekannter Name und ein Ort</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/entity_report.py" />
      <source>non-star name and a place name</source>
      <translation>unbekannter Name und ein Ortsname</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/entity_report.py" />
      <source>non-star name and a revealing term</source>
      <translation>unbekannter Name und ein verräterischer Begriff</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/entity_report.py" />
      <source>non-star name and adult term</source>
      <translation>unbekannter Name und sexueller Begriff</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/entity_report.py" />
      <source>non-star name and an adult term</source>
      <translation>unbekannter Name und ein sexueller Begriff</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/entity_report.py" />
      <source>non-star name and company</source>
      <translation>unbekannter Name und Firma</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/entity_report.py" />
      <source>non-star name and place</source>
      <translation>unbekannter Name und Ort</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/entity_report.py" />
      <source>non-star name and revealing term</source>
      <translation>unbekannter Name und verräterischer Begriff</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_params.py" />
      <source>none</source>
      <translation>keine</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/dp_audit_report.py" />
      <source>none holds</source>
      <translation>keines gilt</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/dp_audit_report.py" />
      <source>none stood out</source>
      <translation>keines fiel auf</translation>
    </message>
    <message>
      <location filename="../../auditor/release/manifest.py" />
      <source>not a regular file</source>
      <translation>keine gewöhnliche Datei</translation>
    </message>
    <message>
      <location filename="../../auditor/release/signing.py" />
      <source>not as it is written</source>
      <translation>nicht, wie es geschrieben wurde</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/dp_audit_summary.py" />
      <source>not audited</source>
      <translation>nicht geprüft</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/token_hashing_explain.py" />
      <source>not in the log</source>
      <translation>nicht im Protokoll</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/style.py" />
      <source>not known</source>
      <translation>nicht bekannt</translation>
    </message>
    <message>
      <location filename="../../auditor/release/gates.py" />
      <source>not measured</source>
      <translation>nicht gemessen</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/dp_audit_summary.py" />
      <source>not refuted</source>
      <translation>nicht widerlegt</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/trends.py" />
      <source>not released</source>
      <translation>nicht freigegeben</translation>
    </message>
    <message>
      <location filename="../../auditor/release/ledger_totals.py" />
      <source>not said</source>
      <translation>nicht gesagt</translation>
    </message>
    <message>
      <location filename="../../auditor/release/answer.py" />
      <source>not set</source>
      <translation>nicht gesetzt</translation>
    </message>
    <message>
      <location filename="../../auditor/params.py" />
      <source>not used</source>
      <translation>nicht verwendet</translation>
    </message>
    <message>
      <location filename="../../auditor/release/policy_edit.py" />
      <source>note = {0}</source>
      <translation>note = {0}</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/dp_audit_report.py" />
      <source>nothing above {0#} can be shown</source>
      <translation>nichts über {0#} lässt sich zeigen</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/dp_audit_verdict.py" />
      <source>nothing claimed</source>
      <translation>nichts behauptet</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/bundling.py" />
      <source>nothing in common but chance</source>
      <translation>nichts Gemeinsames außer dem Zufall</translation>
    </message>
    <message>
      <location filename="../../auditor/release/ledger_totals.py" />
      <source>nothing released yet</source>
      <translation>noch nichts freigegeben</translation>
    </message>
    <message>
      <location filename="../../auditor/log/bundles.py" />
      <source>numbering bundles</source>
      <translation>Bündel werden nummeriert</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/k_delta_edit.py" />
      <source>numbering events</source>
      <translation>Ereignisse werden nummeriert</translation>
    </message>
    <message>
      <location filename="../../auditor/log/spilled.py" />
      <source>numbering strings</source>
      <translation>Zeichenfolgen werden nummeriert</translation>
    </message>
    <message>
      <location filename="../../auditor/log/text.py" />
      <source>numbering tokens</source>
      <translation>Wörter werden nummeriert</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/token_hashing.py" />
      <source>occurrences</source>
      <translation>Vorkommen</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/information_loss.py" />
      <source>of</source>
      <translation>von</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_plots.py" />
      <source>of a heavy user's queries, share in one fiber (recall)</source>
      <translation>Anteil der Anfragen eines starken Nutzers in einer Faser (Trefferquote)</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_report.py" />
      <source>of a heavy user's queries, those in the fiber of one</source>
      <translation>von den Anfragen eines starken Nutzers die in einer Faser</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_pairs.py" />
      <source>of one user</source>
      <translation>eines Nutzers</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/outlook.py" />
      <source>of query volume</source>
      <translation>der Anfragen</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_plots.py" />
      <source>of that fiber, share that is hers (precision)</source>
      <translation>Anteil dieser Faser, der ihm gehört (Genauigkeit)</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/structural_report.py" />
      <source>of the heavy users, %</source>
      <translation>der starken Nutzer, %</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/structural_report.py" />
      <source>of the heavy users, % </source>
      <translation>der starken Nutzer, % </translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_report.py" />
      <source>of the less frequent half</source>
      <translation>von der selteneren Hälfte</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_report.py" />
      <source>of the more frequent half</source>
      <translation>von der häufigeren Hälfte</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/structural_report.py" />
      <source>of the places, %</source>
      <translation>der Orte, %</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_report.py" />
      <source>of the queries in that fiber, those that are hers</source>
      <translation>von den Anfragen dieser Faser seine eigenen</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/vanity_report.py" />
      <source>of them, those who ask for their own name</source>
      <translation>davon die, die nach dem eigenen Namen suchen</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/geo_vanity_report.py" />
      <source>of them, those who ask most for the region of their home</source>
      <translation>davon die, die am meisten nach ihrer Wohngegend fragen</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/volume.py" />
      <source>of these in the release</source>
      <translation>davon in der Freigabe</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/entity_report.py" />
      <source>of those the attacker believes to see</source>
      <translation>davon, was der Angreifer zu sehen glaubt</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/structural.py" />
      <source>of {0#} bundles of {1#} queries or more, those in which one user asked {2#} % or more</source>
      <translation>von {0#} Bündeln mit {1#} oder mehr Anfragen die, in denen ein Nutzer {2#} % oder mehr stellte</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/bundle_sizes.py" />
      <source>of {0#} queries or more</source>
      <translation>mit {0#} oder mehr Anfragen</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/geo_vanity.py" />
      <source>of {0#} users whose home is known, those who ask {1} for a place that shares {2} digits with it</source>
      <translation>von {0#} Nutzern mit bekanntem Wohnort die, die {1*} nach einem Ort fragen, der {2} Ziffern mit ihm teilt</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/vanity.py" />
      <source>of {0#} users whose name is known, those whose bundle comes first by it</source>
      <translation>von {0#} Nutzern mit bekanntem Namen die, deren Bündel danach zuerst kommt</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/vanity.py" />
      <source>of {0#} users whose name is known, those whose session comes first by it</source>
      <translation>von {0#} Nutzern mit bekanntem Namen die, deren Sitzung danach zuerst kommt</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/linkage.py" />
      <source>of {0#} users, those whose record is the closest to what is known</source>
      <translation>von {0#} Nutzern die, deren Datensatz dem Bekannten am nächsten ist</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/korolova.py" />
      <source>on every clicked page</source>
      <translation>auf jede geklickte Seite</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/korolova.py" />
      <source>on public results</source>
      <translation>auf öffentliche Ergebnisse</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/geo_vanity_report.py" />
      <source>once or more</source>
      <translation>einmal oder öfter</translation>
    </message>
    <message>
      <location filename="../../auditor/log/mapping.py" />
      <source>one ASCII character, no quote or line end</source>
      <translation>ein ASCII-Zeichen, kein Anführungszeichen oder Zeilenende</translation>
    </message>
    <message>
      <location filename="../../auditor/log/mapping.py" />
      <source>one of </source>
      <translation>eines von </translation>
    </message>
    <message>
      <location filename="../../auditor/log/mapping.py" />
      <source>one of {0}</source>
      <translation>eines von {0}</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/microaggregation.py" />
      <source>one person, one user id</source>
      <translation>eine Person, eine Nutzerkennung</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/frequency_threshold.py" />
      <source>one query string</source>
      <translation>ein Anfragetext</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/dp_audit_trials.py" />
      <source>one run with {0#} users who may be there</source>
      <translation>ein Lauf mit {0#} möglichen Nutzern</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_report.py" />
      <source>one update of the true mapping</source>
      <translation>eine Aktualisierung der wahren Zuordnung</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/bundling.py" />
      <source>one user's id, cookie and address</source>
      <translation>Kennung, Cookie und Adresse eines Nutzers</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/k_delta_common.py" />
      <source>one user's shares of queries by cluster</source>
      <translation>die Anteile der Anfragen eines Nutzers je Cluster</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/statements.py" />
      <source>one user's whole history</source>
      <translation>der ganze Verlauf eines Nutzers</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/microaggregation.py" />
      <source>one user's whole history, as a record</source>
      <translation>der ganze Verlauf eines Nutzers, als Datensatz</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_evidence.py" />
      <source>one within the other</source>
      <translation>eine in der anderen</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/token_hashing.py" />
      <source>one word</source>
      <translation>ein Wort</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_report.py" />
      <source>oracle bound</source>
      <translation>Orakelschranke</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/token_hashing.py" />
      <source>order is kept; it tells first from last names and phrases from their parts</source>
      <translation>die Reihenfolge bleibt; sie unterscheidet Vor- von Nachnamen und Wendungen von ihren Teilen</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/bundling.py" />
      <source>ordering rows</source>
      <translation>Zeilen werden geordnet</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_topics.py" />
      <source>ordering words</source>
      <translation>Wörter werden geordnet</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/retrieval_report.py" />
      <source>original, all test queries</source>
      <translation>Original, alle Prüfanfragen</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/retrieval_report.py" />
      <source>original, released queries</source>
      <translation>Original, freigegebene Anfragen</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_params.py" />
      <source>other users</source>
      <translation>andere Nutzer</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/token_hashing_explain.py" />
      <source>others as frequent</source>
      <translation>andere, gleich häufige</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/k_delta_common.py" />
      <source>others whose shares of every query cluster are </source>
      <translation>andere, deren Anteile jedes Anfragenclusters </translation>
    </message>
    <message>
      <location filename="../../auditor/methods/k_delta_common.py" />
      <source>others whose shares of every query cluster are within {0#} of hers, {1#} of them exactly the same. </source>
      <translation>andere neben sich, deren Anteile jedes Anfragenclusters innerhalb von {0#} liegen, bei {1#} davon genau dieselben. </translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/dp_audit_logs.py" />
      <source>others, by her lifting</source>
      <translation>andere, durch ihr Heben</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/linkage.py" />
      <source>overlap</source>
      <translation>Überlappung</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/vanity_report.py" />
      <source>own name among the {0} weightiest of a {1}</source>
      <translation>eigener Name unter den {0} gewichtigsten ({1*})</translation>
    </message>
    <message>
      <location filename="../../auditor" />
      <source>own name the weightiest of a bundle</source>
      <translation>eigener Name der gewichtigste eines Bündels</translation>
    </message>
    <message>
      <location filename="../../auditor" />
      <source>own name the weightiest of a session</source>
      <translation>eigener Name der gewichtigste einer Sitzung</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/vanity.py" />
      <source>own names</source>
      <translation>eigene Namen</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/retrieval_report.py" />
      <source>p</source>
      <translation>p</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/structural_values.py" />
      <source>p(x) falls as x to the power of −{0#} from {1#} queries on, which {2#} % of users reach; the distribution functions differ by at most {3#}.</source>
      <translation>p(x) fällt wie x hoch −{0#} ab {1#} Anfragen, die {2#} % der Nutzer erreichen; die Verteilungsfunktionen unterscheiden sich um höchstens {3#}.</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/retrieval_report.py" />
      <source>p, all</source>
      <translation>p, alle</translation>
    </message>
    <message>
      <location filename="../../auditor/privacy/accounting.py" />
      <source>p_g must be in [0, 1], not {0#}</source>
      <translation>p_g muss in [0, 1] liegen, nicht {0#}</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/dp_audit_logs.py" />
      <source>page only she clicked</source>
      <translation>Seite, die nur sie klickte</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/dp_audit_logs.py" />
      <source>page {0}</source>
      <translation>Seite {0}</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/site_clustering.py" />
      <source>pages</source>
      <translation>Seiten</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/korolova.py" />
      <source>pages are public</source>
      <translation>Seiten sind öffentlich</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_alignment.py" />
      <source>pairing queries</source>
      <translation>Anfragen werden gepaart</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_alignment.py" />
      <source>pairing rows</source>
      <translation>Zeilen werden gepaart</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_variants.py" />
      <source>pairs judged by a tree</source>
      <translation>Paare, von einem Baum beurteilt</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_pairs.py" />
      <source>pairs of queries</source>
      <translation>Anfragepaare</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_report.py" />
      <source>pairs of queries on which both disagree</source>
      <translation>Anfragepaare, bei denen beide uneins sind</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/statements.py" />
      <source>parameters chosen blindly</source>
      <translation>Parameter blind gewählt</translation>
    </message>
    <message>
      <location filename="../../auditor/engine/events.py" />
      <source>part</source>
      <translation>Teil</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_confidence.py" />
      <source>parts of the reference's users</source>
      <translation>Teile der Nutzer des Vergleichsprotokolls</translation>
    </message>
    <message>
      <location filename="../../auditor" />
      <source>passed</source>
      <translation>erfüllt</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/kinds.py" />
      <source>payment card</source>
      <translation>Zahlungskarte</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/vanity_report.py" />
      <source>people not in the log for whose name somebody asks</source>
      <translation>Personen außerhalb des Protokolls, nach deren Namen jemand sucht</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/similarity.py" />
      <source>per user</source>
      <translation>je Nutzer</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/kinds.py" />
      <source>person name</source>
      <translation>Personenname</translation>
    </message>
    <message>
      <location filename="../../auditor/engine/events.py" />
      <source>phase</source>
      <translation>Phase</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/kinds.py" />
      <source>phone number</source>
      <translation>Telefonnummer</translation>
    </message>
    <message>
      <location filename="../../auditor" />
      <source>place</source>
      <translation>Ort</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/structural_findings.py" />
      <source>place that one user of a bundle alone asks for</source>
      <translation>Ort, nach dem im Bündel nur ein Nutzer fragt</translation>
    </message>
    <message>
      <location filename="../../auditor" />
      <source>places</source>
      <translation>Orte</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/structural_report.py" />
      <source>places handed out at random</source>
      <translation>Orte zufällig verteilt</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/structural_report.py" />
      <source>places in a bundle</source>
      <translation>Orte in einem Bündel</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/structural_values.py" />
      <source>places of a bundle that one user alone asked for</source>
      <translation>Orte eines Bündels, nach denen nur ein Nutzer fragte</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/structural_report.py" />
      <source>places of one user</source>
      <translation>Orte eines Nutzers</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/structural_whose.py" />
      <source>places that were asked for</source>
      <translation>Orte, nach denen gefragt wurde</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_variants.py" />
      <source>places, topics</source>
      <translation>Orte, Themen</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_variants.py" />
      <source>places, words</source>
      <translation>Orte, Wörter</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_variants.py" />
      <source>places, words, topics</source>
      <translation>Orte, Wörter, Themen</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/user_groups.py" />
      <source>placing the users left over</source>
      <translation>Übrige Nutzer werden eingeordnet</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_order.py" />
      <source>placing who follows whom</source>
      <translation>Wer auf wen folgt, wird eingeordnet</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/k_delta_edit.py" />
      <source>planning edits</source>
      <translation>Änderungen werden geplant</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/k_delta_outlook.py" />
      <source>planning what to add and suppress</source>
      <translation>Hinzufügen und Weglassen werden geplant</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/statements.py" />
      <source>pool from elsewhere</source>
      <translation>Vorrat von anderswo</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/safelog_statement.py" />
      <source>pool: {0}; a string that is not in it has p_g = 0 and no finite ε</source>
      <translation>Vorrat: {0*}; eine Zeichenfolge, die nicht darin ist, hat p_g = 0 und kein endliches ε</translation>
    </message>
    <message>
      <location filename="../../auditor" />
      <source>precision</source>
      <translation>Genauigkeit</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/bundling.py" />
      <source>preview: drawn from seeded randomness</source>
      <translation>Vorschau: mit Zufall aus einem Startwert gezogen</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/set_union.py" />
      <source>preview: seeded noise, which whoever has the seed can take away</source>
      <translation>Vorschau: Rauschen aus einem Startwert, das jeder entfernen kann, der ihn hat</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/token_hashing.py" />
      <source>preview: the key was drawn from seeded randomness</source>
      <translation>Vorschau: Der Schlüssel wurde mit Zufall aus einem Startwert gezogen</translation>
    </message>
    <message>
      <location filename="../../auditor" />
      <source>printed delta</source>
      <translation>gedrucktes delta</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/vanity_params.py" />
      <source>profile</source>
      <translation>Profil</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/microaggregation_outlook.py" />
      <source>profile exposure (PEL), mean</source>
      <translation>Preisgabe des Profils (PEL), Mittel</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/microaggregation_outlook.py" />
      <source>profile exposure by occurrences, mean</source>
      <translation>Preisgabe des Profils nach Vorkommen, Mittel</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/profile_exposure.py" />
      <source>profile exposure level (PEL), mean</source>
      <translation>Preisgabegrad des Profils (PEL), Mittel</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/profile_exposure.py" />
      <source>profile exposure level by occurrences, mean</source>
      <translation>Preisgabegrad des Profils nach Vorkommen, Mittel</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/profile_exposure.py" />
      <source>profile exposure level, 95th percentile</source>
      <translation>Preisgabegrad des Profils, 95. Perzentil</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/microaggregation_outlook.py" />
      <source>profile exposure, 95th percentile</source>
      <translation>Preisgabe des Profils, 95. Perzentil</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_update.py" />
      <source>proposing</source>
      <translation>Vorschläge</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/outlook.py" />
      <source>protects nobody: δ ≥ 1/users</source>
      <translation>schützt niemanden: δ ≥ 1/Nutzer</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_params.py" />
      <source>pruning</source>
      <translation>Aussondern</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_distance.py" />
      <source>pruning candidates</source>
      <translation>Kandidaten werden ausgesondert</translation>
    </message>
    <message>
      <location filename="../../auditor" />
      <source>pseudonymity</source>
      <translation>Pseudonymität</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/site_clustering.py" />
      <source>purity of clusters of web sites</source>
      <translation>Reinheit der Cluster von Websites</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/site_clustering.py" />
      <source>purity of clusters of web sites in the log</source>
      <translation>Reinheit der Cluster von Websites im Protokoll</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/site_clustering.py" />
      <source>purity of the same clusters under shuffled labels</source>
      <translation>Reinheit derselben Cluster bei gemischten Kategorien</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/token_hashing.py" />
      <source>putting hashes in place</source>
      <translation>Hashes werden eingesetzt</translation>
    </message>
    <message>
      <location filename="../../auditor/release/export.py" />
      <source>putting the release in place</source>
      <translation>Freigabe wird eingesetzt</translation>
    </message>
    <message>
      <location filename="../../auditor/log/loading.py" />
      <source>putting the rows together</source>
      <translation>Zeilen werden zusammengefügt</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/safelog.py" />
      <source>q_f from a wanted ε</source>
      <translation>q_f aus einem gewünschten ε</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/safelog_statement.py" />
      <source>q_f/b; 1 − (1 − P[X ≥ K − 1])^q_f with K = {0#}</source>
      <translation>q_f/b; 1 − (1 − P[X ≥ K − 1])^q_f mit K = {0#}</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/safelog_statement.py" />
      <source>q_f·ln α, α = max(e^(1/b)/p_g, …)</source>
      <translation>q_f·ln α, α = max(e^(1/b)/p_g, …)</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/korolova.py" />
      <source>q_f·ln α; exact δ of the threshold</source>
      <translation>q_f·ln α; genaues δ des Schwellenwerts</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/bundle_view.py" />
      <source>queries</source>
      <translation>Anfragen</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/k_delta_outlook.py" />
      <source>queries added and suppressed</source>
      <translation>hinzugefügte und entfallene Anfragen</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/k_delta_outlook.py" />
      <source>queries added and suppressed per user</source>
      <translation>hinzugefügte und entfallene Anfragen je Nutzer</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/linkage.py" />
      <source>queries and pages</source>
      <translation>Anfragen und Seiten</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/bundling.py" />
      <source>queries are released as they were typed; the attacks vanity and geo-vanity count those who asked for themselves</source>
      <translation>Anfragen werden freigegeben, wie sie eingegeben wurden; die Angriffe vanity und geo-vanity zählen, wer nach sich selbst suchte</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/k_delta_common.py" />
      <source>queries can be compared by clicks</source>
      <translation>Anfragen lassen sich nach Klicks vergleichen</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/bundling.py" />
      <source>queries don't say who asked</source>
      <translation>Anfragen sagen nicht, wer fragte</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/structural_report.py" />
      <source>queries given at random</source>
      <translation>Anfragen zufällig verteilt</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/bundle_sizes.py" />
      <source>queries of a bundle, mean</source>
      <translation>Anfragen eines Bündels, Mittel</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/bundle_sizes.py" />
      <source>queries of a bundle, most</source>
      <translation>Anfragen eines Bündels, höchstens</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/bundle_sizes.py" />
      <source>queries of a bundle, on average</source>
      <translation>Anfragen eines Bündels, im Mittel</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/structural_values.py" />
      <source>queries of a dominated bundle that are the dominant user's</source>
      <translation>Anfragen eines beherrschten Bündels, die der Beherrschende stellte</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/bundling.py" />
      <source>queries of one person share words and places: Jones et al. put bundles back together with F = 0.60; the attack unbundling measures it on this log</source>
      <translation>Anfragen einer Person teilen Wörter und Orte: Jones et al. setzten Bündel mit F = 0,60 wieder zusammen; der Angriff unbundling misst es an diesem Protokoll</translation>
    </message>
    <message>
      <location filename="../../auditor" />
      <source>queries of one user</source>
      <translation>Anfragen eines Nutzers</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/dp_audit_logs.py" />
      <source>queries on the edge</source>
      <translation>Anfragen an der Schwelle</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/microaggregation_outlook.py" />
      <source>queries themselves. Exposure hardly depends on it; a user's loss may be a quarter more.</source>
      <translation>die Anfragen selbst verglichen hat. Die Preisgabe hängt kaum davon ab; der Verlust eines Nutzers kann ein Viertel größer sein.</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/next_query.py" />
      <source>queries told (k)</source>
      <translation>genannte Anfragen (k)</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/geo_vanity_report.py" />
      <source>queries, at least</source>
      <translation>Anfragen, mindestens</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/structural_report.py" />
      <source>queries, mean of bundles</source>
      <translation>Anfragen, Mittel der Bündel</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/linkage.py" />
      <source>queries, pages and times</source>
      <translation>Anfragen, Seiten und Zeiten</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/korolova.py" />
      <source>queries, repeated ones too,</source>
      <translation>Anfragen, auch wiederholte,</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/wizard_intent.py" />
      <source>query</source>
      <translation>Anfrage</translation>
    </message>
    <message>
      <location filename="../../auditor" />
      <source>query clusters</source>
      <translation>Anfragencluster</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/korolova.py" />
      <source>query counts</source>
      <translation>Anfrageanzahlen</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/dp_audit_logs.py" />
      <source>query lifted to τ</source>
      <translation>auf τ gehobene Anfrage</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/similarity.py" />
      <source>query strings</source>
      <translation>Anfragetexte</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/dp_audit.py" />
      <source>quick</source>
      <translation>schnell</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_params.py" />
      <source>random</source>
      <translation>zufällig</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/frequency_threshold.py" />
      <source>random numbers</source>
      <translation>Zufallsnummern</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_report.py" />
      <source>random users</source>
      <translation>zufällige Nutzer</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/retrieval_report.py" />
      <source>random walk</source>
      <translation>Zufallswanderung</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/wizard_intent.py" />
      <source>rank</source>
      <translation>Rang</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/token_hashing_explain.py" />
      <source>rank by frequency</source>
      <translation>Rang nach Häufigkeit</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/frequencies.py" />
      <source>rank in the release</source>
      <translation>Rang in der Freigabe</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_report.py" />
      <source>rank of the hash, up to</source>
      <translation>Rang des Hashes, bis</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_update.py" />
      <source>ranking hashes</source>
      <translation>Hashes werden gereiht</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/next_query.py" />
      <source>ranking next queries</source>
      <translation>Nächste Anfragen werden gereiht</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/retrieval_walks.py" />
      <source>ranking pages</source>
      <translation>Seiten werden gereiht</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_update.py" />
      <source>ranking tokens</source>
      <translation>Wörter werden gereiht</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_features.py" />
      <source>ranking words</source>
      <translation>Wörter werden gereiht</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/frequencies.py" />
      <source>ranking {0}</source>
      <translation>Gereiht werden: {0*}</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/entities.py" />
      <source>rare words, too</source>
      <translation>auch seltene Wörter</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_evidence.py" />
      <source>rarest shared site</source>
      <translation>seltenste gemeinsame Website</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_evidence.py" />
      <source>rarest shared stem</source>
      <translation>seltenster gemeinsamer Stamm</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/k_delta_common.py" />
      <source>readers know that searches are borrowed</source>
      <translation>Leser wissen, dass Suchen geliehen sind</translation>
    </message>
    <message>
      <location filename="../../auditor/log/read.py" />
      <source>reading</source>
      <translation>Lesen</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_texts.py" />
      <source>reading clicked sites</source>
      <translation>Geklickte Websites werden gelesen</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/query_clusters.py" />
      <source>reading clicks</source>
      <translation>Klicks werden gelesen</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/vanity_counts.py" />
      <source>reading names in queries</source>
      <translation>Namen in Anfragen werden gelesen</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/names_profiles.py" />
      <source>reading profiles</source>
      <translation>Profile werden gelesen</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/korolova.py" />
      <source>reading public results</source>
      <translation>Öffentliche Ergebnisse werden gelesen</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/event_folds.py" />
      <source>reading strings</source>
      <translation>Zeichenfolgen werden gelesen</translation>
    </message>
    <message>
      <location filename="../../auditor/project/file.py" />
      <source>reading the project</source>
      <translation>Projekt wird gelesen</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_topics.py" />
      <source>reading the reference</source>
      <translation>Vergleichsprotokoll wird gelesen</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_texts.py" />
      <source>reading trigrams</source>
      <translation>Trigramme werden gelesen</translation>
    </message>
    <message>
      <location filename="../../auditor" />
      <source>recall</source>
      <translation>Trefferquote</translation>
    </message>
    <message>
      <location filename="../../auditor/release/ledger_sketch.py" />
      <source>recognising the log</source>
      <translation>Protokoll wird erkannt</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/linkage_report.py" />
      <source>record among a few as close</source>
      <translation>Datensatz unter wenigen gleich nahen</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/linkage_report.py" />
      <source>record among the five closest</source>
      <translation>Datensatz unter den fünf nächsten</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/linkage_report.py" />
      <source>record picked out</source>
      <translation>Datensatz herausgefunden</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/linkage.py" />
      <source>record-linkage {0}.</source>
      <translation>record-linkage {0*}.</translation>
    </message>
    <message>
      <location filename="../../auditor/privacy/records.py" />
      <source>records are of several users each</source>
      <translation>Datensätze sind je die mehrerer Nutzer</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/linkage_report.py" />
      <source>records in the release</source>
      <translation>Datensätze in der Freigabe</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/linkage_report.py" />
      <source>records looked at, closest first</source>
      <translation>angesehene Datensätze, nächste zuerst</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_update.py" />
      <source>reducing costs</source>
      <translation>Kosten werden gesenkt</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_report.py" />
      <source>reference events</source>
      <translation>Ereignisse des Vergleichsprotokolls</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/dp_audit_logs.py" />
      <source>regular {0}</source>
      <translation>regelmäßig {0}</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_topics.py" />
      <source>relating words</source>
      <translation>Wörter werden in Beziehung gesetzt</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/trends.py" />
      <source>release</source>
      <translation>Freigabe</translation>
    </message>
    <message>
      <location filename="../../auditor" />
      <source>release, held-out users</source>
      <translation>Freigabe, zurückgehaltene Nutzer</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/frequencies.py" />
      <source>released</source>
      <translation>freigegeben</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/volume.py" />
      <source>released click pairs</source>
      <translation>freigegebene Klickpaare</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/site_clustering.py" />
      <source>released clicks</source>
      <translation>freigegebene Klicks</translation>
    </message>
    <message>
      <location filename="../../auditor/engine/explaining.py" />
      <source>released count</source>
      <translation>freigegebene Anzahl</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/safelog_statement.py" />
      <source>released from {0#} noisy users on: a page of one user with a chance of {1} for all {2#} clicks of a user together</source>
      <translation>freigegeben ab {0#} verrauschten Nutzern: eine Seite eines Nutzers mit einer Wahrscheinlichkeit von {1} für alle {2#} Klicks eines Nutzers zusammen</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/outlook.py" />
      <source>released pool queries</source>
      <translation>freigegebene Anfragen des Vorrats</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/volume.py" />
      <source>released queries</source>
      <translation>freigegebene Anfragen</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/volume.py" />
      <source>released query counts</source>
      <translation>freigegebene Anfrageanzahlen</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/k_delta_outlook.py" />
      <source>released searches</source>
      <translation>freigegebene Suchen</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/microaggregation_outlook.py" />
      <source>released strings of one user only</source>
      <translation>freigegebene Zeichenfolgen nur eines Nutzers</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/volume.py" />
      <source>released transitions</source>
      <translation>freigegebene Übergänge</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/outlook.py" />
      <source>released transitions that never happened</source>
      <translation>freigegebene Übergänge, die nie stattfanden</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/retrieval_report.py" />
      <source>released, all test queries</source>
      <translation>Freigabe, alle Prüfanfragen</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/retrieval_report.py" />
      <source>released, released queries</source>
      <translation>Freigabe, freigegebene Anfragen</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/k_delta_outlook.py" />
      <source>released, the least alike</source>
      <translation>freigegeben, der unähnlichste</translation>
    </message>
    <message>
      <location filename="../../auditor" />
      <source>releases</source>
      <translation>Freigaben</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/frequency_threshold.py" />
      <source>renumbering users</source>
      <translation>Nutzer werden neu nummeriert</translation>
    </message>
    <message>
      <location filename="../../auditor/log/mapping.py" />
      <source>repeated header</source>
      <translation>wiederholte Kopfzeile</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/kinds.py" />
      <source>revealing term</source>
      <translation>verräterischer Begriff</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_evidence.py" />
      <source>rewrite probability</source>
      <translation>Wahrscheinlichkeit der Umformulierung</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_confidence.py" />
      <source>right</source>
      <translation>richtig</translation>
    </message>
    <message>
      <location filename="../../auditor/privacy/audit_bounds.py" />
      <source>right guesses ≤ guesses ≤ canaries must hold</source>
      <translation>richtig Geratene ≤ Geratene ≤ Prüfnutzer muss gelten</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/surviving_report.py" />
      <source>risk</source>
      <translation>Risiko</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/set_union.py" />
      <source>round</source>
      <translation>Runde</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/set_union.py" />
      <source>rounds</source>
      <translation>Runden</translation>
    </message>
    <message>
      <location filename="../../auditor/engine/explaining.py" />
      <source>rows</source>
      <translation>Zeilen</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/counting.py" />
      <source>rows (a query with n clicks is n)</source>
      <translation>Zeilen (eine Anfrage mit n Klicks zählt n)</translation>
    </message>
    <message>
      <location filename="../../auditor/project/results.py" />
      <source>rows as long as there are columns</source>
      <translation>Zeilen, so lang, wie es Spalten gibt</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/bundling.py" />
      <source>rows in the bundle</source>
      <translation>Zeilen im Bündel</translation>
    </message>
    <message>
      <location filename="../../auditor/engine/explaining.py" />
      <source>rows in the log</source>
      <translation>Zeilen im Protokoll</translation>
    </message>
    <message>
      <location filename="../../auditor/engine/explaining.py" />
      <source>rows in the release</source>
      <translation>Zeilen in der Freigabe</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/frequency_threshold.py" />
      <source>rows of one user no longer stand together, though times may still join them</source>
      <translation>Zeilen eines Nutzers stehen nicht mehr beisammen, wenn auch Zeiten sie noch verbinden können</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/token_hashing.py" />
      <source>rows of one user no longer stand under one id, though times may still join them</source>
      <translation>Zeilen eines Nutzers stehen nicht mehr unter einer Kennung, wenn auch Zeiten sie noch verbinden können</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/bundling.py" />
      <source>rows of the smallest of them</source>
      <translation>Zeilen des kleinsten davon</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/bundling.py" />
      <source>rows with it</source>
      <translation>Zeilen damit</translation>
    </message>
    <message>
      <location filename="../../auditor/engine/runner.py" />
      <source>run %d failed: %s at %s</source>
      <translation>run %d failed: %s at %s</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/style.py" />
      <source>running</source>
      <translation>läuft</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/dp_audit_trials.py" />
      <source>running the method on neighbouring logs</source>
      <translation>Das Verfahren läuft auf benachbarten Protokollen</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/dp_audit.py" />
      <source>runs</source>
      <translation>Läufe</translation>
    </message>
    <message>
      <location filename="../../auditor/project/codec.py" />
      <source>runs of different letters</source>
      <translation>Läufe mit verschiedenen Buchstaben</translation>
    </message>
    <message>
      <location filename="../../auditor/engine/plan.py" />
      <source>runs the method on parts of the log as well, and is left out of runs on more than {0#} rows unless it is named</source>
      <translation>führt das Verfahren auch auf Teilen des Protokolls aus und wird bei mehr als {0#} Zeilen ausgelassen, wenn es nicht genannt ist</translation>
    </message>
    <message>
      <location filename="../../auditor/engine/runner.py" />
      <source>runs the method on parts of the log as well, which took {0#} s on all of it, and was not named</source>
      <translation>führt das Verfahren auch auf Teilen des Protokolls aus, was für das ganze {0#} s dauerte, und war nicht genannt</translation>
    </message>
    <message>
      <location filename="../../auditor/engine/runner.py" />
      <source>runs the method on parts of the log, and one says: {0}</source>
      <translation>führt das Verfahren auf Teilen des Protokolls aus, und einer sagt: {0*}</translation>
    </message>
    <message>
      <location filename="../../auditor/engine/sweeping.py" />
      <source>s</source>
      <translation>s</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/geo_vanity.py" />
      <source>same neighbourhood</source>
      <translation>dieselbe Nachbarschaft</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/geo_vanity.py" />
      <source>same region</source>
      <translation>dieselbe Region</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/explain_counts.py" />
      <source>scale of the noise</source>
      <translation>Skala des Rauschens</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/linkage_report.py" />
      <source>search that gave the record away</source>
      <translation>Suche, die den Datensatz verriet</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/surviving_lists.py" />
      <source>searches</source>
      <translation>Suchen</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/counting.py" />
      <source>searches (distinct user, query and time)</source>
      <translation>Suchen (verschieden in Nutzer, Anfrage und Zeit)</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/similarity.py" />
      <source>searches added</source>
      <translation>hinzugekommene Suchen</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/surviving_lists.py" />
      <source>searches attributed to users who never made them</source>
      <translation>Suchen, die Nutzern zugeschrieben sind, die sie nie stellten</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/trends.py" />
      <source>searches in the log</source>
      <translation>Suchen im Protokoll</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/volume.py" />
      <source>searches in the release</source>
      <translation>Suchen in der Freigabe</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/trends.py" />
      <source>searches in {0} days</source>
      <translation>Suchen in {0} Tagen</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/linkage_report.py" />
      <source>searches known of a user</source>
      <translation>bekannte Suchen eines Nutzers</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/linkage_report.py" />
      <source>searches known of a user, on average</source>
      <translation>bekannte Suchen eines Nutzers, im Mittel</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/similarity.py" />
      <source>searches per user</source>
      <translation>Suchen je Nutzer</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/trends.py" />
      <source>searches released</source>
      <translation>freigegebene Suchen</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/similarity.py" />
      <source>searches suppressed</source>
      <translation>entfallene Suchen</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/volume.py" />
      <source>searches whose query is released</source>
      <translation>Suchen, deren Anfrage freigegeben ist</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/k_delta_outlook.py" />
      <source>searches {0} per user</source>
      <translation>{0*} Suchen je Nutzer</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_run.py" />
      <source>second best</source>
      <translation>zweitbestes</translation>
    </message>
    <message>
      <location filename="../../auditor/engine/events.py" />
      <source>seconds</source>
      <translation>Sekunden</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/wizard_intent.py" />
      <source>seconds since 1970</source>
      <translation>Sekunden seit 1970</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/dp_audit.py" />
      <source>seeded, of the same law</source>
      <translation>mit Startwert, nach demselben Gesetz</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/dp_audit.py" />
      <source>sees more</source>
      <translation>sieht mehr</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/korolova.py" />
      <source>selection</source>
      <translation>Auswahl</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/wizard_intent.py" />
      <source>semicolon  ;</source>
      <translation>Semikolon  ;</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/profile_exposure.py" />
      <source>sensitive ones only</source>
      <translation>nur heikle</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/profile_exposure.py" />
      <source>sensitive-aware privacy index (SPI), mean</source>
      <translation>heikelheitsbewusster Schutzindex (SPI), Mittel</translation>
    </message>
    <message>
      <location filename="../../auditor" />
      <source>session</source>
      <translation>Sitzung</translation>
    </message>
    <message>
      <location filename="../../auditor" />
      <source>session the weightiest for a name</source>
      <translation>Sitzung die gewichtigste zu einem Namen</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/entity_report.py" />
      <source>sessions</source>
      <translation>Sitzungen</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/entity_report.py" />
      <source>sessions attacked</source>
      <translation>angegriffene Sitzungen</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/surviving_report.py" />
      <source>sessions flagged</source>
      <translation>auffällige Sitzungen</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/surviving_report.py" />
      <source>sessions in all</source>
      <translation>Sitzungen insgesamt</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/vanity_report.py" />
      <source>sessions looked at, the weightiest first</source>
      <translation>angesehene Sitzungen, die gewichtigsten zuerst</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/structural_findings.py" />
      <source>sessions that are exposed</source>
      <translation>Sitzungen, die preisgegeben sind</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_findings.py" />
      <source>sessions that are recovered</source>
      <translation>Sitzungen, die wiedergefunden sind</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/entity_report.py" />
      <source>sessions with a non-star name</source>
      <translation>Sitzungen mit einem unbekannten Namen</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/surviving_report.py" />
      <source>sessions with a reason</source>
      <translation>Sitzungen mit einem Grund</translation>
    </message>
    <message>
      <location filename="../../auditor" />
      <source>share</source>
      <translation>Anteil</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/volume.py" />
      <source>share kept</source>
      <translation>behaltener Anteil</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/structural_report.py" />
      <source>share of bundles</source>
      <translation>Anteil der Bündel</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_pairs.py" />
      <source>share of common initial words</source>
      <translation>Anteil gemeinsamer Anfangswörter</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/outlook.py" />
      <source>share of limited clicks kept</source>
      <translation>Anteil behaltener begrenzter Klicks</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/outlook.py" />
      <source>share of query volume</source>
      <translation>Anteil der Anfragen</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/outlook.py" />
      <source>share of query volume kept</source>
      <translation>Anteil behaltener Anfragen</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/surviving_lists.py" />
      <source>share of released searches that are somebody else's</source>
      <translation>Anteil freigegebener Suchen, die von jemand anderem sind</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_confidence.py" />
      <source>share of right pairs</source>
      <translation>Anteil richtiger Paare</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/bundling.py" />
      <source>share of rows kept</source>
      <translation>Anteil behaltener Zeilen</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/next_query.py" />
      <source>share of steps</source>
      <translation>Anteil der Schritte</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/structural_report.py" />
      <source>share of the bundle's queries that she asked</source>
      <translation>Anteil an den Anfragen des Bündels</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_scores.py" />
      <source>share of the hashes</source>
      <translation>Anteil der Hashes</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/frequencies.py" />
      <source>share of the log's {0} most frequent {1} that are released</source>
      <translation>freigegebener Anteil der {0} häufigsten {1*} des Protokolls</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/geo_vanity_report.py" />
      <source>share of users</source>
      <translation>Anteil der Nutzer</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/linkage_report.py" />
      <source>share of users found</source>
      <translation>Anteil gefundener Nutzer</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/information_loss.py" />
      <source>share of users up to there</source>
      <translation>Anteil der Nutzer bis dahin</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/vanity_report.py" />
      <source>share of users who ask for their name</source>
      <translation>Anteil der Nutzer, die nach ihrem Namen suchen</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/linkage_report.py" />
      <source>share of users whose record is the closest</source>
      <translation>Anteil der Nutzer, deren Datensatz der nächste ist</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/set_union.py" />
      <source>share of users' limited queries kept</source>
      <translation>Anteil der behaltenen begrenzten Anfragen der Nutzer</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/microaggregation_outlook.py" />
      <source>share of {0}</source>
      <translation>Anteil: {0*}</translation>
    </message>
    <message>
      <location filename="../../auditor" />
      <source>share that the attack gets right</source>
      <translation>Anteil, mit dem der Angriff recht hat</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_evidence.py" />
      <source>shared places</source>
      <translation>gemeinsame Orte</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/geo_vanity_report.py" />
      <source>shares 4 digits of the postal code</source>
      <translation>teilt 4 Ziffern der Postleitzahl</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/geo_vanity_report.py" />
      <source>shares 5 digits of the postal code</source>
      <translation>teilt 5 Ziffern der Postleitzahl</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/k_delta_common.py" />
      <source>shares of interests, or nearly the same</source>
      <translation>Anteile der Interessen, oder nahezu dieselben</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/k_delta_outlook.py" />
      <source>shares, or nearly</source>
      <translation>Anteile, oder nahezu</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/entities.py" />
      <source>shorter sessions</source>
      <translation>kürzere Sitzungen</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/dp_audit_summary.py" />
      <source>shown ≥ {0#}</source>
      <translation>gezeigt ≥ {0#}</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/dp_audit_summary.py" />
      <source>shown, within the claim</source>
      <translation>gezeigt, innerhalb der Behauptung</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/similarity.py" />
      <source>similarity</source>
      <translation>Ähnlichkeit</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/k_delta_outlook.py" />
      <source>similarity over k</source>
      <translation>Ähnlichkeit über k</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/k_delta_outlook.py" />
      <source>similarity over users</source>
      <translation>Ähnlichkeit über Nutzer</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/k_delta_outlook.py" />
      <source>similarity to the others of her group, in the log</source>
      <translation>Ähnlichkeit zu den anderen der Gruppe, im Protokoll</translation>
    </message>
    <message>
      <location filename="../../auditor" />
      <source>site</source>
      <translation>Website</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/site_clustering.py" />
      <source>sites</source>
      <translation>Websites</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_evidence.py" />
      <source>size of the bundle</source>
      <translation>Größe des Bündels</translation>
    </message>
    <message>
      <location filename="../../auditor" />
      <source>smallest class</source>
      <translation>kleinste Klasse</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/run_presenter.py" />
      <source>so far</source>
      <translation>bisher</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/safelog_params.py" />
      <source>so that about one released pair never happened</source>
      <translation>sodass etwa ein freigegebenes Paar nie stattfand</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/kinds.py" />
      <source>social security number</source>
      <translation>Sozialversicherungsnummer</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/korolova.py" />
      <source>solved from delta</source>
      <translation>aus delta bestimmt</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_findings.py" />
      <source>somebody else's, taken for hers</source>
      <translation>fremde, für ihre gehalten</translation>
    </message>
    <message>
      <location filename="../../auditor/log/loading.py" />
      <source>sorting by user and time</source>
      <translation>Sortieren nach Nutzer und Zeit</translation>
    </message>
    <message>
      <location filename="../../auditor/privacy/noise.py" />
      <source>sorting counts by noise needed</source>
      <translation>Anzahlen werden nach nötigem Rauschen sortiert</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_topics.py" />
      <source>sorting words</source>
      <translation>Wörter werden sortiert</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/wizard_intent.py" />
      <source>space</source>
      <translation>Leerzeichen</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_truth.py" />
      <source>split of one log: the reference holds other {0}</source>
      <translation>Teilung eines Protokolls: Das Vergleichsprotokoll enthält andere {0*}</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_truth.py" />
      <source>split of one log: the reference holds {0}</source>
      <translation>Teilung eines Protokolls: Das Vergleichsprotokoll enthält {0*}</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/event_folds.py" />
      <source>splitting events</source>
      <translation>Ereignisse werden geteilt</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/user_groups.py" />
      <source>splitting groups</source>
      <translation>Gruppen werden geteilt</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_params.py" />
      <source>stable marriage</source>
      <translation>stabile Paarung</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/k_delta_explain.py" />
      <source>stands {0#} times under {1#} ids: {2}{3#} events were added and {4}{5#} suppressed, so that users of a group have the same share of its cluster.</source>
      <translation>steht sie {0#}-mal unter {1#} Kennungen: {2*}{3#} Ereignisse kamen hinzu und {4*}{5#} entfielen, sodass Nutzer einer Gruppe denselben Anteil ihres Clusters haben.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_texts.py" />
      <source>stemming words</source>
      <translation>Wörter werden auf Stämme gebracht</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/next_query.py" />
      <source>steps</source>
      <translation>Schritte</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/volume.py" />
      <source>steps from query to query that are released</source>
      <translation>freigegebene Schritte von Anfrage zu Anfrage</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/next_query.py" />
      <source>steps of held-out users whose first query is released</source>
      <translation>Schritte zurückgehaltener Nutzer, deren erste Anfrage freigegeben ist</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/kinds.py" />
      <source>street address</source>
      <translation>Straßenadresse</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/safelog_params.py" />
      <source>strict</source>
      <translation>streng</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/k_delta_common.py" />
      <source>stricter</source>
      <translation>strenger</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/reasons.py" />
      <source>string only this user asked, with something sensitive</source>
      <translation>Zeichenfolge nur dieses Nutzers, mit etwas Heiklem</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/surviving_lists.py" />
      <source>strings of one user that stand under several ids</source>
      <translation>Zeichenfolgen eines Nutzers, die unter mehreren Kennungen stehen</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/surviving_report.py" />
      <source>strings of one user that survive</source>
      <translation>Zeichenfolgen eines Nutzers, die erhalten bleiben</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/surviving_report.py" />
      <source>strings with: {0}</source>
      <translation>Zeichenfolgen mit: {0*}</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/k_delta_common.py" />
      <source>strings, times and clicks of every kept or copied event stand in the release</source>
      <translation>Zeichenfolgen, Zeiten und Klicks jedes behaltenen oder kopierten Ereignisses stehen in der Freigabe</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/structural.py" />
      <source>structural: {0}.</source>
      <translation>structural: {0*}.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/base.py" />
      <source>success rate</source>
      <translation>Erfolgsquote</translation>
    </message>
    <message>
      <location filename="../../auditor" />
      <source>success rate of the attack</source>
      <translation>Erfolgsquote des Angriffs</translation>
    </message>
    <message>
      <location filename="../../auditor" />
      <source>success rate on people who are not in the log</source>
      <translation>Erfolgsquote bei Personen, die nicht im Protokoll stehen</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/k_delta_common.py" />
      <source>suppress only</source>
      <translation>nur weglassen</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/similarity.py" />
      <source>suppressed</source>
      <translation>entfallen</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/linkage_report.py" />
      <source>sure links that are right</source>
      <translation>richtige unter den sicheren Verknüpfungen</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/unbundling_params.py" />
      <source>sure topics</source>
      <translation>sichere Themen</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/dp_audit.py" />
      <source>surer</source>
      <translation>sicherer</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/structural.py" />
      <source>surer guesses</source>
      <translation>sicherere Vermutungen</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/vanity_params.py" />
      <source>surer names</source>
      <translation>sicherere Namen</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/geo_vanity.py" />
      <source>surer places</source>
      <translation>sicherere Orte</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_params.py" />
      <source>surest first</source>
      <translation>sicherste zuerst</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_tables.py" />
      <source>surest first (beyond the source)</source>
      <translation>sicherste zuerst (über die Quelle hinaus)</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_tables.py" />
      <source>surest first, cube roots</source>
      <translation>sicherste zuerst, Kubikwurzeln</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_tables.py" />
      <source>surest first, cube roots, order (the default)</source>
      <translation>sicherste zuerst, Kubikwurzeln, Reihenfolge (Vorgabe)</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/surviving_report.py" />
      <source>surviving</source>
      <translation>erhalten</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/surviving_report.py" />
      <source>surviving {0}</source>
      <translation>erhalten: {0*}</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/retrieval_report.py" />
      <source>t</source>
      <translation>t</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/retrieval_report.py" />
      <source>t, all</source>
      <translation>t, alle</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/wizard_intent.py" />
      <source>tab</source>
      <translation>Tabulator</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_tables.py" />
      <source>table 1</source>
      <translation>Tabelle 1</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_tables.py" />
      <source>table 4</source>
      <translation>Tabelle 4</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_tables.py" />
      <source>table 5</source>
      <translation>Tabelle 5</translation>
    </message>
    <message>
      <location filename="../../auditor" />
      <source>tables</source>
      <translation>Tabellen</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/trends.py" />
      <source>tables have no times</source>
      <translation>Tabellen haben keine Zeiten</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_pairs.py" />
      <source>taken for one user's</source>
      <translation>einem Nutzer zugeschrieben</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/retrieval_folds.py" />
      <source>taking a fold out</source>
      <translation>ein Teil wird herausgenommen</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/places.py" />
      <source>telling places apart</source>
      <translation>Orte werden unterschieden</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_alignment.py" />
      <source>telling rows apart</source>
      <translation>Zeilen werden unterschieden</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_alignment.py" />
      <source>telling users apart</source>
      <translation>Nutzer werden unterschieden</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/retrieval_report.py" />
      <source>test queries found in the release</source>
      <translation>in der Freigabe gefundene Prüfanfragen</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/next_query.py" />
      <source>tested on</source>
      <translation>geprüft an</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/trends.py" />
      <source>that change in the log</source>
      <translation>die sich im Protokoll ändern</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/m_k_delta_epsilon.py" />
      <source>that of k-delta, and O(group² / m) for each group</source>
      <translation>wie bei k-delta, und O(Gruppe² / m) je Gruppe</translation>
    </message>
    <message>
      <location filename="../../auditor/release/approve.py" />
      <source>that of the audit</source>
      <translation>die der Prüfung</translation>
    </message>
    <message>
      <location filename="../../auditor/release/gates.py" />
      <source>the attack has no control group</source>
      <translation>der Angriff hat keine Kontrollgruppe</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/k_delta_common.py" />
      <source>the attacker sees only shares of clusters</source>
      <translation>der Angreifer sieht nur Anteile von Clustern</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/k_delta_outlook.py" />
      <source>the best k of a group of users</source>
      <translation>das beste k einer Gruppe von Nutzern</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/geo_vanity.py" />
      <source>the city's middle</source>
      <translation>Stadtmitte</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/dp_audit_report.py" />
      <source>the claim {0} (ε = {1}, δ = {2#})</source>
      <translation>die Behauptung {0*} (ε = {1}, δ = {2#})</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/linkage_report.py" />
      <source>the closest</source>
      <translation>der nächste</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/frequency_threshold.py" />
      <source>the common baseline; Adar: User 4xxxxx9, anonymizing query logs (2007)</source>
      <translation>die übliche Grundlinie; Adar: User 4xxxxx9, anonymizing query logs (2007)</translation>
    </message>
    <message>
      <location filename="../../auditor/log/guessing.py" />
      <source>the encoding is taken for Windows-1252, as the text is no UTF-8</source>
      <translation>als Kodierung gilt Windows-1252, da der Text kein UTF-8 ist</translation>
    </message>
    <message>
      <location filename="../../auditor/log/guessing.py" />
      <source>the encoding is taken for {0}</source>
      <translation>als Kodierung gilt {0}</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/zealous.py" />
      <source>the first {0#} different queries of each user, then τ</source>
      <translation>die ersten {0#} verschiedenen Anfragen jedes Nutzers, dann τ</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/set_union.py" />
      <source>the first {0#} different queries of each user, whose weights have an ℓ2 norm of 1 at most in each round, by what she asked and what earlier rounds showed</source>
      <translation>die ersten {0#} verschiedenen Anfragen jedes Nutzers, deren Gewichte in jeder Runde eine ℓ2-Norm von höchstens 1 haben, nach dem, was er fragte und was frühere Runden zeigten</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/safelog_statement.py" />
      <source>the first {0#} different queries of each user; no query is dropped for being rare</source>
      <translation>die ersten {0#} verschiedenen Anfragen jedes Nutzers; keine Anfrage entfällt, weil sie selten ist</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/korolova.py" />
      <source>the first {0#} {1} and {2#} clicks of each user</source>
      <translation>die ersten {0#} {1*} und {2#} Klicks jedes Nutzers</translation>
    </message>
    <message>
      <location filename="../../auditor/release/approve.py" />
      <source>the folder could not be put in place</source>
      <translation>der Ordner ließ sich nicht einsetzen</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/entities.py" />
      <source>the inversion</source>
      <translation>die Umkehrung</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/token_hashing.py" />
      <source>the key is forgotten</source>
      <translation>der Schlüssel wird vergessen</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/token_hashing.py" />
      <source>the key stays secret</source>
      <translation>der Schlüssel bleibt geheim</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/token_hashing.py" />
      <source>the key was saved to a file at the steward's wish</source>
      <translation>der Schlüssel wurde auf Wunsch in einer Datei gespeichert</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/bundle_view.py" />
      <source>the log has no IP addresses to mask: bundle it by cookie-hash or random-users</source>
      <translation>das Protokoll hat keine IP-Adressen zum Maskieren: bündeln Sie es mit cookie-hash oder random-users</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/k_delta_common.py" />
      <source>the log has no clicks: each of its {0#} queries is a cluster of its own, and users are alike only in the very strings</source>
      <translation>das Protokoll hat keine Klicks: Jede seiner {0#} Anfragen ist ein eigener Cluster, und Nutzer sind nur in genau gleichen Zeichenfolgen ähnlich</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/bundle_view.py" />
      <source>the log has no cookies to hash: bundle it by ip-mask or random-users</source>
      <translation>das Protokoll hat keine Cookies zum Hashen: bündeln Sie es mit ip-mask oder random-users</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/frequencies.py" />
      <source>the log's {0#} most frequent {1}, missing ones as 0</source>
      <translation>die {0#} häufigsten {1*} des Protokolls, fehlende als 0</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/bundling.py" />
      <source>the low {0} bits of their address</source>
      <translation>die unteren {0} Bits ihrer Adresse</translation>
    </message>
    <message>
      <location filename="../../auditor/release/gates.py" />
      <source>the method claims none</source>
      <translation>das Verfahren behauptet keines</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/next_query.py" />
      <source>the method once a fold, and O(steps · log steps)</source>
      <translation>das Verfahren einmal je Teil, und O(Schritte · log Schritte)</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/retrieval.py" />
      <source>the method once a fold, and O(test queries + released entries)</source>
      <translation>das Verfahren einmal je Teil, und O(Prüfanfragen + freigegebene Einträge)</translation>
    </message>
    <message>
      <location filename="../../auditor/log/mapping.py" />
      <source>the name of a text encoding, like utf-8</source>
      <translation>der Name einer Zeichenkodierung, etwa utf-8</translation>
    </message>
    <message>
      <location filename="../../auditor/privacy/noise.py" />
      <source>the number of cells must be in [0, 2^60], not {0}</source>
      <translation>die Zahl der Zellen muss in [0, 2^60] liegen, nicht {0}</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/dp_audit.py" />
      <source>the one that releases use</source>
      <translation>wie bei Freigaben</translation>
    </message>
    <message>
      <location filename="../../auditor/params.py" />
      <source>the path of a file</source>
      <translation>der Pfad einer Datei</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/geo_vanity_report.py" />
      <source>the place that she asks for most</source>
      <translation>der Ort, nach dem am meisten gefragt wird</translation>
    </message>
    <message>
      <location filename="../../auditor/project/settings.py" />
      <source>the plain name of a file</source>
      <translation>der bloße Name einer Datei</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_truth.py" />
      <source>the reference is another log</source>
      <translation>das Vergleichsprotokoll ist ein anderes Protokoll</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_params.py" />
      <source>the reference log</source>
      <translation>Vergleichsprotokoll</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_params.py" />
      <source>the reference log, or other users</source>
      <translation>Vergleichsprotokoll oder andere Nutzer</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/similarity.py" />
      <source>the release's own delta, or 0.5</source>
      <translation>das delta der Freigabe, oder 0,5</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/similarity.py" />
      <source>the release's own k, or 2</source>
      <translation>das k der Freigabe, oder 2</translation>
    </message>
    <message>
      <location filename="../../auditor/fitting.py" />
      <source>the run would take about {0} in memory; it keeps to {1} and about {2} of working files in {3}</source>
      <translation>the run would take about {0} in memory; it keeps to {1} and about {2} of working files in {3}</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/k_delta_outlook.py" />
      <source>the same when released</source>
      <translation>dieselbe nach der Freigabe</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_tables.py" />
      <source>the same, at least total distance</source>
      <translation>dasselbe, mit geringstem Gesamtabstand</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/linkage_report.py" />
      <source>the same, rank {0}, {1#} % of events known</source>
      <translation>dasselbe, Rang {0}, {1#} % der Ereignisse bekannt</translation>
    </message>
    <message>
      <location filename="../../auditor/release/gates.py" />
      <source>the statement has no such figure</source>
      <translation>die Zusicherung hat keine solche Kennzahl</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/microaggregation.py" />
      <source>the strings give nobody away</source>
      <translation>die Zeichenfolgen verraten niemanden</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/linkage_report.py" />
      <source>the targets, their own record and all as close as it held out.</source>
      <translation>die Ziele, wobei ihr eigener Datensatz und alle gleich nahen weggelassen sind.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/entities.py" />
      <source>the top n</source>
      <translation>die häufigsten n</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/zealous.py" />
      <source>the wanted δ'</source>
      <translation>das gewünschte δ'</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/zealous.py" />
      <source>the wanted δ' is reached</source>
      <translation>das gewünschte δ' wird erreicht</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/zealous.py" />
      <source>the wanted ε'</source>
      <translation>das gewünschte ε'</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/vanity_report.py" />
      <source>the weightiest</source>
      <translation>der gewichtigste</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/unbundling_params.py" />
      <source>the whole log</source>
      <translation>das ganze Protokoll</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/entities.py" />
      <source>the {0#} most frequent words are taken as recovered</source>
      <translation>die {0#} häufigsten Wörter gelten als wiedergefunden</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/safelog_statement.py" />
      <source>there is no pool, so p_g is 0 and no ε is finite</source>
      <translation>es gibt keinen Vorrat, also ist p_g 0 und kein ε endlich</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/explain_counts.py" />
      <source>this query: {0#}</source>
      <translation>diese Anfrage: {0#}</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/information_loss.py" />
      <source>this release</source>
      <translation>diese Freigabe</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/profile_exposure.py" />
      <source>this release, by occurrences</source>
      <translation>diese Freigabe, nach Vorkommen</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_params.py" />
      <source>thorough</source>
      <translation>gründlich</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/outlook.py" />
      <source>threshold</source>
      <translation>Schwellenwert</translation>
    </message>
    <message>
      <location filename="../../auditor" />
      <source>threshold of last round</source>
      <translation>Schwellenwert der letzten Runde</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/set_union.py" />
      <source>thresholds</source>
      <translation>Schwellenwerte</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/wizard_intent.py" />
      <source>time</source>
      <translation>Zeit</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/k_delta_outlook.py" />
      <source>time of a run, about</source>
      <translation>Dauer eines Laufs, etwa</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/microaggregation_outlook.py" />
      <source>time of the first run, about</source>
      <translation>Dauer des ersten Laufs, etwa</translation>
    </message>
    <message>
      <location filename="../../auditor/engine/sweeping.py" />
      <source>time of {0}</source>
      <translation>Zeit von {0*}</translation>
    </message>
    <message>
      <location filename="../../auditor/log/guessing.py" />
      <source>times are read as {0}</source>
      <translation>Zeiten werden gelesen als {0*}</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_report.py" />
      <source>to</source>
      <translation>bis</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/vanity_report.py" />
      <source>to </source>
      <translation>bis </translation>
    </message>
    <message>
      <location filename="../../auditor/methods/frequency_threshold.py" />
      <source>too few: every row with it is dropped</source>
      <translation>zu wenige: Jede Zeile mit ihr entfällt</translation>
    </message>
    <message>
      <location filename="../../auditor/release/signing.py" />
      <source>too large</source>
      <translation>zu groß</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_tables.py" />
      <source>top half</source>
      <translation>obere Hälfte</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/unbundling_params.py" />
      <source>topics</source>
      <translation>Themen</translation>
    </message>
    <message>
      <location filename="../../auditor/engine/warming.py" />
      <source>train times</source>
      <translation>Trainingszeiten</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/safelog_statement.py" />
      <source>transitions</source>
      <translation>Übergänge</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/safelog_statement.py" />
      <source>transitions known beforehand</source>
      <translation>Übergänge im Voraus bekannt</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/trends.py" />
      <source>trends of frequent queries, all: correlation</source>
      <translation>Trends häufiger Anfragen, alle: Korrelation</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/trends.py" />
      <source>trends of frequent queries, queries found: correlation</source>
      <translation>Trends häufiger Anfragen, gefundene Anfragen: Korrelation</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_evidence.py" />
      <source>trigrams: Jaccard</source>
      <translation>Trigramme: Jaccard</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_evidence.py" />
      <source>trigrams: containment</source>
      <translation>Trigramme: Enthaltensein</translation>
    </message>
    <message>
      <location filename="../../auditor/project/reading.py" />
      <source>true or false</source>
      <translation>wahr oder falsch</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_pairs.py" />
      <source>true pairs among the candidates</source>
      <translation>wahre Paare unter den Kandidaten</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/outlook.py" />
      <source>turning point {0#}</source>
      <translation>Wendepunkt {0#}</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/statements.py" />
      <source>two logs in which one user's history is exchanged for any other</source>
      <translation>zwei Protokolle, in denen der Verlauf eines Nutzers gegen irgendeinen anderen getauscht ist</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/statements.py" />
      <source>two logs of which one has one user more, with all that the user did</source>
      <translation>zwei Protokolle, von denen eines einen Nutzer mehr hat, mit allem, was er tat</translation>
    </message>
    <message>
      <location filename="../../auditor/project/settings.py" />
      <source>two texts</source>
      <translation>zwei Texte</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/set_union.py" />
      <source>typical error of a count</source>
      <translation>typischer Fehler einer Anzahl</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_trials.py" />
      <source>unbundling: there are too few bundles to learn from: five large ones at least.</source>
      <translation>unbundling: Es gibt zu wenige Bündel zum Lernen: mindestens fünf große.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/unbundling.py" />
      <source>unbundling: topics are learned from a reference log, and there is none. Give one, or join by words or places.</source>
      <translation>unbundling: Themen werden an einem Vergleichsprotokoll gelernt, und es gibt keines. Geben Sie eines an, oder verbinden Sie nach Wörtern oder Orten.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/unbundling.py" />
      <source>unbundling: {0}.</source>
      <translation>unbundling: {0*}.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/entity_report.py" />
      <source>unique company name</source>
      <translation>einzelner Firmenname</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/entity_report.py" />
      <source>unique non-star name</source>
      <translation>einzelner unbekannter Name</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/entity_report.py" />
      <source>unique person name</source>
      <translation>einzelner Personenname</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/entity_report.py" />
      <source>unique place name</source>
      <translation>einzelner Ortsname</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/surviving_counts.py" />
      <source>unique {0}</source>
      <translation>einzelne: {0*}</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/bundling.py" />
      <source>unknown</source>
      <translation>unbekannt</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/pool.py" />
      <source>unknown reason</source>
      <translation>unbekannter Grund</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/dp_audit_summary.py" />
      <source>unseen above {0#}</source>
      <translation>ungesehen über {0#}</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/dp_audit_logs.py" />
      <source>unseen query</source>
      <translation>ungesehene Anfrage</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/k_delta_common.py" />
      <source>up to </source>
      <translation>bis auf </translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_scores.py" />
      <source>update</source>
      <translation>Aktualisierung</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_params.py" />
      <source>updates</source>
      <translation>Aktualisierungen</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/wizard_intent.py" />
      <source>user</source>
      <translation>Nutzer</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/explain_rows.py" />
      <source>user in the log</source>
      <translation>Nutzer im Protokoll</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/structural_report.py" />
      <source>user of a bundle, the most active first</source>
      <translation>Nutzer eines Bündels, die aktivsten zuerst</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/reasons.py" />
      <source>user's own name</source>
      <translation>eigener Name des Nutzers</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/vanity_params.py" />
      <source>userid</source>
      <translation>Kennung</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/dp_audit.py" />
      <source>users</source>
      <translation>Nutzer</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/frequency_threshold.py" />
      <source>users above that, or missing</source>
      <translation>Nutzer darüber, oder fehlende</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/entity_report.py" />
      <source>users attacked</source>
      <translation>angegriffene Nutzer</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/frequency_threshold.py" />
      <source>users can't be told apart</source>
      <translation>Nutzer lassen sich nicht unterscheiden</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/structural_report.py" />
      <source>users drawn from the power law, %</source>
      <translation>Nutzer aus dem Potenzgesetz gezogen, %</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/structural_report.py" />
      <source>users in a bundle</source>
      <translation>Nutzer in einem Bündel</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/bundling.py" />
      <source>users in a bundle, on average</source>
      <translation>Nutzer in einem Bündel, im Mittel</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/information_loss.py" />
      <source>users in a group (k)</source>
      <translation>Nutzer in einer Gruppe (k)</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_report.py" />
      <source>users in a scored bundle</source>
      <translation>Nutzer in einem bewerteten Bündel</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/explain_rows.py" />
      <source>users in it</source>
      <translation>Nutzer darin</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_plots.py" />
      <source>users in the bundle</source>
      <translation>Nutzer im Bündel</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/statements.py" />
      <source>users limited independently</source>
      <translation>Nutzer werden unabhängig begrenzt</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/bundle_sizes.py" />
      <source>users of a bundle, mean</source>
      <translation>Nutzer eines Bündels, Mittel</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/bundle_sizes.py" />
      <source>users of a bundle, most</source>
      <translation>Nutzer eines Bündels, höchstens</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/bundle_sizes.py" />
      <source>users of a bundle, on average</source>
      <translation>Nutzer eines Bündels, im Mittel</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/linkage_report.py" />
      <source>users of the reference log who are not in the raw one.</source>
      <translation>Nutzer des Vergleichsprotokolls, die nicht im Rohprotokoll sind.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/surviving_report.py" />
      <source>users of whom such a string survives</source>
      <translation>Nutzer, von denen eine solche Zeichenfolge erhalten bleibt</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/linkage_report.py" />
      <source>users of whom the attacker is sure</source>
      <translation>Nutzer, deren sich der Angreifer sicher ist</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/structural_report.py" />
      <source>users put together at random</source>
      <translation>Nutzer zufällig zusammengelegt</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/structural_report.py" />
      <source>users put together at random, %</source>
      <translation>Nutzer zufällig zusammengelegt, %</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/frequency_threshold.py" />
      <source>users that a query needs (n)</source>
      <translation>Nutzer, die eine Anfrage braucht (n)</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/surviving_lists.py" />
      <source>users under whose id such searches stand</source>
      <translation>Nutzer, unter deren Kennung solche Suchen stehen</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/bundle_sizes.py" />
      <source>users who are alone in a bundle</source>
      <translation>Nutzer, die allein in einem Bündel sind</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/geo_vanity_report.py" />
      <source>users who ask for a place</source>
      <translation>Nutzer, die nach einem Ort fragen</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/geo_vanity_report.py" />
      <source>users who ask for a place that shares {0} digits</source>
      <translation>Nutzer, die nach einem Ort fragen, der {0} Ziffern teilt</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/counting.py" />
      <source>users who asked</source>
      <translation>Nutzer, die fragten</translation>
    </message>
    <message>
      <location filename="../../auditor/engine/explaining.py" />
      <source>users who asked it</source>
      <translation>Nutzer, die sie stellten</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/explain_rows.py" />
      <source>users who asked it and have it no more</source>
      <translation>Nutzer, die sie stellten und nicht mehr haben</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/explain_counts.py" />
      <source>users who asked it within that</source>
      <translation>Nutzer, die sie innerhalb davon stellten</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/set_union.py" />
      <source>users who asked it within their first {0#}</source>
      <translation>Nutzer, die sie unter ihren ersten {0#} stellten</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/structural_values.py" />
      <source>users who dominate a bundle</source>
      <translation>Nutzer, die ein Bündel beherrschen</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/explain_rows.py" />
      <source>users who have it and never asked it</source>
      <translation>Nutzer, die sie haben und nie stellten</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/vanity_report.py" />
      <source>users whose name is known</source>
      <translation>Nutzer, deren Name bekannt ist</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/linkage_report.py" />
      <source>users whose record is among the 5 closest</source>
      <translation>Nutzer, deren Datensatz unter den 5 nächsten ist</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/linkage_report.py" />
      <source>users whose record is known to the auditor</source>
      <translation>Nutzer, deren Datensatz der Prüfer kennt</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/linkage_report.py" />
      <source>users whose record is the closest</source>
      <translation>Nutzer, deren Datensatz der nächste ist</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/linkage_report.py" />
      <source>users whose record is the closest, of all users</source>
      <translation>Nutzer, deren Datensatz der nächste ist, von allen Nutzern</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/surviving_content.py" />
      <source>users with a flagged session</source>
      <translation>Nutzer mit einer auffälligen Sitzung</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/entities.py" />
      <source>users with a name, company, place or identifier in the recovered words</source>
      <translation>Nutzer mit einem Namen, einer Firma, einem Ort oder einer Kennung in den wiedergefundenen Wörtern</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/entity_report.py" />
      <source>users with an entity recovered</source>
      <translation>Nutzer mit einer wiedergefundenen Angabe</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/similarity.py" />
      <source>value</source>
      <translation>Wert</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/names_profiles.py" />
      <source>vanity needs names: neither profiles nor user ids hold any.</source>
      <translation>vanity benötigt Namen: Weder Profile noch Nutzerkennungen enthalten welche.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/names_profiles.py" />
      <source>vanity {0}.</source>
      <translation>vanity {0*}.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_params.py" />
      <source>variants</source>
      <translation>Varianten</translation>
    </message>
    <message>
      <location filename="../../auditor/privacy/verify_k_delta.py" />
      <source>verifying clusters</source>
      <translation>Cluster werden geprüft</translation>
    </message>
    <message>
      <location filename="../../auditor/privacy/verify_k_delta.py" />
      <source>verifying shares</source>
      <translation>Anteile werden geprüft</translation>
    </message>
    <message>
      <location filename="../../auditor/privacy/verify_k_delta.py" />
      <source>verifying users</source>
      <translation>Nutzer werden geprüft</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_report.py" />
      <source>vocabulary size</source>
      <translation>Größe des Wortschatzes</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_tables.py" />
      <source>vocabulary size (n)</source>
      <translation>Größe des Wortschatzes (n)</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/style.py" />
      <source>waiting</source>
      <translation>wartet</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/retrieval_report.py" />
      <source>walk with impact</source>
      <translation>Wanderung mit Einfluss</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/retrieval_walks.py" />
      <source>walking from queries</source>
      <translation>Wandern von Anfragen</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/zealous.py" />
      <source>wanted {0#}, reached {1} with λ = {2#} and released from {3#} (printed τ' = {4#}, τ = {5})</source>
      <translation>gewünscht {0#}, erreicht {1} mit λ = {2#} und freigegeben ab {3#} (gedrucktes τ' = {4#}, τ = {5})</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/set_union.py" />
      <source>wanted ε</source>
      <translation>gewünschtes ε</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/zealous.py" />
      <source>wanted ε'</source>
      <translation>gewünschtes ε'</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/k_delta_outlook.py" />
      <source>wanted. What is left between users stands in the statement of a run.</source>
      <translation>gewünscht. Was zwischen Nutzern übrig bleibt, steht in der Zusicherung eines Laufs.</translation>
    </message>
    <message>
      <location filename="../../auditor/release/ledger.py" />
      <source>was approved with another ledger, or this one was replaced</source>
      <translation>wurde mit einem anderen Freigabebuch genehmigt, oder dieses wurde ersetzt</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/token_hashing_explain.py" />
      <source>was forgotten</source>
      <translation>wurde vergessen</translation>
    </message>
    <message>
      <location filename="../../auditor/release/gates.py" />
      <source>was not measured</source>
      <translation>wurde nicht gemessen</translation>
    </message>
    <message>
      <location filename="../../auditor/release/gates.py" />
      <source>was not run</source>
      <translation>wurde nicht ausgeführt</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/k_delta_explain.py" />
      <source>was suppressed altogether: the representatives of their groups have too few events of its cluster, or other events of the cluster were drawn to stay.</source>
      <translation>entfiel sie ganz: Die Vertreter ihrer Gruppen haben zu wenige Ereignisse ihres Clusters, oder andere Ereignisse des Clusters wurden zum Bleiben gezogen.</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/site_clustering.py" />
      <source>web sites</source>
      <translation>Websites</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_learned.py" />
      <source>weighing evidence</source>
      <translation>Belege werden gewichtet</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/set_union.py" />
      <source>weighing queries</source>
      <translation>Anfragen werden gewichtet</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/set_union.py" />
      <source>weight</source>
      <translation>Gewicht</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_evidence.py" />
      <source>weight of shared stems</source>
      <translation>Gewicht gemeinsamer Stämme</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/similarity.py" />
      <source>what</source>
      <translation>was</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/set_union.py" />
      <source>what other queries leave to it changes with it: only running tells</source>
      <translation>was andere Anfragen ihr lassen, ändert sich damit: Erst ein Lauf zeigt es</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/survey.py" />
      <source>what survives of each user</source>
      <translation>was von jedem Nutzer erhalten bleibt</translation>
    </message>
    <message>
      <location filename="../../auditor/log/bundles.py" />
      <source>what the log has</source>
      <translation>was das Protokoll hat</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/dp_audit_reading.py" />
      <source>what they count together</source>
      <translation>was sie zusammen zählen</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/similarity.py" />
      <source>what was done</source>
      <translation>was getan wurde</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_params.py" />
      <source>where it is kept</source>
      <translation>wo sie erhalten ist</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/dp_audit_report.py" />
      <source>where to look</source>
      <translation>wo hingesehen wird</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_params.py" />
      <source>where truth isn't known</source>
      <translation>wo die Wahrheit unbekannt ist</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/set_union.py" />
      <source>who asked nothing else</source>
      <translation>die sonst nichts fragten</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/set_union.py" />
      <source>who asked {0#} queries</source>
      <translation>die {0#} Anfragen stellten</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/microaggregation.py" />
      <source>who is grouped with whom changes with it: only running tells</source>
      <translation>wer mit wem gruppiert wird, ändert sich damit: Erst ein Lauf zeigt es</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/k_delta_explain.py" />
      <source>who is grouped with whom, and which events stay, is drawn: only running tells</source>
      <translation>wer mit wem gruppiert wird und welche Ereignisse bleiben, wird gezogen: Erst ein Lauf zeigt es</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/unbundling_params.py" />
      <source>whole fibers</source>
      <translation>ganze Fasern</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/information_loss.py" />
      <source>whole log</source>
      <translation>ganzes Protokoll</translation>
    </message>
    <message>
      <location filename="../../auditor" />
      <source>wide clusters</source>
      <translation>breite Cluster</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/dp_audit_verdict.py" />
      <source>with the printed δ</source>
      <translation>mit dem gedruckten δ</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/dp_audit_summary.py" />
      <source>with {0#} % confidence</source>
      <translation>mit {0#} % Konfidenz</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/next_query.py" />
      <source>within itself</source>
      <translation>in sich selbst</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/k_delta_common.py" />
      <source>within {0#} of hers, {1#} of them exactly the same. </source>
      <translation>innerhalb von {0#} liegen, bei {1#} davon genau dieselben. </translation>
    </message>
    <message>
      <location filename="../../auditor/methods/k_delta_outlook.py" />
      <source>within {0#} of hers.</source>
      <translation>innerhalb von {0#} der eigenen.</translation>
    </message>
    <message>
      <location filename="../../auditor/log/guessing.py" />
      <source>without a header, the columns are taken for AOL's</source>
      <translation>ohne Kopfzeile gelten die Spalten als die von AOL</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/dp_audit_verdict.py" />
      <source>without a pool (Korolova)</source>
      <translation>ohne Vorrat (Korolova)</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/token_hashing_explain.py" />
      <source>word</source>
      <translation>Wort</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/token_hashing.py" />
      <source>word order tells nothing</source>
      <translation>Wortreihenfolge verrät nichts</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/reasons.py" />
      <source>word recovered wrongly</source>
      <translation>falsch wiedergefundenes Wort</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_findings.py" />
      <source>word that links it with other queries of hers</source>
      <translation>Wort, das sie mit anderen ihrer Anfragen verbindet</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/token_hashing.py" />
      <source>word, by rank</source>
      <translation>Wort, nach Rang</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/entities.py" />
      <source>words</source>
      <translation>Wörter</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_report.py" />
      <source>words found again</source>
      <translation>wiedergefundene Wörter</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/token_hashing_explain.py" />
      <source>words found by their count alone</source>
      <translation>Wörter, allein an ihrer Anzahl gefunden</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_pairs.py" />
      <source>words in the earlier query</source>
      <translation>Wörter der früheren Anfrage</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_pairs.py" />
      <source>words in the later query</source>
      <translation>Wörter der späteren Anfrage</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_evidence.py" />
      <source>words of the earlier</source>
      <translation>Wörter der früheren</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_evidence.py" />
      <source>words of the later</source>
      <translation>Wörter der späteren</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/hash_inversion.py" />
      <source>words of {0#} matchable found again</source>
      <translation>wiedergefundene von {0#} auffindbaren Wörtern</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/token_hashing.py" />
      <source>words that occur once</source>
      <translation>Wörter, die einmal vorkommen</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/microaggregation_outlook.py" />
      <source>words, stop words aside</source>
      <translation>Wörter, ohne Füllwörter</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_variants.py" />
      <source>words, topics</source>
      <translation>Wörter, Themen</translation>
    </message>
    <message>
      <location filename="../../auditor/fitting.py" />
      <source>would need the log in memory; take it by itself where there is enough</source>
      <translation>brauchte das Protokoll im Speicher; führen Sie es allein aus, wo genug davon ist</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/token_hashing.py" />
      <source>writing hashes</source>
      <translation>Hashes werden geschrieben</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/microaggregation.py" />
      <source>writing lists</source>
      <translation>Listen werden geschrieben</translation>
    </message>
    <message>
      <location filename="../../auditor/log/spilled.py" />
      <source>writing strings</source>
      <translation>Zeichenfolgen werden geschrieben</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/k_delta_edit.py" />
      <source>writing the edited log</source>
      <translation>bearbeitetes Protokoll wird geschrieben</translation>
    </message>
    <message>
      <location filename="../../auditor/log/write.py" />
      <source>writing the log</source>
      <translation>Protokoll wird geschrieben</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/entity_views.py" />
      <source>writing what is recovered</source>
      <translation>Wiedergefundenes wird geschrieben</translation>
    </message>
    <message>
      <location filename="../../auditor/log/mapping.py" />
      <source>wrong column count</source>
      <translation>falsche Spaltenzahl</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/linkage_report.py" />
      <source>{0#} % of events known</source>
      <translation>{0#} % der Ereignisse bekannt</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/safelog_statement.py" />
      <source>{0#} % of this log's query volume kept</source>
      <translation>{0#} % der Anfragen dieses Protokolls behalten</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/structural_report.py" />
      <source>{0#} % or more</source>
      <translation>{0#} % oder mehr</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/korolova.py" />
      <source>{0#} (query, page) pairs</source>
      <translation>{0#} Paare (Anfrage, Seite)</translation>
    </message>
    <message>
      <location filename="../../auditor/log/memory.py" />
      <source>{0#} GiB</source>
      <translation>{0#} GiB</translation>
    </message>
    <message>
      <location filename="../../auditor/log/memory.py" />
      <source>{0#} MiB</source>
      <translation>{0#} MiB</translation>
    </message>
    <message>
      <location filename="../../auditor" />
      <source>{0#} bits</source>
      <translation>{0#} Bits</translation>
    </message>
    <message>
      <location filename="../../auditor/release/ticks.py" />
      <source>{0#} bn</source>
      <translation>{0#} Mrd.</translation>
    </message>
    <message>
      <location filename="../../auditor" />
      <source>{0#} bundles</source>
      <translation>{0#} Bündel</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/token_hashing.py" />
      <source>{0#} clicks stay </source>
      <translation>{0#} Klicks bleiben </translation>
    </message>
    <message>
      <location filename="../../auditor/methods/token_hashing.py" />
      <source>{0#} clicks stay as hashes, which link equal pages</source>
      <translation>{0#} Klicks bleiben als Hashes, die gleiche Seiten verbinden</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/token_hashing.py" />
      <source>{0#} clicks stay readable</source>
      <translation>{0#} Klicks bleiben lesbar</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/token_hashing.py" />
      <source>{0#} different words were each replaced by a keyed hash, the same one everywhere. That is a pseudonym for words, not anonymity: how often a hash stands beside which others gives many words back to whoever has another query log. There is no formal guarantee.</source>
      <translation>{0#} verschiedene Wörter wurden je durch einen Hash mit Schlüssel ersetzt, überall durch denselben. Das ist ein Pseudonym für Wörter, keine Anonymität: Wie oft ein Hash neben welchen anderen steht, gibt jedem, der ein anderes Anfrageprotokoll hat, viele Wörter zurück. Es gibt keine formale Garantie.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/pool.py" />
      <source>{0#} distinct queries of {1} ({2})</source>
      <translation>{0#} verschiedene Anfragen aus: {1*} ({2})</translation>
    </message>
    <message>
      <location filename="../../auditor/ledgers.py" />
      <source>{0#} entries</source>
      <translation>{0#} Einträge</translation>
    </message>
    <message>
      <location filename="../../auditor/ledgers.py" />
      <source>{0#} entry</source>
      <translation>{0#} Eintrag</translation>
    </message>
    <message>
      <location filename="../../auditor" />
      <source>{0#} events</source>
      <translation>{0#} Ereignisse</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/structural_values.py" />
      <source>{0#} events of the log are not in the release.</source>
      <translation>{0#} Ereignisse des Protokolls sind nicht in der Freigabe.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/structural_values.py" />
      <source>{0#} events stand in several bundles with the same query and second; other events of the same address, cookie or user told all but {1#}.</source>
      <translation>{0#} Ereignisse stehen in mehreren Bündeln mit derselben Anfrage und Sekunde; andere Ereignisse derselben Adresse, desselben Cookies oder Nutzers klärten alle bis auf {1#}.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_scores.py" />
      <source>{0#} hashed events against {1#} reference events; {2}</source>
      <translation>{0#} gehashte Ereignisse gegen {1#} des Vergleichsprotokolls; {2*}</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_tables.py" />
      <source>{0#} hashes; all neighbours mapped rightly. {1}</source>
      <translation>{0#} Hashes; alle Nachbarn richtig zugeordnet. {1*}</translation>
    </message>
    <message>
      <location filename="../../auditor/engine/costs.py" />
      <source>{0#} hours</source>
      <translation>{0#} Stunden</translation>
    </message>
    <message>
      <location filename="../../auditor" />
      <source>{0#} ids</source>
      <translation>{0#} Kennungen</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/k_delta_common.py" />
      <source>{0#} instead of {1#}.</source>
      <translation>{0#} statt {1#}.</translation>
    </message>
    <message>
      <location filename="../../auditor/engine/costs.py" />
      <source>{0#} minutes</source>
      <translation>{0#} Minuten</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/pool.py" />
      <source>{0#} of all {1#}² pairs</source>
      <translation>{0#} aller {1#}² Paare</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/token_hashing_explain.py" />
      <source>{0#} of its {1#} different words occur as often as no other word, </source>
      <translation>{0#} ihrer {1#} verschiedenen Wörter kommen so oft vor wie kein anderes Wort </translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/dp_audit_report.py" />
      <source>{0#} of {1#}</source>
      <translation>{0#} von {1#}</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/structural_values.py" />
      <source>{0#} of {1#} bundles hold fewer than {2#} queries and are left out, as in the source; one user's share of a small bundle is larger still.</source>
      <translation>{0#} von {1#} Bündeln haben weniger als {2#} Anfragen und bleiben wie in der Quelle außer Betracht; der Anteil eines Nutzers an einem kleinen Bündel ist noch größer.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/bundling.py" />
      <source>{0#} of {1#} bundles hold one user alone{2}</source>
      <translation>{0#} von {1#} Bündeln enthalten nur einen Nutzer{2*}</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/frequency_threshold.py" />
      <source>{0#} of {1#} released pages were clicked by fewer than {2#}</source>
      <translation>{0#} von {1#} freigegebenen Seiten wurden von weniger als {2#} geklickt</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/microaggregation.py" />
      <source>{0#} of {1#} released queries were asked by one user only</source>
      <translation>{0#} von {1#} freigegebenen Anfragen stellte nur ein Nutzer</translation>
    </message>
    <message>
      <location filename="../../auditor/log/read.py" />
      <source>{0#} of {1#} rows can't be read ({2}), more than the {3#} allowed (max_rejected_share); this is the first. Check the format and which column is which.</source>
      <translation>{0#} von {1#} Zeilen sind nicht lesbar ({2*}), mehr als die erlaubten {3#} (max_rejected_share); dies ist die erste. Prüfen Sie das Format und welche Spalte welche ist.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/k_delta_common.py" />
      <source>{0#} of {1#} strings stand verbatim under one user only</source>
      <translation>{0#} von {1#} Zeichenfolgen stehen wörtlich nur unter einem Nutzer</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/token_hashing.py" />
      <source>{0#} of {1#} users have a set of hashed queries that nobody else has</source>
      <translation>{0#} von {1#} Nutzern haben eine Menge gehashter Anfragen wie sonst niemand</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/frequency_threshold.py" />
      <source>{0#} of {1#} users have a set of released queries that nobody else has</source>
      <translation>{0#} von {1#} Nutzern haben eine Menge freigegebener Anfragen wie sonst niemand</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/linkage_report.py" />
      <source>{0#} of {1#} users were drawn as targets.</source>
      <translation>{0#} von {1#} Nutzern wurden als Ziele gezogen.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/k_delta_common.py" />
      <source>{0#} pairs of a user and a query are of queries that she never made; they came from others of her group</source>
      <translation>{0#} Paare aus Nutzer und Anfrage betreffen Anfragen, die dieser nie stellte; sie kamen von anderen der Gruppe</translation>
    </message>
    <message>
      <location filename="../../auditor" />
      <source>{0#} queries</source>
      <translation>{0#} Anfragen</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/bundle_sizes.py" />
      <source>{0#} queries of the log are not in the release.</source>
      <translation>{0#} Anfragen des Protokolls sind nicht in der Freigabe.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/frequency_threshold.py" />
      <source>{0#} queries with {1#} users or more</source>
      <translation>{0#} Anfragen mit {1#} oder mehr Nutzern</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/pool.py" />
      <source>{0#} random pairs of English n-grams that end in a noun ({1})</source>
      <translation>{0#} zufällige Paare englischer n-Gramme, die auf ein Substantiv enden ({1})</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/trends.py" />
      <source>{0#} released searches lie outside the log's whole days.</source>
      <translation>{0#} freigegebene Suchen liegen außerhalb der ganzen Tage des Protokolls.</translation>
    </message>
    <message>
      <location filename="../../auditor/release/ledger_totals.py" />
      <source>{0#} releases</source>
      <translation>{0#} Freigaben</translation>
    </message>
    <message>
      <location filename="../../auditor/release/ledger_totals.py" />
      <source>{0#} releases without noise can be intersected: whoever knows in which group of each somebody is knows that she is in all of them, and they may have only her in common, whatever k each promises (Ganta, Kasiviswanathan and Smith 2008).</source>
      <translation>{0#} Freigaben ohne Rauschen lassen sich schneiden: Wer weiß, in welcher Gruppe von jeder jemand ist, weiß, dass er in allen ist, und sie haben vielleicht nur ihn gemeinsam, welches k jede auch zusichert (Ganta, Kasiviswanathan und Smith 2008).</translation>
    </message>
    <message>
      <location filename="../../auditor" />
      <source>{0#} rows</source>
      <translation>{0#} Zeilen</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/surviving_content.py" />
      <source>{0#} sessions are flagged; the {1#} of greatest risk are listed.</source>
      <translation>{0#} Sitzungen fallen auf; die {1#} mit dem größten Risiko sind aufgeführt.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_run.py" />
      <source>{0#} terms</source>
      <translation>{0#} Begriffe</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/retrieval_report.py" />
      <source>{0#} test queries of all folds, {1#} of them in the release and {2#} in the unchanged training part. Paired two-tailed t-test over queries, original against released.</source>
      <translation>{0#} Prüfanfragen aller Teile, {1#} davon in der Freigabe und {2#} im unveränderten Trainingsteil. Gepaarter zweiseitiger t-Test über Anfragen, Original gegen Freigabe.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/geo_vanity_report.py" />
      <source>{0#} times or more</source>
      <translation>{0#}-mal oder öfter</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/frequency_threshold.py" />
      <source>{0#} user ids of one's own are enough</source>
      <translation>{0#} eigene Nutzerkennungen genügen</translation>
    </message>
    <message>
      <location filename="../../auditor" />
      <source>{0#} users</source>
      <translation>{0#} Nutzer</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/frequency_threshold.py" />
      <source>{0#} users asked it, and n is {1#}. That is {2}.</source>
      <translation>{0#} Nutzer stellten sie, und n ist {1#}. Das ist {2*}.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/k_delta_common.py" />
      <source>{0#} users fail, and the greatest distance is {1#}, if clusters are computed again from the release's own clicks</source>
      <translation>{0#} Nutzer verfehlen es, und der größte Abstand ist {1#}, wenn Cluster erneut aus den Klicks der Freigabe berechnet werden</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/set_union.py" />
      <source>{0#} users give it a weight of {1#}, and the threshold is {2#} with noise of σ = {3#}: it {4}.</source>
      <translation>{0#} Nutzer geben ihr ein Gewicht von {1#}, und der Schwellenwert ist {2#} mit Rauschen von σ = {3#}: Sie {4*}.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/geo_vanity_report.py" />
      <source>{0#} users have no postal code in the profiles and are left out.</source>
      <translation>{0#} Nutzer haben keine Postleitzahl in den Profilen und bleiben außer Betracht.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/microaggregation_outlook.py" />
      <source>{0#} users make at most {1#} groups.</source>
      <translation>{0#} Nutzer ergeben höchstens {1#} Gruppen.</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/profile_exposure.py" />
      <source>{0#} users of the log are not in the release; they count as unexposed.</source>
      <translation>{0#} Nutzer des Protokolls sind nicht in der Freigabe; sie gelten als nicht preisgegeben.</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/profile_exposure.py" />
      <source>{0#} users of the release are not in the log.</source>
      <translation>{0#} Nutzer der Freigabe sind nicht im Protokoll.</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/user_clustering.py" />
      <source>{0#} users, clustered by the distance of their queries. The difference of two releases is the source's Fig. 6.</source>
      <translation>{0#} Nutzer, gruppiert nach dem Abstand ihrer Anfragen. Der Unterschied zweier Freigaben ist Abb. 6 der Quelle.</translation>
    </message>
    <message>
      <location filename="../../auditor" />
      <source>{0#} words</source>
      <translation>{0#} Wörter</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/safelog_statement.py" />
      <source>{0#} {1} are released and so known to have occurred; {2#} of them occurred once</source>
      <translation>{0#} {1*} sind freigegeben und damit als vorgekommen bekannt; {2#} davon kamen einmal vor</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_tables.py" />
      <source>{0} % of the period</source>
      <translation>{0} % des Zeitraums</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_tables.py" />
      <source>{0} (beyond the source)</source>
      <translation>{0*} (über die Quelle hinaus)</translation>
    </message>
    <message>
      <location filename="../../auditor" />
      <source>{0} (chance {1})</source>
      <translation>{0*} (Wahrscheinlichkeit {1})</translation>
    </message>
    <message>
      <location filename="../../auditor/release/comparison.py" />
      <source>{0} (has no such figure)</source>
      <translation>{0} (hat keine solche Kennzahl)</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/dp_audit_report.py" />
      <source>{0} (no ε holds)</source>
      <translation>{0*} (kein ε gilt)</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/structural_report.py" />
      <source>{0} (slope {1#})</source>
      <translation>{0*} (Steigung {1#})</translation>
    </message>
    <message>
      <location filename="../../auditor/release/wording.py" />
      <source>{0} ({1} to {2})</source>
      <translation>{0} ({1} bis {2})</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_tables.py" />
      <source>{0} Bootstrap of {1} pairs, or a tenth of n if that is less; they are left out of both counts.</source>
      <translation>{0*} Anfangs {1} Paare, oder ein Zehntel von n, wenn das weniger ist; sie zählen bei keiner der beiden Zahlen.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/k_delta_explain.py" />
      <source>{0} Nothing is suppressed in this mode.</source>
      <translation>{0*} In diesem Modus entfällt nichts.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/dp_audit_report.py" />
      <source>{0} So many runs could have shown up to {1#}; the truth may lie between.</source>
      <translation>{0*} So viele Läufe hätten bis zu {1#} zeigen können; die Wahrheit kann dazwischen liegen.</translation>
    </message>
    <message>
      <location filename="../../auditor/release/ledger_totals.py" />
      <source>{0} So these are together ε = {1}, δ = {2}.</source>
      <translation>{0*} Also sind diese zusammen ε = {1}, δ = {2}.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/dp_audit_report.py" />
      <source>{0} That confirms nothing: so many runs can't show more than {1#}, and the claim lies above.</source>
      <translation>{0*} Das bestätigt nichts: So viele Läufe können nicht mehr als {1#} zeigen, und die Behauptung liegt darüber.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/vanity_report.py" />
      <source>{0} among the {1} weightiest for a name</source>
      <translation>{0*} unter den {1} gewichtigsten zu einem Namen</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_report.py" />
      <source>{0} bits</source>
      <translation>{0} Bits</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/bundling.py" />
      <source>{0} bundles of {1#} users on average, put </source>
      <translation>{0} Bündeln mit im Mittel {1#} Nutzern, </translation>
    </message>
    <message>
      <location filename="../../auditor/release/gates.py" />
      <source>{0} by {1}</source>
      <translation>{0*} durch {1*}</translation>
    </message>
    <message>
      <location filename="../../auditor/release/signing.py" />
      <source>{0} can be read by others than you. A key that signs releases must be yours alone: chmod 600, or make a new one.</source>
      <translation>{0} können auch andere lesen. Ein Schlüssel, der Freigaben signiert, darf nur Ihnen gehören: chmod 600, oder legen Sie einen neuen an.</translation>
    </message>
    <message>
      <location filename="../../auditor/log/splits.py" />
      <source>{0} can't be cut and is read by one task: {1}</source>
      <translation>{0} lässt sich nicht teilen und wird von einer Aufgabe gelesen: {1*}</translation>
    </message>
    <message>
      <location filename="../../auditor/release/target.py" />
      <source>{0} can't be made there. Name another place.</source>
      <translation>{0} kann dort nicht angelegt werden. Nennen Sie eine andere Stelle.</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/site_clustering.py" />
      <source>{0} can't be read as a CSV table ({1}).</source>
      <translation>{0} ist nicht als CSV-Tabelle lesbar ({1*}).</translation>
    </message>
    <message>
      <location filename="../../auditor/release/target.py" />
      <source>{0} can't be read. Choose another folder.</source>
      <translation>{0} ist nicht lesbar. Wählen Sie einen anderen Ordner.</translation>
    </message>
    <message>
      <location filename="../../auditor/release/signing.py" />
      <source>{0} can't be read: {1}.</source>
      <translation>{0} ist nicht lesbar: {1*}.</translation>
    </message>
    <message>
      <location filename="../../auditor/release/approve.py" />
      <source>{0} can't be signed: {1}.</source>
      <translation>{0} kann nicht signiert werden: {1*}.</translation>
    </message>
    <message>
      <location filename="../../auditor/release/signing.py" />
      <source>{0} can't be written: {1}.</source>
      <translation>{0} kann nicht geschrieben werden: {1*}.</translation>
    </message>
    <message>
      <location filename="../../auditor/release/approve.py" />
      <source>{0} changed during the approval: {1}.</source>
      <translation>{0} änderte sich während der Genehmigung: {1*}.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/bundling.py" />
      <source>{0} clicks are kept</source>
      <translation>{0} Klicks bleiben</translation>
    </message>
    <message>
      <location filename="../../auditor/privacy/verify_k_delta.py" />
      <source>{0} clusters for {1} queries</source>
      <translation>{0} Cluster für {1} Anfragen</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_topic_tables.py" />
      <source>{0} days</source>
      <translation>{0} Tage</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/geo_vanity_report.py" />
      <source>{0} digits</source>
      <translation>{0} Ziffern</translation>
    </message>
    <message>
      <location filename="../../auditor/release/signing.py" />
      <source>{0} does not exist. Check {1}.</source>
      <translation>{0} gibt es nicht. Prüfen Sie {1}.</translation>
    </message>
    <message>
      <location filename="../../auditor/log/sources.py" />
      <source>{0} grew while it was read; what came later is not in the log</source>
      <translation>{0} wuchs während des Lesens; was später kam, ist nicht im Protokoll</translation>
    </message>
    <message>
      <location filename="../../auditor/engine/sweeping.py" />
      <source>{0} has no limit per user: it has no q_f.</source>
      <translation>{0} hat keine Grenze je Nutzer: Es hat kein q_f.</translation>
    </message>
    <message>
      <location filename="../../auditor/params.py" />
      <source>{0} has no parameter '{1}'. It has: {2}.</source>
      <translation>{0} hat keinen Parameter '{1}'. Es hat: {2}.</translation>
    </message>
    <message>
      <location filename="../../auditor/release/export.py" />
      <source>{0} holds a release already. Name another folder, or ask for the old release to be replaced (--overwrite).</source>
      <translation>{0} enthält schon eine Freigabe. Nennen Sie einen anderen Ordner, oder verlangen Sie, dass die alte ersetzt wird (--overwrite).</translation>
    </message>
    <message>
      <location filename="../../auditor/release/signing.py" />
      <source>{0} holds no {1} Ed25519 key in PEM format.</source>
      <translation>{0} enthält keinen {1*} Ed25519-Schlüssel im PEM-Format.</translation>
    </message>
    <message>
      <location filename="../../auditor/release/export.py" />
      <source>{0} holds other things than a release. Name a folder that does not exist yet, or an empty one.</source>
      <translation>{0} enthält anderes als eine Freigabe. Nennen Sie einen Ordner, den es noch nicht gibt, oder einen leeren.</translation>
    </message>
    <message>
      <location filename="../../auditor/release/target.py" />
      <source>{0} holds other things than this command writes. Name a folder that does not exist yet.</source>
      <translation>{0} enthält anderes, als dieser Befehl schreibt. Nennen Sie einen Ordner, den es noch nicht gibt.</translation>
    </message>
    <message>
      <location filename="../../auditor/release/export.py" />
      <source>{0} holds the log itself. Name a folder of its own for the release.</source>
      <translation>{0} enthält das Protokoll selbst. Nennen Sie einen eigenen Ordner für die Freigabe.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/k_delta_common.py" />
      <source>{0} holds: every released user has the company of at least {1#} </source>
      <translation>{0*} gilt: Jeder freigegebene Nutzer hat mindestens {1#} </translation>
    </message>
    <message>
      <location filename="../../auditor" />
      <source>{0} holds: every released user has the company of at least {1#} others whose shares of every query cluster are exactly the same.</source>
      <translation>{0*} gilt: Jeder freigegebene Nutzer hat mindestens {1#} andere neben sich, deren Anteile jedes Anfragenclusters genau dieselben sind.</translation>
    </message>
    <message>
      <location filename="../../auditor" />
      <source>{0} holds: every released user has the company of at least {1#} others whose shares of every query cluster are within {2#} of hers, {3#} of them exactly the same.</source>
      <translation>{0*} gilt: Jeder freigegebene Nutzer hat mindestens {1#} andere neben sich, deren Anteile jedes Anfragenclusters innerhalb von {2#} liegen, bei {3#} davon genau dieselben.</translation>
    </message>
    <message>
      <location filename="../../auditor/release/export.py" />
      <source>{0} is a file. Name a folder that does not exist yet.</source>
      <translation>{0} ist eine Datei. Nennen Sie einen Ordner, den es noch nicht gibt.</translation>
    </message>
    <message>
      <location filename="../../auditor/release/export.py" />
      <source>{0} is a link. Name the folder itself.</source>
      <translation>{0} ist eine Verknüpfung. Nennen Sie den Ordner selbst.</translation>
    </message>
    <message>
      <location filename="../../auditor/release/approve.py" />
      <source>{0} is approved already.</source>
      <translation>{0} ist schon genehmigt.</translation>
    </message>
    <message>
      <location filename="../../auditor/project/file.py" />
      <source>{0} is no JSON</source>
      <translation>{0} ist kein JSON</translation>
    </message>
    <message>
      <location filename="../../auditor/release/ledger.py" />
      <source>{0} is no file. Name the ledger itself.</source>
      <translation>{0} ist keine Datei. Nennen Sie das Freigabebuch selbst.</translation>
    </message>
    <message>
      <location filename="../../auditor/release/ledger.py" />
      <source>{0} is no ledger, or it is damaged.</source>
      <translation>{0} ist kein Freigabebuch, oder es ist beschädigt.</translation>
    </message>
    <message>
      <location filename="../../auditor/release/approve.py" />
      <source>{0} is not as it was audited: {1}. Audit it anew, or name the public audit key of whoever did by --audit-key.</source>
      <translation>{0} ist nicht, wie es geprüft wurde: {1*}. Prüfen Sie es neu, oder nennen Sie mit --audit-key den öffentlichen Prüfschlüssel dessen, der es tat.</translation>
    </message>
    <message>
      <location filename="../../auditor/release/approve.py" />
      <source>{0} is not as its manifest says: {1}.</source>
      <translation>{0} ist nicht, wie das Manifest sagt: {1*}.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/k_delta_outlook.py" />
      <source>{0} is not certain: whole numbers of searches need not have the shares that are </source>
      <translation>{0*} ist nicht sicher: Ganze Zahlen von Suchen müssen nicht die Anteile haben, die </translation>
    </message>
    <message>
      <location filename="../../auditor/methods/k_delta_common.py" />
      <source>{0} is not reached: it fails for {1#} of {2#} users, </source>
      <translation>{0*} wird nicht erreicht: Sie gilt für {1#} von {2#} Nutzern nicht, </translation>
    </message>
    <message>
      <location filename="../../auditor/methods/safelog_statement.py" />
      <source>{0} known beforehand</source>
      <translation>{0*} im Voraus bekannt</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/dp_audit_trials.py" />
      <source>{0} ladder {1}</source>
      <translation>{0} Leiter {1}</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/dp_audit_logs.py" />
      <source>{0} lifted {1} {2}</source>
      <translation>{0} gehoben {1} {2}</translation>
    </message>
    <message>
      <location filename="../../auditor/release/manifest.py" />
      <source>{0} more files are not in the manifest</source>
      <translation>{0} weitere Dateien stehen nicht im Manifest</translation>
    </message>
    <message>
      <location filename="../../auditor/privacy/accounting.py" />
      <source>{0} must be at least 1, not {1#}</source>
      <translation>{0} muss mindestens 1 sein, nicht {1#}</translation>
    </message>
    <message>
      <location filename="../../auditor/privacy/accounting.py" />
      <source>{0} must be in (0, 1), not {1#}</source>
      <translation>{0} muss in (0, 1) liegen, nicht {1#}</translation>
    </message>
    <message>
      <location filename="../../auditor/privacy/accounting.py" />
      <source>{0} must be positive and finite, not {1#}</source>
      <translation>{0} muss positiv und endlich sein, nicht {1#}</translation>
    </message>
    <message>
      <location filename="../../auditor/release/policy_schema.py" />
      <source>{0} needs 'least' or 'most'.</source>
      <translation>{0} braucht 'least' oder 'most'.</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/site_clustering.py" />
      <source>{0} needs the columns site and label.</source>
      <translation>{0} braucht die Spalten site und label.</translation>
    </message>
    <message>
      <location filename="../../auditor/fitting.py" />
      <source>{0} needs the log in memory: about {1}, and {2} may be taken. --sample-users {3#} fits; {4} take a log of any length.</source>
      <translation>{0} braucht das Protokoll im Speicher: etwa {1}, und {2} dürfen belegt werden. --sample-users {3#} passt; {4} verarbeiten ein Protokoll jeder Länge.</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/bundle_sizes.py" />
      <source>{0} of each bundle</source>
      <translation>{0*} jedes Bündels</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/user_clustering.py" />
      <source>{0} of users' clusters, mean over κ</source>
      <translation>{0*} der Nutzercluster, Mittel über κ</translation>
    </message>
    <message>
      <location filename="../../auditor/log/mapping.py" />
      <source>{0} or a pattern like %Y-%m-%d</source>
      <translation>{0*} oder ein Muster wie %Y-%m-%d</translation>
    </message>
    <message>
      <location filename="../../auditor/params.py" />
      <source>{0} or none ({1})</source>
      <translation>{0*} oder nichts ({1*})</translation>
    </message>
    <message>
      <location filename="../../auditor" />
      <source>{0} or {1}</source>
      <translation>{0*} oder {1*}</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/similarity.py" />
      <source>{0} per user</source>
      <translation>{0*} je Nutzer</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/dp_audit_logs.py" />
      <source>{0} rare {1} {2}</source>
      <translation>{0} selten {1} {2}</translation>
    </message>
    <message>
      <location filename="../../auditor/release/signing.py" />
      <source>{0} stands there already. No key is overwritten.</source>
      <translation>{0} liegt schon dort. Kein Schlüssel wird überschrieben.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/dp_audit_logs.py" />
      <source>{0} step {1} {2}</source>
      <translation>{0} Schritt {1} {2}</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/intervals.py" />
      <source>{0} successes in {1} trials</source>
      <translation>{0} Erfolge bei {1} Versuchen</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/frequencies.py" />
      <source>{0} that both have</source>
      <translation>{0*}, die beide haben</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/volume.py" />
      <source>{0} that the log never had: share</source>
      <translation>{0*}, die das Protokoll nie hatte: Anteil</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/dp_audit_logs.py" />
      <source>{0} unseen queries</source>
      <translation>{0} ungesehene Anfragen</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/dp_audit_logs.py" />
      <source>{0} unseen {1}</source>
      <translation>{0} ungesehen {1}</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/bundling.py" />
      <source>{0} users' queries stand in </source>
      <translation>Die Anfragen von {0} Nutzern stehen in </translation>
    </message>
    <message>
      <location filename="../../auditor/log/sources.py" />
      <source>{0} was named twice and is read once</source>
      <translation>{0} wurde zweimal genannt und einmal gelesen</translation>
    </message>
    <message>
      <location filename="../../auditor" />
      <source>{0} will hold: every user will have at least {1#} others whose shares of every query cluster are exactly hers.</source>
      <translation>{0*} wird gelten: Jeder Nutzer wird mindestens {1#} andere haben, deren Anteile jedes Anfragenclusters genau die eigenen sind.</translation>
    </message>
    <message>
      <location filename="../../auditor" />
      <source>{0} will hold: every user will have at least {1#} others whose shares of every query cluster are within {2#} of hers.</source>
      <translation>{0*} wird gelten: Jeder Nutzer wird mindestens {1#} andere haben, deren Anteile jedes Anfragenclusters innerhalb von {2#} der eigenen liegen.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/k_delta_outlook.py" />
      <source>{0} will hold: every user will have {1} whose shares of every query </source>
      <translation>{0*} wird gelten: Jeder Nutzer wird {1*} haben, deren Anteile jedes Anfragen-</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/safelog_statement.py" />
      <source>{0} with the discrete tail</source>
      <translation>{0} mit dem diskreten Ausläufer</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/dp_audit_logs.py" />
      <source>{0} {1} she</source>
      <translation>{0} {1} sie</translation>
    </message>
    <message>
      <location filename="../../auditor" />
      <source>{0} ≤ {1#}</source>
      <translation>{0*} ≤ {1#}</translation>
    </message>
    <message>
      <location filename="../../auditor" />
      <source>{0} ≥ {1#}</source>
      <translation>{0*} ≥ {1#}</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/vanity_report.py" />
      <source>{0}, Figure 2</source>
      <translation>{0}, Abbildung 2</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/vanity_report.py" />
      <source>{0}, Figure 3</source>
      <translation>{0}, Abbildung 3</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/vanity_report.py" />
      <source>{0}, Figures 2 and 3</source>
      <translation>{0}, Abbildungen 2 und 3</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/vanity_report.py" />
      <source>{0}, Table 3</source>
      <translation>{0}, Tabelle 3</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/vanity_report.py" />
      <source>{0}, Table 4</source>
      <translation>{0}, Tabelle 4</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/entity_report.py" />
      <source>{0}, Table 6</source>
      <translation>{0}, Tabelle 6</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/entity_report.py" />
      <source>{0}, Table 7</source>
      <translation>{0}, Tabelle 7</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_report.py" />
      <source>{0}, Table 8</source>
      <translation>{0}, Tabelle 8</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_report.py" />
      <source>{0}, Table 9</source>
      <translation>{0}, Tabelle 9</translation>
    </message>
    <message>
      <location filename="../../auditor/release/ledger_totals.py" />
      <source>{0}, and no total: their units differ, and can't be added.</source>
      <translation>{0*}, und keine Summe: Ihre Einheiten unterscheiden sich und lassen sich nicht zusammenzählen.</translation>
    </message>
    <message>
      <location filename="../../auditor/release/ledger_totals.py" />
      <source>{0}, and no total: {1#} has no guarantee that adds up, so no ε bounds what all of them tell together.</source>
      <translation>{0*}, und keine Summe: {1#} hat keine Garantie, die sich summiert, also begrenzt kein ε, was sie alle zusammen verraten.</translation>
    </message>
    <message>
      <location filename="../../auditor/release/ledger_totals.py" />
      <source>{0}, and no total: {1#} have no guarantee that adds up, so no ε bounds what all of them tell together.</source>
      <translation>{0*}, und keine Summe: {1#} haben keine Garantie, die sich summiert, also begrenzt kein ε, was sie alle zusammen verraten.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/geo_vanity_report.py" />
      <source>{0}, another's home</source>
      <translation>{0*}, Wohnort eines anderen</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/vanity_report.py" />
      <source>{0}, at least {1}</source>
      <translation>{0*}, mindestens {1}</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/explain_counts.py" />
      <source>{0}, but the pool holds it: noise alone lifts it to {1}, and it {2}.</source>
      <translation>{0*}, doch der Vorrat enthält sie: Allein das Rauschen hebt sie auf {1}, und sie {2*}.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/explain_counts.py" />
      <source>{0}, but the pool may hold it: noise alone lifts it to {1}, and it {2}.</source>
      <translation>{0*}, doch der Vorrat kann sie enthalten: Allein das Rauschen hebt sie auf {1}, und sie {2*}.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_tables.py" />
      <source>{0}, figure 1</source>
      <translation>{0}, Abbildung 1</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_report.py" />
      <source>{0}, figure 3</source>
      <translation>{0}, Abbildung 3</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_scores.py" />
      <source>{0}, figures 1 and 4</source>
      <translation>{0}, Abbildungen 1 und 4</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/vanity_report.py" />
      <source>{0}, in bundles</source>
      <translation>{0*}, in Bündeln</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/vanity_report.py" />
      <source>{0}, in random order</source>
      <translation>{0*}, in zufälliger Reihenfolge</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_tables.py" />
      <source>{0}, section 3.3</source>
      <translation>{0}, Abschnitt 3.3</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_tables.py" />
      <source>{0}, section 3.4.2</source>
      <translation>{0}, Abschnitt 3.4.2</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_report.py" />
      <source>{0}, section 5.3</source>
      <translation>{0}, Abschnitt 5.3</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_report.py" />
      <source>{0}, section 6.4</source>
      <translation>{0}, Abschnitt 6.4</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_tables.py" />
      <source>{0}, table 1</source>
      <translation>{0}, Tabelle 1</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_report.py" />
      <source>{0}, table 2</source>
      <translation>{0}, Tabelle 2</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_tables.py" />
      <source>{0}, table 3 and figure 4</source>
      <translation>{0}, Tabelle 3 und Abbildung 4</translation>
    </message>
    <message>
      <location filename="../../auditor/release/ledger_totals.py" />
      <source>{0}, together ε = {1} and δ = {2}. Protected: {3}; neighbouring logs: {4}.</source>
      <translation>{0*}, zusammen ε = {1} und δ = {2}. Geschützt: {3*}; benachbarte Protokolle: {4*}.</translation>
    </message>
    <message>
      <location filename="../../auditor/release/gates.py" />
      <source>{0}, wanted {1}{2}</source>
      <translation>{0*}, gewünscht {1*}{2*}</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/retrieval_report.py" />
      <source>{0}, {1}, all test queries</source>
      <translation>{0*}, {1*}, alle Prüfanfragen</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/retrieval_report.py" />
      <source>{0}, {1}, queries found</source>
      <translation>{0*}, {1*}, gefundene Anfragen</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/trends.py" />
      <source>{0}. Read it beside the share of queries found.</source>
      <translation>{0*}. Lesen Sie es neben dem Anteil gefundener Anfragen.</translation>
    </message>
    <message>
      <location filename="../../auditor/release/policy_schema.py" />
      <source>{0}.least must not be above {1}.most.</source>
      <translation>{0}.least darf nicht über {1}.most liegen.</translation>
    </message>
    <message>
      <location filename="../../auditor/release/policy_schema.py" />
      <source>{0}.{1} must be a number in {2}.</source>
      <translation>{0}.{1} muss eine Zahl in {2} sein.</translation>
    </message>
    <message>
      <location filename="../../auditor/release/policy_schema.py" />
      <source>{0}.{1} must be a whole number.</source>
      <translation>{0}.{1} muss eine ganze Zahl sein.</translation>
    </message>
    <message>
      <location filename="../../auditor/release/manifest.py" />
      <source>{0}: 'files' must map names to hashes</source>
      <translation>{0}: 'files' muss Namen auf Prüfsummen abbilden</translation>
    </message>
    <message>
      <location filename="../../auditor/release/manifest.py" />
      <source>{0}: '{1}' is missing</source>
      <translation>{0}: '{1}' fehlt</translation>
    </message>
    <message>
      <location filename="../../auditor/release/manifest.py" />
      <source>{0}: '{1}' is no plain file name</source>
      <translation>{0}: '{1}' ist kein einfacher Dateiname</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_scores.py" />
      <source>{0}: accuracy {1#} so far</source>
      <translation>{0*}: Genauigkeit bisher {1#}</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/k_delta_outlook.py" />
      <source>{0}: best at k = {1#}</source>
      <translation>{0*}: am besten bei k = {1#}</translation>
    </message>
    <message>
      <location filename="../../auditor/release/manifest.py" />
      <source>{0}: can't be read</source>
      <translation>{0}: nicht lesbar</translation>
    </message>
    <message>
      <location filename="../../auditor/release/manifest.py" />
      <source>{0}: changed since the export (SHA-256 differs)</source>
      <translation>{0}: seit dem Export geändert (SHA-256 weicht ab)</translation>
    </message>
    <message>
      <location filename="../../auditor/release/signing.py" />
      <source>{0}: does not fit {1}, which was changed after it was signed</source>
      <translation>{0}: passt nicht zu {1}, das nach dem Signieren geändert wurde</translation>
    </message>
    <message>
      <location filename="../../auditor/release/signing.py" />
      <source>{0}: does not fit {1}, which was changed after the audit</source>
      <translation>{0}: passt nicht zu {1}, das nach der Prüfung geändert wurde</translation>
    </message>
    <message>
      <location filename="../../auditor/release/policy_schema.py" />
      <source>{0}: flagged sessions of which something stands in the release.</source>
      <translation>{0*}: auffällige Sitzungen, von denen etwas in der Freigabe steht.</translation>
    </message>
    <message>
      <location filename="../../auditor/release/manifest.py" />
      <source>{0}: larger than {1} MB</source>
      <translation>{0}: größer als {1} MB</translation>
    </message>
    <message>
      <location filename="../../auditor/release/signing.py" />
      <source>{0}: made with another key than the one given</source>
      <translation>{0}: mit einem anderen Schlüssel als dem angegebenen erstellt</translation>
    </message>
    <message>
      <location filename="../../auditor/release/signing.py" />
      <source>{0}: made with the audit key of another person or machine</source>
      <translation>{0}: mit dem Prüfschlüssel einer anderen Person oder Maschine erstellt</translation>
    </message>
    <message>
      <location filename="../../auditor/release/manifest.py" />
      <source>{0}: missing</source>
      <translation>{0}: fehlt</translation>
    </message>
    <message>
      <location filename="../../auditor/release/signing.py" />
      <source>{0}: missing: no audit of this program's wrote this release</source>
      <translation>{0}: fehlt: Keine Prüfung dieses Programms schrieb diese Freigabe</translation>
    </message>
    <message>
      <location filename="../../auditor/release/signing.py" />
      <source>{0}: missing: nobody has signed this release</source>
      <translation>{0}: fehlt: Niemand hat diese Freigabe signiert</translation>
    </message>
    <message>
      <location filename="../../auditor/release/manifest.py" />
      <source>{0}: names no data file</source>
      <translation>{0}: nennt keine Datendatei</translation>
    </message>
    <message>
      <location filename="../../auditor/release/manifest.py" />
      <source>{0}: not a JSON object</source>
      <translation>{0}: kein JSON-Objekt</translation>
    </message>
    <message>
      <location filename="../../auditor/release/manifest.py" />
      <source>{0}: not a regular file</source>
      <translation>{0}: keine gewöhnliche Datei</translation>
    </message>
    <message>
      <location filename="../../auditor/release/manifest.py" />
      <source>{0}: not a regular file, or can't be read</source>
      <translation>{0}: keine gewöhnliche Datei, oder nicht lesbar</translation>
    </message>
    <message>
      <location filename="../../auditor/release/signing.py" />
      <source>{0}: not a seal of this program's</source>
      <translation>{0}: kein Siegel dieses Programms</translation>
    </message>
    <message>
      <location filename="../../auditor/release/signing.py" />
      <source>{0}: not a signature of this program's</source>
      <translation>{0}: keine Signatur dieses Programms</translation>
    </message>
    <message>
      <location filename="../../auditor/release/manifest.py" />
      <source>{0}: not in the manifest</source>
      <translation>{0}: nicht im Manifest</translation>
    </message>
    <message>
      <location filename="../../auditor/release/manifest.py" />
      <source>{0}: not the manifest of a release, or of another version</source>
      <translation>{0}: nicht das Manifest einer Freigabe, oder von anderer Version</translation>
    </message>
    <message>
      <location filename="../../auditor/release/manifest.py" />
      <source>{0}: not valid JSON</source>
      <translation>{0}: kein gültiges JSON</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/own_names.py" />
      <source>{0}: profiles need the columns 'user' and 'name', 'userid' or 'zip'.</source>
      <translation>{0}: Profile brauchen die Spalten 'user' und 'name', 'userid' oder 'zip'.</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/volume.py" />
      <source>{0}: released</source>
      <translation>{0*}: freigegeben</translation>
    </message>
    <message>
      <location filename="../../auditor/release/gates.py" />
      <source>{0}: run the measure {1}</source>
      <translation>{0*}: führen Sie das Maß {1} aus</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/volume.py" />
      <source>{0}: share kept</source>
      <translation>{0*}: behaltener Anteil</translation>
    </message>
    <message>
      <location filename="../../auditor/release/gates.py" />
      <source>{0}: the attack {1} was not run</source>
      <translation>{0*}: der Angriff {1} wurde nicht ausgeführt</translation>
    </message>
    <message>
      <location filename="../../auditor/release/gates.py" />
      <source>{0}: the attack {1} {2}</source>
      <translation>{0*}: der Angriff {1} {2*}</translation>
    </message>
    <message>
      <location filename="../../auditor/release/manifest.py" />
      <source>{0}: the hash of '{1}' is no SHA-256</source>
      <translation>{0}: Die Prüfsumme von '{1}' ist kein SHA-256</translation>
    </message>
    <message>
      <location filename="../../auditor/project/settings.py" />
      <source>{0}: the parameters no longer go together, and are the defaults.</source>
      <translation>{0}: Die Parameter passen nicht mehr zusammen und stehen auf ihren Vorgaben.</translation>
    </message>
    <message>
      <location filename="../../auditor/project/settings.py" />
      <source>{0}: {1} can't be what it was, and is at its default.</source>
      <translation>{0}: {1} kann nicht sein, was es war, und steht auf seiner Vorgabe.</translation>
    </message>
    <message>
      <location filename="../../auditor/release/gates.py" />
      <source>{0}: {1} flagged no sessions</source>
      <translation>{0*}: {1} meldete keine Sitzungen</translation>
    </message>
    <message>
      <location filename="../../auditor/ledgers.py" />
      <source>{0}: {1} up to where the chain breaks</source>
      <translation>{0}: {1*} bis zum Bruch der Kette</translation>
    </message>
    <message>
      <location filename="../../auditor/ledgers.py" />
      <source>{0}: {1}, each as it was written; head {2}</source>
      <translation>{0}: {1*}, jeder wie er geschrieben wurde; Kopf {2}</translation>
    </message>
    <message>
      <location filename="../../auditor/release/ledger_totals.py" />
      <source>{0}: ε = {1} and δ = {2}. Protected: {3}; neighbouring logs: {4}.</source>
      <translation>{0*}: ε = {1} und δ = {2}. Geschützt: {3*}; benachbarte Protokolle: {4*}.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/safelog_statement.py" />
      <source>{0}; ln α = {1} as printed, </source>
      <translation>{0*}; ln α = {1} wie gedruckt, </translation>
    </message>
    <message>
      <location filename="../../auditor/measures/trends.py" />
      <source>{0}; one that isn't released counts 0.</source>
      <translation>{0*}; eine nicht freigegebene zählt 0.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_truth.py" />
      <source>{0}; the log is taken for hashed already</source>
      <translation>{0*}; das Protokoll gilt als schon gehasht</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_truth.py" />
      <source>{0}; the true words are not known</source>
      <translation>{0*}; die wahren Wörter sind nicht bekannt</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/surviving_content.py" />
      <source>{0}; validated identifiers and the look-up in the release are beyond it</source>
      <translation>{0}; geprüfte Kennungen und das Nachsehen in der Freigabe gehen darüber hinaus</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/k_delta_outlook.py" />
      <source>{0}computation time</source>
      <translation>{0}Rechenzeit</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/k_delta_outlook.py" />
      <source>{0}queries added and suppressed</source>
      <translation>{0}hinzugefügte und entfallene Anfragen</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/k_delta_outlook.py" />
      <source>{0}queries added and suppressed per user</source>
      <translation>{0}hinzugefügte und entfallene Anfragen je Nutzer</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/k_delta_outlook.py" />
      <source>{0}similarity over k</source>
      <translation>{0}Ähnlichkeit über k</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/k_delta_outlook.py" />
      <source>{0}similarity over users</source>
      <translation>{0}Ähnlichkeit über Nutzer</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/profile_exposure.py" />
      <source>{0}th percentile (%)</source>
      <translation>{0}. Perzentil (%)</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/k_delta_outlook.py" />
      <source>{0}the best k of a group of users</source>
      <translation>{0}das beste k einer Gruppe von Nutzern</translation>
    </message>
    <message>
      <location filename="../../auditor/privacy/records.py" />
      <source>{0}{1#} rows</source>
      <translation>{0*}{1#} Zeilen</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/entities.py" />
      <source>{0}{1}. Attacked: {2#} users, {3#} rows.</source>
      <translation>{0*}{1*}. Angegriffen: {2#} Nutzer, {3#} Zeilen.</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/profile_exposure.py" />
      <source>{0}{1}: these are the profiles that somebody sees who has found a user's record.</source>
      <translation>{0*}{1*}: Dies sind die Profile, die jemand sieht, der den Datensatz eines Nutzers gefunden hat.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/bundling.py" />
      <source>{0}{1}together by {2} ({3}). A bundle's number says nothing by itself; the queries in it are readable, and what one person asked can often be told from what the others did. There is no formal guarantee.</source>
      <translation>{0*}{1*}zusammengelegt nach {2*} ({3*}). Die Nummer eines Bündels sagt für sich nichts; die Anfragen darin sind lesbar, und was eine Person fragte, lässt sich oft von dem der anderen unterscheiden. Es gibt keine formale Garantie.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/inversion_report.py" />
      <source>|rank A − rank R|</source>
      <translation>|Rang A − Rang R|</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/frequencies.py" />
      <source>|released − log| ÷ log, for the one in the middle.</source>
      <translation>|freigegeben − Protokoll| ÷ Protokoll, für den mittleren Eintrag.</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/frequencies.py" />
      <source>|released − log| ÷ log; a missing one has an error of 1.</source>
      <translation>|freigegeben − Protokoll| ÷ Protokoll; Fehlendes hat den Fehler 1.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/outlook.py" />
      <source>δ</source>
      <translation>δ</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/statements.py" />
      <source>δ = {0} &lt; 1/{1#} = {2#}; δ times users is {3}</source>
      <translation>δ = {0} &lt; 1/{1#} = {2#}; δ mal Nutzer ist {3}</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/statements.py" />
      <source>δ = {0} ≥ 1/{1#} = {2#}; δ times users is {3}</source>
      <translation>δ = {0} ≥ 1/{1#} = {2#}; δ mal Nutzer ist {3}</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/statements.py" />
      <source>δ is below one in the number of users; above it, δ allows to show some user's whole history.</source>
      <translation>δ liegt unter eins durch die Zahl der Nutzer; darüber erlaubt δ, den ganzen Verlauf irgendeines Nutzers zu zeigen.</translation>
    </message>
    <message>
      <location filename="../../resources/policies" />
      <source>δ is far below one in the users</source>
      <translation>δ liegt weit unter eins durch die Nutzerzahl</translation>
    </message>
    <message>
      <location filename="../../resources/policies" />
      <source>δ is nothing, even over all users</source>
      <translation>δ ist nichts, auch über alle Nutzer</translation>
    </message>
    <message>
      <location filename="../../resources/policies" />
      <source>δ is the chance that the promise is broken for somebody; nothing published comes back.</source>
      <translation>δ ist die Wahrscheinlichkeit, dass die Zusage für jemanden bricht; Veröffentlichtes kommt nie zurück.</translation>
    </message>
    <message>
      <location filename="../../auditor/release/policy_schema.py" />
      <source>δ of all approved releases of this log together, this one included.</source>
      <translation>δ aller genehmigten Freigaben dieses Protokolls zusammen, diese inbegriffen.</translation>
    </message>
    <message>
      <location filename="../../auditor/release/policy_schema.py" />
      <source>δ of all approved releases of this log together, times its users.</source>
      <translation>δ aller genehmigten Freigaben dieses Protokolls zusammen, mal seine Nutzer.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/outlook.py" />
      <source>δ over the threshold K</source>
      <translation>δ über dem Schwellenwert K</translation>
    </message>
    <message>
      <location filename="../../auditor/release/policy_schema.py" />
      <source>δ times the users of the log; at 1, δ allows to show one user's whole history.</source>
      <translation>δ mal die Nutzer des Protokolls; bei 1 erlaubt δ, den ganzen Verlauf eines Nutzers zu zeigen.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/outlook.py" />
      <source>ε</source>
      <translation>ε</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/dp_audit_summary.py" />
      <source>ε (0 shows nothing of any user)</source>
      <translation>ε (0 zeigt nichts von irgendeinem Nutzer)</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/dp_audit_report.py" />
      <source>ε (0: nobody can tell whether she is in the log)</source>
      <translation>ε (0: niemand kann sagen, ob sie im Protokoll steht)</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/dp_audit_report.py" />
      <source>ε is at least</source>
      <translation>ε ist mindestens</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/dp_audit_report.py" />
      <source>ε is at least (within the claim)</source>
      <translation>ε ist mindestens (innerhalb der Behauptung)</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/dp_audit_report.py" />
      <source>ε is at least, by sampling</source>
      <translation>ε ist mindestens, durch Stichproben</translation>
    </message>
    <message>
      <location filename="../../resources/policies" />
      <source>ε is not too large</source>
      <translation>ε ist nicht zu groß</translation>
    </message>
    <message>
      <location filename="../../resources/policies" />
      <source>ε is small</source>
      <translation>ε ist klein</translation>
    </message>
    <message>
      <location filename="../../auditor/release/policy_schema.py" />
      <source>ε of all approved releases of this log together, this one included.</source>
      <translation>ε aller genehmigten Freigaben dieses Protokolls zusammen, diese inbegriffen.</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/outlook.py" />
      <source>ε over the chance to be in the pool</source>
      <translation>ε über der Wahrscheinlichkeit, im Vorrat zu sein</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/outlook.py" />
      <source>ε over the noise b</source>
      <translation>ε über dem Rauschen b</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/set_union.py" />
      <source>ρ = {0#} of all rounds and of the counts together, as an (ε, δ)</source>
      <translation>ρ = {0#} aller Runden und der Anzahlen zusammen, als (ε, δ)</translation>
    </message>
    <message>
      <location filename="../../auditor/methods/zealous.py" />
      <source>τ' = m(1 − ln(2δ'/m)/ε'), with which δ' does not hold for the printed noise.</source>
      <translation>τ' = m(1 − ln(2δ'/m)/ε'), womit δ' für das gedruckte Rauschen nicht gilt.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/fiber_report.py" />
      <source>χ² from</source>
      <translation>χ² ab</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/dp_audit_summary.py" />
      <source>– No ε is claimed, so there is none to audit.</source>
      <translation>– Kein ε wird behauptet, also ist keines zu prüfen.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/gates_card.py" />
      <source>– does not apply</source>
      <translation>– nicht anwendbar</translation>
    </message>
    <message>
      <location filename="../../auditor/measures/frequencies.py" />
      <source>– is a {0} that is not released.</source>
      <translation>– steht für nicht freigegebene Einträge ({0*}).</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/surviving_report.py" />
      <source>… asked by one user</source>
      <translation>… von einem Nutzer</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/surviving_report.py" />
      <source>… of which a marked string survives</source>
      <translation>… von denen eine markierte Zeichenfolge erhalten bleibt</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/dp_audit_summary.py" />
      <source>✓ Not refuted: ε is at least {0#} {1}; the claim of {2} lies above. An audit can refute a claim and never prove it.</source>
      <translation>✓ Nicht widerlegt: ε ist mindestens {0#} {1*}; die Behauptung von {2} liegt darüber. Eine Prüfung kann eine Behauptung widerlegen, nie beweisen.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/gates_card.py" />
      <source>✓ passed</source>
      <translation>✓ erfüllt</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/dp_audit_summary.py" />
      <source>✗ By the statement itself {0} assumption fails: {1}.</source>
      <translation>✗ Laut der Zusicherung selbst trifft {0} Annahme nicht zu: {1}.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/dp_audit_summary.py" />
      <source>✗ By the statement itself {0} assumptions fail: {1}.</source>
      <translation>✗ Laut der Zusicherung selbst treffen {0} Annahmen nicht zu: {1}.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/dp_audit_summary.py" />
      <source>✗ Refuted: no ε holds (ε = ∞). An output that is impossible without one user came out with a chance of at least {0#}, more than δ allows. Counting alone shows ε ≥ {1#}.</source>
      <translation>✗ Widerlegt: Kein ε gilt (ε = ∞). Eine Ausgabe, die ohne einen Nutzer unmöglich ist, kam mit einer Wahrscheinlichkeit von mindestens {0#} heraus, mehr als δ erlaubt. Zählen allein zeigt ε ≥ {1#}.</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/dp_audit_summary.py" />
      <source>✗ Refuted: ε is at least {0#} {1}, and at most {2} was claimed.</source>
      <translation>✗ Widerlegt: ε ist mindestens {0#} {1*}, und höchstens {2} wurde behauptet.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/gates_card.py" />
      <source>✗ failed</source>
      <translation>✗ nicht erfüllt</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/gates_card.py" />
      <source>✗ not measured</source>
      <translation>✗ nicht gemessen</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/dp_audit_summary.py" />
      <source>✗ shown, above the claim</source>
      <translation>✗ gezeigt, über der Behauptung</translation>
    </message>
    <message>
      <location filename="../../auditor/attacks/dp_audit_report.py" />
      <source>✗ ε is at least (above the claim)</source>
      <translation>✗ ε ist mindestens (über der Behauptung)</translation>
    </message>
  </context>
  <context>
    <name>EvidenceScale</name>
    <message>
      <location filename="../../auditor/gui/evidence_scale.py" />
      <source>? not audited</source>
      <translation>? nicht geprüft</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/evidence_scale.py" />
      <source>Claimed and audited ε</source>
      <translation>Behauptetes und geprüftes ε</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/evidence_scale.py" />
      <source>claimed: no finite ε</source>
      <translation>behauptet: kein endliches ε</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/evidence_scale.py" />
      <source>claimed: ε at most {}</source>
      <translation>behauptet: ε höchstens {}</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/evidence_scale.py" />
      <source>out of sight above {}</source>
      <translation>nicht erkennbar über {}</translation>
    </message>
  </context>
  <context>
    <name>ExplorePanel</name>
    <message>
      <location filename="../../auditor/gui/explore_panel.py" />
      <source>Cells done</source>
      <translation>Fertige Zellen</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/explore_panel.py" />
      <source>Choose two different parameters, or one alone.</source>
      <translation>Wählen Sie zwei verschiedene Parameter oder nur einen.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/explore_panel.py" />
      <source>Every figure is of a seeded preview, not of a release.</source>
      <translation>Jede Kennzahl gehört zu einer Vorschau mit Startwert, nicht zu einer Freigabe.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/explore_panel.py" />
      <source>Explore</source>
      <translation>Erkunden</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/explore_panel.py" />
      <source>Figure shown</source>
      <translation>Gezeigte Kennzahl</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/explore_panel.py" />
      <source>First parameter</source>
      <translation>Erster Parameter</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/explore_panel.py" />
      <source>Give every cell so many random users that their limited histories come to the same size: otherwise a lower limit per user is a smaller log, too.</source>
      <translation>Gibt jeder Zelle so viele zufällige Nutzer, dass ihre begrenzten Verläufe gleich groß werden: Sonst ist eine niedrigere Grenze je Nutzer zugleich ein kleineres Protokoll.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/explore_panel.py" />
      <source>More than {MOST_CELLS} cells: take fewer steps.</source>
      <translation>Mehr als {MOST_CELLS} Zellen: Nehmen Sie weniger Schritte.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/explore_panel.py" />
      <source>Over</source>
      <translation>Über</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/explore_panel.py" />
      <source>Second parameter</source>
      <translation>Zweiter Parameter</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/explore_panel.py" />
      <source>Stop</source>
      <translation>Anhalten</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/explore_panel.py" />
      <source>Stopped after {cells} cells, which stay.</source>
      <translation>Nach {cells} Zellen angehalten; diese bleiben.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/explore_panel.py" />
      <source>What is computed</source>
      <translation>Was berechnet wird</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/explore_panel.py" />
      <source>What is measured or attacked in every cell: less is quicker</source>
      <translation>Was in jeder Zelle gemessen oder angegriffen wird: weniger geht schneller</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/explore_panel.py" />
      <source>all that is chosen</source>
      <translation>alles, was gewählt ist</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/explore_panel.py" />
      <source>and</source>
      <translation>und</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/explore_panel.py" />
      <source>compute</source>
      <translation>rechne</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/explore_panel.py" />
      <source>equal data in every cell</source>
      <translation>gleich viele Daten je Zelle</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/explore_panel.py" />
      <source>show</source>
      <translation>zeige</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/explore_panel.py" />
      <source>{cells} of {wanted}</source>
      <translation>{cells} von {wanted}</translation>
    </message>
  </context>
  <context>
    <name>Explorer</name>
    <message>
      <location filename="../../auditor/gui/exploring.py" />
      <source>cell {number} of {wanted}</source>
      <translation>Zelle {number} von {wanted}</translation>
    </message>
  </context>
  <context>
    <name>ExposedModel</name>
    <message>
      <location filename="../../auditor/gui/compare_model.py" />
      <source>Exposed by</source>
      <translation>Preisgegeben durch</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/compare_model.py" />
      <source>First session (UTC)</source>
      <translation>Erste Sitzung (UTC)</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/compare_model.py" />
      <source>Risk in {}</source>
      <translation>Risiko in {}</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/compare_model.py" />
      <source>Sessions in {}</source>
      <translation>Sitzungen in {}</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/compare_model.py" />
      <source>User</source>
      <translation>Nutzer</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/compare_model.py" />
      <source>When (UTC)</source>
      <translation>Wann (UTC)</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/compare_model.py" />
      <source>Why in {}</source>
      <translation>Warum in {}</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/compare_model.py" />
      <source>both</source>
      <translation>beide</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/compare_model.py" />
      <source>{} only</source>
      <translation>nur {}</translation>
    </message>
  </context>
  <context>
    <name>ExposedView</name>
    <message>
      <location filename="../../auditor/gui/compare_exposed.py" />
      <source> and </source>
      <translation> und </translation>
    </message>
    <message>
      <location filename="../../auditor/gui/compare_exposed.py" />
      <source>All users</source>
      <translation>Alle Nutzer</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/compare_exposed.py" />
      <source>Attack</source>
      <translation>Angriff</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/compare_exposed.py" />
      <source>Exposed by</source>
      <translation>Preisgegeben durch</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/compare_exposed.py" />
      <source>Exposed by {first} and not by {second}: {users_1} users, {sessions_1} sessions. By {second} and not by {first}: {users_2} users, {sessions_2} sessions. By both: {users_3} users, {sessions_3} sessions.</source>
      <translation>Durch {first} und nicht durch {second} preisgegeben: {users_1} Nutzer, {sessions_1} Sitzungen. Durch {second} und nicht durch {first}: {users_2} Nutzer, {sessions_2} Sitzungen. Durch beide: {users_3} Nutzer, {sessions_3} Sitzungen.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/compare_exposed.py" />
      <source>Exposed users or sessions</source>
      <translation>Preisgegebene Nutzer oder Sitzungen</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/compare_exposed.py" />
      <source>Exposed: {why}. Risk {risk} of 1.</source>
      <translation>Preisgegeben: {why}. Risiko {risk} von 1.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/compare_exposed.py" />
      <source>Least risk that counts as exposed</source>
      <translation>Geringstes Risiko, das als preisgegeben zählt</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/compare_exposed.py" />
      <source>None of these runs has an attack that flags sessions. Switch one on under “Attacks and measures” and run again.</source>
      <translation>Keiner dieser Läufe enthält einen Angriff, der Sitzungen meldet. Schalten Sie unter „Angriffe und Maße“ einen ein und starten Sie erneut.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/compare_exposed.py" />
      <source>Not exposed.</source>
      <translation>Nicht preisgegeben.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/compare_exposed.py" />
      <source>Return or a double click opens a user's sessions, or a session</source>
      <translation>Eingabetaste oder Doppelklick öffnet die Sitzungen eines Nutzers oder eine Sitzung</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/compare_exposed.py" />
      <source>Run that the first is compared with</source>
      <translation>Lauf, mit dem der erste verglichen wird</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/compare_exposed.py" />
      <source>Sessions</source>
      <translation>Sitzungen</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/compare_exposed.py" />
      <source>Users</source>
      <translation>Nutzer</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/compare_exposed.py" />
      <source>Users or sessions</source>
      <translation>Nutzer oder Sitzungen</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/compare_exposed.py" />
      <source>Who is exposed by which run</source>
      <translation>Wer durch welchen Lauf preisgegeben wird</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/compare_exposed.py" />
      <source>risk ≥ </source>
      <translation>Risiko ≥ </translation>
    </message>
    <message>
      <location filename="../../auditor/gui/compare_exposed.py" />
      <source>{attack} flags nobody in run {runs}: it was not made there, does not apply, or came from a project, which keeps no sessions.</source>
      <translation>{attack} meldet in Lauf {runs} niemanden: Der Angriff wurde dort nicht ausgeführt, ist nicht anwendbar oder stammt aus einem Projekt, das keine Sitzungen aufbewahrt.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/compare_exposed.py" />
      <source>{first} against {second}</source>
      <translation>{first} gegen {second}</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/compare_exposed.py" />
      <source>{} or {}: {}</source>
      <translation>{} oder {}: {}</translation>
    </message>
  </context>
  <context>
    <name>FigureView</name>
    <message>
      <location filename="../../auditor/gui/plots/figure_view.py" />
      <source>
Follows {source}.</source>
      <translation>
Nach {source}.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/plots/figure_view.py" />
      <source>Nothing to draw for this setting.</source>
      <translation>Für diese Einstellung gibt es nichts zu zeichnen.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/plots/figure_view.py" />
      <source>{title}{follows}
Scroll to zoom, double-click to reset.</source>
      <translation>{title}{follows}
Scrollen zoomt, Doppelklick setzt zurück.</translation>
    </message>
  </context>
  <context>
    <name>FilterBar</name>
    <message>
      <location filename="../../auditor/gui/filter_bar.py" />
      <source>All reasons</source>
      <translation>Alle Gründe</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/filter_bar.py" />
      <source>Attack</source>
      <translation>Angriff</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/filter_bar.py" />
      <source>Dismissed sessions</source>
      <translation>Verworfene Sitzungen</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/filter_bar.py" />
      <source>Least risk</source>
      <translation>Geringstes Risiko</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/filter_bar.py" />
      <source>List only the sessions flagged for this reason</source>
      <translation>Nur Sitzungen, die aus diesem Grund auffallen</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/filter_bar.py" />
      <source>List only the sessions of at least this risk, from 0 to 1</source>
      <translation>Nur Sitzungen mit mindestens diesem Risiko, von 0 bis 1</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/filter_bar.py" />
      <source>List only the sessions with a marked query that stands verbatim in the release</source>
      <translation>Nur Sitzungen mit einer markierten Anfrage, die wörtlich in der Freigabe steht</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/filter_bar.py" />
      <source>Only what &amp;survives</source>
      <translation>Nur was &amp;erhalten bleibt</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/filter_bar.py" />
      <source>Reason</source>
      <translation>Grund</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/filter_bar.py" />
      <source>Search queries and user ids</source>
      <translation>Anfragen und Nutzerkennungen suchen</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/filter_bar.py" />
      <source>Search the flagged sessions</source>
      <translation>Auffällige Sitzungen durchsuchen</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/filter_bar.py" />
      <source>Whether the sessions that were dismissed are listed</source>
      <translation>Ob verworfene Sitzungen aufgeführt werden</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/filter_bar.py" />
      <source>Whose flagged sessions are listed</source>
      <translation>Wessen auffällige Sitzungen aufgeführt werden</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/filter_bar.py" />
      <source>only dismissed</source>
      <translation>nur verworfene</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/filter_bar.py" />
      <source>risk ≥ </source>
      <translation>Risiko ≥ </translation>
    </message>
    <message>
      <location filename="../../auditor/gui/filter_bar.py" />
      <source>with dismissed</source>
      <translation>mit verworfenen</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/filter_bar.py" />
      <source>without dismissed</source>
      <translation>ohne verworfene</translation>
    </message>
  </context>
  <context>
    <name>FlaggedPanel</name>
    <message>
      <location filename="../../auditor/gui/flagged_table.py" />
      <source> · {away} dismissed</source>
      <translation> · {away} verworfen</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/flagged_table.py" />
      <source>Clear the filters</source>
      <translation>Filter löschen</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/flagged_table.py" />
      <source>Flagged sessions</source>
      <translation>Auffällige Sitzungen</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/flagged_table.py" />
      <source>Searching</source>
      <translation>Suche läuft</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/flagged_table.py" />
      <source>The sessions could not be listed. {message}</source>
      <translation>Die Sitzungen konnten nicht aufgeführt werden. {message}</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/flagged_table.py" />
      <source>{shown} of {found}</source>
      <translation>{shown} von {found}</translation>
    </message>
  </context>
  <context>
    <name>GateRow</name>
    <message>
      <location filename="../../auditor/gui/policy_rows.py" />
      <source>A run has to make: {}.</source>
      <translation>Ein Lauf muss enthalten: {}.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/policy_rows.py" />
      <source>Only: {}.</source>
      <translation>Nur: {}.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/policy_rows.py" />
      <source>This run: {}</source>
      <translation>Dieser Lauf: {}</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/policy_rows.py" />
      <source>at least</source>
      <translation>mindestens</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/policy_rows.py" />
      <source>at most</source>
      <translation>höchstens</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/policy_rows.py" />
      <source>no limit</source>
      <translation>keine Grenze</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/policy_rows.py" />
      <source>{} must be a number, or empty for no limit.</source>
      <translation>{} muss eine Zahl sein, oder leer für keine Grenze.</translation>
    </message>
  </context>
  <context>
    <name>Gates</name>
    <message>
      <location filename="../../auditor/gui/gates_card.py" />
      <source>&amp;Policy…</source>
      <translation>&amp;Richtlinie…</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/gates_card.py" />
      <source>Gates</source>
      <translation>Bedingungen</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/gates_card.py" />
      <source>The gates could not be judged. {message}</source>
      <translation>Die Bedingungen konnten nicht beurteilt werden. {message}</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/gates_card.py" />
      <source>What every gate asks, and to change it</source>
      <translation>Was jede Bedingung verlangt, und wie man es ändert</translation>
    </message>
  </context>
  <context>
    <name>GatesCard</name>
    <message>
      <location filename="../../auditor/gui/gates_card.py" />
      <source>A release is signed if every gate is passed, or overridden by you with a reason, which stands in the release under your name.</source>
      <translation>Eine Freigabe wird signiert, wenn jede Bedingung erfüllt ist oder Sie sie mit einer Begründung aufheben, die unter Ihrem Namen in der Freigabe steht.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/gates_card.py" />
      <source>Policy: {name}. {note}</source>
      <translation>Richtlinie: {name}. {note}</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/gates_card.py" />
      <source>The release that was just made is done, and counts in the ledger. This is what one more release of the same run would meet.</source>
      <translation>Die eben gemachte Freigabe ist abgeschlossen und zählt im Freigabebuch. Dies gilt für eine weitere Freigabe desselben Laufs.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/gates_card.py" />
      <source>✓ Every gate is passed</source>
      <translation>✓ Alle Bedingungen sind erfüllt</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/gates_card.py" />
      <source>✗ {failed} of {judged} gates stand in the way</source>
      <translation>✗ {failed} von {judged} Bedingungen stehen im Weg</translation>
    </message>
  </context>
  <context>
    <name>GoalRow</name>
    <message>
      <location filename="../../auditor/gui/goal_row.py" />
      <source>Expected figure</source>
      <translation>Erwartete Kennzahl</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/goal_row.py" />
      <source>Find</source>
      <translation>Finden</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/goal_row.py" />
      <source>Find the parameter for the wanted figure</source>
      <translation>Den Parameter zur gewünschten Kennzahl finden</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/goal_row.py" />
      <source>Parameter to find</source>
      <translation>Zu findender Parameter</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/goal_row.py" />
      <source>Type a number first, such as 0.5.</source>
      <translation>Geben Sie zuerst eine Zahl ein, etwa 0,5.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/goal_row.py" />
      <source>Wanted figure</source>
      <translation>Gewünschte Kennzahl</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/goal_row.py" />
      <source>for</source>
      <translation>für</translation>
    </message>
  </context>
  <context>
    <name>Handing</name>
    <message>
      <location filename="../../auditor/gui/handing.py" />
      <source>&amp;Copy plot or table</source>
      <translation>Diagramm oder Tabelle &amp;kopieren</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/handing.py" />
      <source>&amp;Print…</source>
      <translation>&amp;Drucken…</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/handing.py" />
      <source>Copied: {}.</source>
      <translation>Kopiert: {}.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/handing.py" />
      <source>It shows words of the raw log: paste it nowhere public.</source>
      <translation>Es zeigt Wörter aus dem Rohprotokoll: Fügen Sie es nirgends öffentlich ein.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/handing.py" />
      <source>Save as</source>
      <translation>Speichern unter</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/handing.py" />
      <source>Save plot or &amp;table as…</source>
      <translation>Diagramm oder &amp;Tabelle speichern unter…</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/handing.py" />
      <source>Saved: {}.</source>
      <translation>Gespeichert: {}.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/handing.py" />
      <source>Take it out</source>
      <translation>Mitnehmen</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/handing.py" />
      <source>There is no plot or table to take away yet.</source>
      <translation>Es gibt noch kein Diagramm und keine Tabelle zum Mitnehmen.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/handing.py" />
      <source>This shows queries, users or names of the raw log.</source>
      <translation>Dies zeigt Anfragen, Nutzer oder Namen aus dem Rohprotokoll.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/handing.py" />
      <source>Whoever gets the file or the page can read them. Keep it as you keep the log.</source>
      <translation>Wer die Datei oder das Blatt bekommt, kann sie lesen. Bewahren Sie es so auf wie das Protokoll.</translation>
    </message>
  </context>
  <context>
    <name>Handout</name>
    <message>
      <location filename="../../auditor/gui/handout.py" />
      <source>{} more rows: save the table to have them.</source>
      <translation>{} weitere Zeilen: Speichern Sie die Tabelle, um sie zu erhalten.</translation>
    </message>
  </context>
  <context>
    <name>Header</name>
    <message>
      <location filename="../../auditor/gui/header.py" />
      <source>Cancel</source>
      <translation>Abbrechen</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/header.py" />
      <source>Make a release with these settings, measure and attack it (Ctrl+R)</source>
      <translation>Mit diesen Einstellungen eine Freigabe erzeugen, messen und angreifen (Strg+R)</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/header.py" />
      <source>Method</source>
      <translation>Verfahren</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/header.py" />
      <source>No log is open</source>
      <translation>Kein Protokoll geöffnet</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/header.py" />
      <source>Rows that could not be read, by reason, with line numbers</source>
      <translation>Zeilen, die nicht gelesen werden konnten, nach Grund und mit Zeilennummern</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/header.py" />
      <source>Run</source>
      <translation>Starten</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/header.py" />
      <source>Stop the run (Esc)</source>
      <translation>Den Lauf abbrechen (Esc)</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/header.py" />
      <source>{rejected} rejected ▸</source>
      <translation>{rejected} abgewiesen ▸</translation>
    </message>
  </context>
  <context>
    <name>HeatMap</name>
    <message>
      <location filename="../../auditor/gui/plots/heat_map.py" />
      <source>not computed yet</source>
      <translation>noch nicht berechnet</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/plots/heat_map.py" />
      <source>{titles} by {titles_2}; arrows move, Return takes the setting. {told}</source>
      <translation>{titles} mal {titles_2}; Pfeiltasten bewegen, die Eingabetaste übernimmt die Einstellung. {told}</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/plots/heat_map.py" />
      <source>{titles} {word}, {titles_2} {word_2}: {told}
Click to take this setting.</source>
      <translation>{titles} {word}, {titles_2} {word_2}: {told}
Ein Klick übernimmt diese Einstellung.</translation>
    </message>
  </context>
  <context>
    <name>HelpView</name>
    <message>
      <location filename="../../auditor/gui/help_view.py" />
      <source>Help</source>
      <translation>Hilfe</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/help_view.py" />
      <source>No page has all of these words.</source>
      <translation>Keine Seite enthält alle diese Wörter.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/help_view.py" />
      <source>Page</source>
      <translation>Seite</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/help_view.py" />
      <source>Pages</source>
      <translation>Seiten</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/help_view.py" />
      <source>Reading the help…</source>
      <translation>Die Hilfe wird gelesen…</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/help_view.py" />
      <source>Search the help</source>
      <translation>Hilfe durchsuchen</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/help_view.py" />
      <source>There is no such page.</source>
      <translation>Diese Seite gibt es nicht.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/help_view.py" />
      <source>{count} of {pages} pages</source>
      <translation>{count} von {pages} Seiten</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/help_view.py" />
      <source>‹ &amp;Back</source>
      <translation>‹ &amp;Zurück</translation>
    </message>
  </context>
  <context>
    <name>IntentHolder</name>
    <message>
      <location filename="../../auditor/gui/intent_holder.py" />
      <source>all parameters</source>
      <translation>alle Parameter</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/intent_holder.py" />
      <source>method {title}</source>
      <translation>Verfahren {title}</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/intent_holder.py" />
      <source>reset of {label}</source>
      <translation>Zurücksetzen: {label}</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/intent_holder.py" />
      <source>settings of {title}</source>
      <translation>Einstellungen von {title}</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/intent_holder.py" />
      <source>{title} off</source>
      <translation>{title} aus</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/intent_holder.py" />
      <source>{title} on</source>
      <translation>{title} ein</translation>
    </message>
  </context>
  <context>
    <name>KnownRow</name>
    <message>
      <location filename="../../auditor/gui/checks_panel.py" />
      <source>Attackers don't know this</source>
      <translation>Angreifer wissen das nicht</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/checks_panel.py" />
      <source>Choose: {title}</source>
      <translation>Wählen: {title}</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/checks_panel.py" />
      <source>Choose…</source>
      <translation>Wählen…</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/checks_panel.py" />
      <source>Forget: {title}</source>
      <translation>Vergessen: {title}</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/checks_panel.py" />
      <source>not known to attackers</source>
      <translation>Angreifern nicht bekannt</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/checks_panel.py" />
      <source>reading…</source>
      <translation>wird gelesen…</translation>
    </message>
  </context>
  <context>
    <name>LedgerCard</name>
    <message>
      <location filename="../../auditor/gui/ledger_card.py" />
      <source>1 release</source>
      <translation>1 Freigabe</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/ledger_card.py" />
      <source>Approved so far</source>
      <translation>Bisher genehmigt</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/ledger_card.py" />
      <source>Show the &amp;ledger…</source>
      <translation>&amp;Freigabebuch zeigen…</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/ledger_card.py" />
      <source>This log in the ledger</source>
      <translation>Dieses Protokoll im Freigabebuch</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/ledger_card.py" />
      <source>With this release</source>
      <translation>Mit dieser Freigabe</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/ledger_card.py" />
      <source>Without it nobody knows what was released of this log before.</source>
      <translation>Ohne es weiß niemand, was von diesem Protokoll schon freigegeben wurde.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/ledger_card.py" />
      <source>nothing</source>
      <translation>nichts</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/ledger_card.py" />
      <source>{count} releases</source>
      <translation>{count} Freigaben</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/ledger_card.py" />
      <source>ε {epsilon}, δ {delta}</source>
      <translation>ε {epsilon}, δ {delta}</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/ledger_card.py" />
      <source>ε {epsilon}, δ {delta} together</source>
      <translation>ε {epsilon}, δ {delta} zusammen</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/ledger_card.py" />
      <source>✗ The ledger can't be used. {why}</source>
      <translation>✗ Das Freigabebuch ist nicht benutzbar. {why}</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/ledger_card.py" />
      <source>✗ no total: no ε bounds what all of them tell together</source>
      <translation>✗ keine Summe: Kein ε begrenzt, was sie alle zusammen verraten</translation>
    </message>
  </context>
  <context>
    <name>LedgerView</name>
    <message>
      <location filename="../../auditor/gui/ledger_view.py" />
      <source>Approved</source>
      <translation>Genehmigt</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/ledger_view.py" />
      <source>Approved releases</source>
      <translation>Genehmigte Freigaben</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/ledger_view.py" />
      <source>By</source>
      <translation>Von</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/ledger_view.py" />
      <source>Entry</source>
      <translation>Eintrag</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/ledger_view.py" />
      <source>Key {key}</source>
      <translation>Schlüssel {key}</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/ledger_view.py" />
      <source>Ledger</source>
      <translation>Freigabebuch</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/ledger_view.py" />
      <source>Log</source>
      <translation>Protokoll</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/ledger_view.py" />
      <source>Logs</source>
      <translation>Protokolle</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/ledger_view.py" />
      <source>Method</source>
      <translation>Verfahren</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/ledger_view.py" />
      <source>Nothing was approved so far</source>
      <translation>Bisher wurde nichts genehmigt</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/ledger_view.py" />
      <source>Overridden: {gate}. “{reason}”</source>
      <translation>Aufgehoben: {gate}. „{reason}“</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/ledger_view.py" />
      <source>Parameters: {given}</source>
      <translation>Parameter: {given}</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/ledger_view.py" />
      <source>Policy: {name}</source>
      <translation>Richtlinie: {name}</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/ledger_view.py" />
      <source>Protected: {unit}; neighbouring logs: {neighbours}.</source>
      <translation>Geschützt: {unit}; benachbarte Protokolle: {neighbours}.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/ledger_view.py" />
      <source>Reading…</source>
      <translation>Wird gelesen…</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/ledger_view.py" />
      <source>The ledger remembers every release that you approve, and of which log. Releases of the same log add up, whatever method made them and however long ago; so it shows their total at every approval, and a policy can limit it.

It holds figures and digests, no query and no key. A changed entry is noticed at every opening; a missing end, by the signed releases, which name their entries.</source>
      <translation>Das Freigabebuch merkt sich jede Freigabe, die Sie genehmigen, und von welchem Protokoll sie stammt. Freigaben desselben Protokolls summieren sich, gleich mit welchem Verfahren und wie lange es her ist; deshalb zeigt es bei jeder Genehmigung die Summe, und eine Richtlinie kann sie begrenzen.

Es enthält Kennzahlen und Prüfsummen, keine Anfrage und keinen Schlüssel. Ein veränderter Eintrag fällt bei jedem Öffnen auf; ein fehlendes Ende durch die signierten Freigaben, die ihre Einträge nennen.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/ledger_view.py" />
      <source>The ledger: {path}</source>
      <translation>Das Freigabebuch: {path}</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/ledger_view.py" />
      <source>This log</source>
      <translation>Dieses Protokoll</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/ledger_view.py" />
      <source>What is wrong: {problems}. Entries from there on are not shown, nothing adds up to a total, and nothing can be approved before somebody has found out why.</source>
      <translation>Was nicht stimmt: {problems}. Einträge ab dieser Stelle werden nicht gezeigt, nichts ergibt eine Summe, und nichts kann genehmigt werden, bevor jemand den Grund gefunden hat.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/ledger_view.py" />
      <source>no total</source>
      <translation>keine Summe</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/ledger_view.py" />
      <source>✓ {count} entries, each as it was written. Whether the end was cut off, or all of it replaced, only the signed releases can tell: each names its entry.</source>
      <translation>✓ {count} Einträge, jeder wie er geschrieben wurde. Ob das Ende abgeschnitten oder alles ersetzt wurde, zeigen nur die signierten Freigaben: Jede nennt ihren Eintrag.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/ledger_view.py" />
      <source>✗ The ledger can't be used. {why}</source>
      <translation>✗ Das Freigabebuch ist nicht benutzbar. {why}</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/ledger_view.py" />
      <source>✗ This ledger is not as it was written</source>
      <translation>✗ Dieses Freigabebuch ist nicht mehr so, wie es geschrieben wurde</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/ledger_view.py" />
      <source>✗ none</source>
      <translation>✗ keine</translation>
    </message>
  </context>
  <context>
    <name>Legend</name>
    <message>
      <location filename="../../auditor/gui/plots/legend.py" />
      <source>Legend: </source>
      <translation>Legende: </translation>
    </message>
  </context>
  <context>
    <name>LinePresenter</name>
    <message>
      <location filename="../../auditor/gui/line_presenter.py" />
      <source>All {count} runs: {left}.</source>
      <translation>Alle {count} Läufe: {left}.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/line_presenter.py" />
      <source>Run {letter}: {state}</source>
      <translation>Lauf {letter}: {state}</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/line_presenter.py" />
      <source>beginning</source>
      <translation>beginnt</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/line_presenter.py" />
      <source>begun</source>
      <translation>begonnen</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/line_presenter.py" />
      <source>waits: number {place} in line</source>
      <translation>wartet: Nummer {place} in der Reihe</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/line_presenter.py" />
      <source>{at} of {of} · anonymizing: {stage}</source>
      <translation>{at} von {of} · anonymisiert: {stage}</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/line_presenter.py" />
      <source>{at} of {of} · attacking by {title}: {stage}</source>
      <translation>{at} von {of} · greift an mit {title}: {stage}</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/line_presenter.py" />
      <source>{at} of {of} · measuring {title}: {stage}</source>
      <translation>{at} von {of} · misst {title}: {stage}</translation>
    </message>
  </context>
  <context>
    <name>MainWindow</name>
    <message>
      <location filename="../../auditor/gui/main_window.py" />
      <source>Attacks and measures</source>
      <translation>Angriffe und Maße</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/main_window.py" />
      <source>Change…</source>
      <translation>Ändern…</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/main_window.py" />
      <source>Compare</source>
      <translation>Vergleichen</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/main_window.py" />
      <source>Explore</source>
      <translation>Erkunden</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/main_window.py" />
      <source>Figures</source>
      <translation>Kennzahlen</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/main_window.py" />
      <source>Flagged sessions</source>
      <translation>Auffällige Sitzungen</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/main_window.py" />
      <source>Header</source>
      <translation>Kopfzeile</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/main_window.py" />
      <source>Help</source>
      <translation>Hilfe</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/main_window.py" />
      <source>Open a query log</source>
      <translation>Ein Anfrageprotokoll öffnen</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/main_window.py" />
      <source>Open a query log and map its columns</source>
      <translation>Ein Anfrageprotokoll öffnen und Spalten zuordnen</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/main_window.py" />
      <source>Parameters</source>
      <translation>Parameter</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/main_window.py" />
      <source>Queue</source>
      <translation>Warteschlange</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/main_window.py" />
      <source>Read on these assumptions: {assumed}.</source>
      <translation>Gelesen unter diesen Annahmen: {assumed}.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/main_window.py" />
      <source>Rejected rows</source>
      <translation>Abgewiesene Zeilen</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/main_window.py" />
      <source>Run a method first: queries are explained in a run.</source>
      <translation>Starten Sie zuerst einen Lauf: Anfragen werden anhand eines Laufs erklärt.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/main_window.py" />
      <source>Runs</source>
      <translation>Läufe</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/main_window.py" />
      <source>Set the columns…</source>
      <translation>Spalten festlegen…</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/main_window.py" />
      <source>Statement</source>
      <translation>Zusicherung</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/main_window.py" />
      <source>Tables</source>
      <translation>Tabellen</translation>
    </message>
  </context>
  <context>
    <name>Menus</name>
    <message>
      <location filename="../../auditor/gui/menus.py" />
      <source>&amp;Cancel</source>
      <translation>&amp;Abbrechen</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/menus.py" />
      <source>&amp;Edit</source>
      <translation>&amp;Bearbeiten</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/menus.py" />
      <source>&amp;File</source>
      <translation>&amp;Datei</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/menus.py" />
      <source>&amp;Help</source>
      <translation>&amp;Hilfe</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/menus.py" />
      <source>&amp;Ledger of approved releases…</source>
      <translation>&amp;Freigabebuch…</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/menus.py" />
      <source>&amp;Next panel</source>
      <translation>&amp;Nächster Bereich</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/menus.py" />
      <source>&amp;Open…</source>
      <translation>&amp;Öffnen…</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/menus.py" />
      <source>&amp;Policy…</source>
      <translation>&amp;Richtlinie…</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/menus.py" />
      <source>&amp;Previous panel</source>
      <translation>&amp;Voriger Bereich</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/menus.py" />
      <source>&amp;Quit</source>
      <translation>Be&amp;enden</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/menus.py" />
      <source>&amp;Redo</source>
      <translation>&amp;Wiederholen:</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/menus.py" />
      <source>&amp;Rejected rows…</source>
      <translation>&amp;Abgewiesene Zeilen…</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/menus.py" />
      <source>&amp;Run</source>
      <translation>&amp;Lauf</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/menus.py" />
      <source>&amp;Theme</source>
      <translation>&amp;Farben</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/menus.py" />
      <source>&amp;Tools</source>
      <translation>&amp;Werkzeuge</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/menus.py" />
      <source>&amp;Undo</source>
      <translation>&amp;Rückgängig:</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/menus.py" />
      <source>&amp;View</source>
      <translation>&amp;Ansicht</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/menus.py" />
      <source>&amp;Why is a query kept…</source>
      <translation>&amp;Warum bleibt eine Anfrage…</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/menus.py" />
      <source>As the &amp;system</source>
      <translation>Wie das &amp;System</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/menus.py" />
      <source>Co&amp;mpare the selected runs</source>
      <translation>Gewählte Läufe &amp;vergleichen</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/menus.py" />
      <source>Esc</source>
      <translation>Esc</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/menus.py" />
      <source>Guided &amp;tour</source>
      <translation>Geführte &amp;Tour</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/menus.py" />
      <source>L&amp;anguage</source>
      <translation>&amp;Sprache</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/menus.py" />
      <source>Open and &amp;map columns…</source>
      <translation>Öffnen und Spalten &amp;zuordnen…</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/menus.py" />
      <source>Open the &amp;sample log</source>
      <translation>&amp;Beispielprotokoll öffnen</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/menus.py" />
      <source>Reset &amp;all parameters</source>
      <translation>&amp;Alle Parameter zurücksetzen</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/menus.py" />
      <source>Reset the &amp;layout</source>
      <translation>An&amp;ordnung zurücksetzen</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/menus.py" />
      <source>Review &amp;&amp; &amp;export…</source>
      <translation>&amp;Prüfen &amp;&amp; exportieren…</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/menus.py" />
      <source>The language changes with the next start.</source>
      <translation>Die Sprache wechselt mit dem nächsten Start.</translation>
    </message>
  </context>
  <context>
    <name>NoteBar</name>
    <message>
      <location filename="../../auditor/gui/flagged_note_bar.py" />
      <source>A dismissed session is listed no more. It still counts for every gate, and a reviewer sees how many were dismissed, and why.</source>
      <translation>Eine verworfene Sitzung wird nicht mehr aufgeführt. Sie zählt weiterhin für jede Bedingung, und wer prüft, sieht, wie viele verworfen wurden und warum.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/flagged_note_bar.py" />
      <source>Dismiss this session</source>
      <translation>Diese Sitzung verwerfen</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/flagged_note_bar.py" />
      <source>N&amp;ote</source>
      <translation>N&amp;otiz</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/flagged_note_bar.py" />
      <source>Note on this session</source>
      <translation>Notiz zu dieser Sitzung</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/flagged_note_bar.py" />
      <source>The project keeps notes as they are written: put no query text here</source>
      <translation>Das Projekt bewahrt Notizen so auf, wie sie geschrieben sind: Schreiben Sie keinen Anfragetext hinein</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/flagged_note_bar.py" />
      <source>Why it matters, or not. Don't repeat the query.</source>
      <translation>Warum sie wichtig ist oder nicht. Wiederholen Sie die Anfrage nicht.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/flagged_note_bar.py" />
      <source>dismissed: {why}</source>
      <translation>verworfen: {why}</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/flagged_note_bar.py" />
      <source>not dismissed</source>
      <translation>nicht verworfen</translation>
    </message>
  </context>
  <context>
    <name>NoteBook</name>
    <message>
      <location filename="../../auditor/gui/flagged_notes.py" />
      <source>dismissal of a session</source>
      <translation>Verwerfen einer Sitzung</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/flagged_notes.py" />
      <source>note on a session</source>
      <translation>Notiz zu einer Sitzung</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/flagged_notes.py" />
      <source>return of a session</source>
      <translation>Wiederaufnahme einer Sitzung</translation>
    </message>
  </context>
  <context>
    <name>NumberRow</name>
    <message>
      <location filename="../../auditor/gui/param_rows.py" />
      <source>Now: {optional}. {help}</source>
      <translation>Jetzt: {optional}. {help}</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/param_rows.py" />
      <source>auto</source>
      <translation>auto</translation>
    </message>
  </context>
  <context>
    <name>OpenWizard</name>
    <message>
      <location filename="../../auditor/gui/open_wizard.py" />
      <source> % of the rows</source>
      <translation> % der Zeilen</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/open_wizard.py" />
      <source> and {names} more</source>
      <translation> und {names} weitere</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/open_wizard.py" />
      <source>&amp;Allow at most</source>
      <translation>&amp;Höchstens</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/open_wizard.py" />
      <source>&amp;Encoding</source>
      <translation>&amp;Kodierung</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/open_wizard.py" />
      <source>&amp;Open</source>
      <translation>Ö&amp;ffnen</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/open_wizard.py" />
      <source>&amp;Separator</source>
      <translation>&amp;Trennzeichen</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/open_wizard.py" />
      <source>&amp;Times</source>
      <translation>&amp;Zeiten</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/open_wizard.py" />
      <source>Cancel</source>
      <translation>Abbrechen</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/open_wizard.py" />
      <source>Encoding</source>
      <translation>Zeichenkodierung</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/open_wizard.py" />
      <source>F&amp;ormat</source>
      <translation>F&amp;ormat</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/open_wizard.py" />
      <source>Fields may stand in "double &amp;quotes"</source>
      <translation>Felder dürfen in "&amp;Anführungszeichen" stehen</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/open_wizard.py" />
      <source>Form of the times</source>
      <translation>Form der Zeiten</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/open_wizard.py" />
      <source>Format</source>
      <translation>Format</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/open_wizard.py" />
      <source>If more rows can't be read, reading stops with a message</source>
      <translation>Wenn mehr Zeilen nicht lesbar sind, endet das Lesen mit einer Meldung</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/open_wizard.py" />
      <source>Looking at the files</source>
      <translation>Die Dateien werden angesehen</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/open_wizard.py" />
      <source>Looking at the files…</source>
      <translation>Die Dateien werden angesehen…</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/open_wizard.py" />
      <source>Most rows that may be bad</source>
      <translation>Höchster Anteil fehlerhafter Zeilen</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/open_wizard.py" />
      <source>Only the first {MOST_COLUMNS} of {column_names} columns are shown.</source>
      <translation>Nur die ersten {MOST_COLUMNS} von {column_names} Spalten werden gezeigt.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/open_wizard.py" />
      <source>Open and set the columns</source>
      <translation>Öffnen und Spalten festlegen</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/open_wizard.py" />
      <source>Separator of columns</source>
      <translation>Trennzeichen der Spalten</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/open_wizard.py" />
      <source>The &amp;first row holds the columns' names</source>
      <translation>Die &amp;erste Zeile enthält die Spaltennamen</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/open_wizard.py" />
      <source>The files can't be read in this way.</source>
      <translation>So sind die Dateien nicht lesbar.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/open_wizard.py" />
      <source>What is missing</source>
      <translation>Was fehlt</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/open_wizard.py" />
      <source>What was noticed</source>
      <translation>Was aufgefallen ist</translation>
    </message>
  </context>
  <context>
    <name>ParamsPanel</name>
    <message>
      <location filename="../../auditor/gui/params_panel.py" />
      <source>Allowed: {wanted}.</source>
      <translation>Erlaubt: {wanted}.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/params_panel.py" />
      <source>Default: {spec}.</source>
      <translation>Vorgabe: {spec}.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/params_panel.py" />
      <source>Find a value</source>
      <translation>Einen Wert finden</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/params_panel.py" />
      <source>Help for the parameter in focus</source>
      <translation>Hilfe zum Parameter mit dem Fokus</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/params_panel.py" />
      <source>Parameters</source>
      <translation>Parameter</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/params_panel.py" />
      <source>Point at a parameter, or move to it with Tab, to read what it does.</source>
      <translation>Zeigen Sie auf einen Parameter oder gehen Sie mit Tab zu ihm, um zu lesen, was er bewirkt.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/params_panel.py" />
      <source>Put every parameter of this method back to its default</source>
      <translation>Jeden Parameter dieses Verfahrens auf seine Vorgabe zurücksetzen</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/params_panel.py" />
      <source>Reset all</source>
      <translation>Alle zurücksetzen</translation>
    </message>
  </context>
  <context>
    <name>ParetoPanel</name>
    <message>
      <location filename="../../auditor/gui/plots/pareto.py" />
      <source>Every run becomes a point here: what an attacker still gets against what the data are still worth. Press Run to add the first.</source>
      <translation>Jeder Lauf wird hier zu einem Punkt: was ein Angreifer noch erfährt gegen das, was die Daten noch wert sind. Drücken Sie „Starten“ für den ersten.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/plots/pareto.py" />
      <source>No front: nothing says which way is better for {}.</source>
      <translation>Keine Front: Nichts sagt, welche Richtung besser ist für {}.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/plots/pareto.py" />
      <source>Not drawn, since they lack a figure: {}.</source>
      <translation>Nicht gezeichnet, weil eine Kennzahl fehlt: {}.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/plots/pareto.py" />
      <source>Privacy and utility of all runs</source>
      <translation>Datenschutz und Nutzen aller Läufe</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/plots/pareto.py" />
      <source>Privacy figure</source>
      <translation>Kennzahl des Datenschutzes</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/plots/pareto.py" />
      <source>Privacy × utility</source>
      <translation>Datenschutz × Nutzen</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/plots/pareto.py" />
      <source>Runs that are not drawn, and what is not known</source>
      <translation>Läufe, die nicht gezeichnet sind, und was nicht bekannt ist</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/plots/pareto.py" />
      <source>Utility figure</source>
      <translation>Kennzahl des Nutzens</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/plots/pareto.py" />
      <source>across</source>
      <translation>waagrecht</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/plots/pareto.py" />
      <source>best trade-offs</source>
      <translation>beste Abwägungen</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/plots/pareto.py" />
      <source>up</source>
      <translation>senkrecht</translation>
    </message>
  </context>
  <context>
    <name>PathRow</name>
    <message>
      <location filename="../../auditor/gui/param_rows.py" />
      <source>Choose…</source>
      <translation>Wählen…</translation>
    </message>
  </context>
  <context>
    <name>PlotArea</name>
    <message>
      <location filename="../../auditor/gui/plots/area.py" />
      <source>Plots of the expected release, and of runs, appear here.</source>
      <translation>Hier erscheinen die Diagramme der erwarteten Freigabe und der Läufe.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/plots/area.py" />
      <source>Result</source>
      <translation>Ergebnis</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/plots/area.py" />
      <source>Setting</source>
      <translation>Einstellung</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/plots/area.py" />
      <source>This method has no curves to show in advance.</source>
      <translation>Dieses Verfahren hat keine Kurven, die sich vorab zeigen lassen.</translation>
    </message>
  </context>
  <context>
    <name>PolicyEditor</name>
    <message>
      <location filename="../../auditor/gui/policy_editor.py" />
      <source>&amp;Load…</source>
      <translation>&amp;Laden…</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/policy_editor.py" />
      <source>&amp;Name</source>
      <translation>&amp;Name</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/policy_editor.py" />
      <source>&amp;Save as…</source>
      <translation>&amp;Speichern unter…</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/policy_editor.py" />
      <source>&amp;Use this policy</source>
      <translation>Diese Richtlinie &amp;verwenden</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/policy_editor.py" />
      <source>All files (*)</source>
      <translation>Alle Dateien (*)</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/policy_editor.py" />
      <source>Cancel</source>
      <translation>Abbrechen</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/policy_editor.py" />
      <source>For &amp;what</source>
      <translation>&amp;Wofür</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/policy_editor.py" />
      <source>Load a policy</source>
      <translation>Eine Richtlinie laden</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/policy_editor.py" />
      <source>Policies (*.toml)</source>
      <translation>Richtlinien (*.toml)</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/policy_editor.py" />
      <source>Policy</source>
      <translation>Richtlinie</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/policy_editor.py" />
      <source>Reading the policies…</source>
      <translation>Die Richtlinien werden gelesen…</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/policy_editor.py" />
      <source>Redo</source>
      <translation>Wiederholen</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/policy_editor.py" />
      <source>Save the policy</source>
      <translation>Die Richtlinie speichern</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/policy_editor.py" />
      <source>Start from</source>
      <translation>Ausgehen von</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/policy_editor.py" />
      <source>The file was written anew, without the comments it had.</source>
      <translation>Die Datei wurde neu geschrieben, ohne ihre früheren Kommentare.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/policy_editor.py" />
      <source>Undo</source>
      <translation>Rückgängig</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/policy_editor.py" />
      <source>✓ Saved.</source>
      <translation>✓ Gespeichert.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/policy_editor.py" />
      <source>✓ The run that is open passes every gate.</source>
      <translation>✓ Der geöffnete Lauf erfüllt alle Bedingungen.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/policy_editor.py" />
      <source>✗ The run that is open fails {} of {} gates.</source>
      <translation>✗ Der geöffnete Lauf verfehlt {} von {} Bedingungen.</translation>
    </message>
  </context>
  <context>
    <name>PolicyKeeper</name>
    <message>
      <location filename="../../auditor/gui/policy_keeper.py" />
      <source>policy</source>
      <translation>Richtlinie</translation>
    </message>
  </context>
  <context>
    <name>Presenter</name>
    <message>
      <location filename="../../auditor/gui/presenter.py" />
      <source>Computing what this setting promises…</source>
      <translation>Was diese Einstellung zusichert, wird berechnet…</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/presenter.py" />
      <source>Computing what to expect of this setting…</source>
      <translation>Was von dieser Einstellung zu erwarten ist, wird berechnet…</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/presenter.py" />
      <source>Expected of this setting, from {seen} users</source>
      <translation>Zu dieser Einstellung erwartet, aus {seen} Nutzern</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/presenter.py" />
      <source>Of this setting, before a run</source>
      <translation>Zu dieser Einstellung, vor einem Lauf</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/presenter.py" />
      <source>Reading was cancelled</source>
      <translation>Das Lesen wurde abgebrochen</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/presenter.py" />
      <source>Reading {title}</source>
      <translation>{title} wird gelesen</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/presenter.py" />
      <source>Ready</source>
      <translation>Bereit</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/presenter.py" />
      <source>The log could not be read</source>
      <translation>Das Protokoll konnte nicht gelesen werden</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/presenter.py" />
      <source>What this method gives is known only after a run. Press Run.</source>
      <translation>Was dieses Verfahren ergibt, weiß man erst nach einem Lauf. Drücken Sie „Starten“.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/presenter.py" />
      <source>a sample of {sampled_users}</source>
      <translation>einer Stichprobe von {sampled_users}</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/presenter.py" />
      <source>all</source>
      <translation>allen</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/presenter.py" />
      <source>{title} is open</source>
      <translation>{title} ist geöffnet</translation>
    </message>
  </context>
  <context>
    <name>Project</name>
    <message>
      <location filename="../../auditor/gui/project_asks.py" />
      <source>&amp;Discard</source>
      <translation>&amp;Verwerfen</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/project_asks.py" />
      <source>&amp;Don't save</source>
      <translation>&amp;Nicht speichern</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/project_asks.py" />
      <source>&amp;Find the log…</source>
      <translation>Protokoll &amp;suchen…</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/project_asks.py" />
      <source>&amp;Not now</source>
      <translation>&amp;Jetzt nicht</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/project_asks.py" />
      <source>&amp;Restore</source>
      <translation>&amp;Wiederherstellen</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/project_asks.py" />
      <source>&amp;Save</source>
      <translation>&amp;Speichern</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/project_asks.py" />
      <source>&amp;View the results only</source>
      <translation>&amp;Nur die Ergebnisse ansehen</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/project_asks.py" />
      <source>A project keeps figures, but no sessions: those hold what people searched for.</source>
      <translation>Ein Projekt bewahrt Kennzahlen auf, aber keine Sitzungen: Diese enthalten, wonach Menschen gesucht haben.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/project_asks.py" />
      <source>Another log</source>
      <translation>Ein anderes Protokoll</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/project_asks.py" />
      <source>Cancel</source>
      <translation>Abbrechen</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/project_asks.py" />
      <source>Find them again</source>
      <translation>Erneut suchen</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/project_asks.py" />
      <source>Go on where you were</source>
      <translation>Dort weitermachen, wo Sie waren</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/project_asks.py" />
      <source>It is about {log}. A project holds no queries, so it needs its log.</source>
      <translation>Es handelt von {log}. Ein Projekt enthält keine Anfragen und braucht deshalb sein Protokoll.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/project_asks.py" />
      <source>Its noise can't be drawn twice: another run will stand beside it.</source>
      <translation>Sein Rauschen lässt sich nicht zweimal ziehen: Ein weiterer Lauf wird daneben stehen.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/project_asks.py" />
      <source>Not saved</source>
      <translation>Nicht gespeichert</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/project_asks.py" />
      <source>Run the same settings</source>
      <translation>Dieselben Einstellungen starten</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/project_asks.py" />
      <source>Runs, notes and settings since the last save would be lost. No noise comes twice.</source>
      <translation>Läufe, Notizen und Einstellungen seit dem letzten Speichern gingen verloren. Kein Rauschen kommt zweimal.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/project_asks.py" />
      <source>Save the changes to {name}?</source>
      <translation>Änderungen an {name} speichern?</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/project_asks.py" />
      <source>The program ended without being closed.</source>
      <translation>Das Programm endete, ohne geschlossen zu werden.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/project_asks.py" />
      <source>The project is about {wanted}. What was opened is {found}, and its contents differ. Results and notes belong to the first: on another log they would say something untrue. If it is the same file, its columns may have been read in another way.</source>
      <translation>Das Projekt handelt von {wanted}. Geöffnet wurde {found}, mit anderem Inhalt. Ergebnisse und Notizen gehören zum ersten: Bei einem anderen Protokoll wären sie unwahr. Falls es dieselbe Datei ist, wurden ihre Spalten vielleicht anders gelesen.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/project_asks.py" />
      <source>The project's log</source>
      <translation>Das Protokoll des Projekts</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/project_asks.py" />
      <source>They can be found again once the log is open.</source>
      <translation>Sie lassen sich wiederfinden, sobald das Protokoll geöffnet ist.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/project_asks.py" />
      <source>This is not the log that the project was made with.</source>
      <translation>Dies ist nicht das Protokoll, mit dem das Projekt angelegt wurde.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/project_asks.py" />
      <source>Up to {count} sessions were flagged by an attack on run {letter}.</source>
      <translation>Bis zu {count} Sitzungen hat ein Angriff auf Lauf {letter} gemeldet.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/project_asks.py" />
      <source>What was set, run and noted until {time} was kept aside. Go on from there?</source>
      <translation>Was bis {time} eingestellt, gelaufen und notiert war, wurde aufbewahrt. Von dort weitermachen?</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/project_asks.py" />
      <source>Where is the log of this project?</source>
      <translation>Wo ist das Protokoll dieses Projekts?</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/project_asks.py" />
      <source>{count} rows</source>
      <translation>{count} Zeilen</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/project_asks.py" />
      <source>{count} users</source>
      <translation>{count} Nutzer</translation>
    </message>
  </context>
  <context>
    <name>ProjectMenu</name>
    <message>
      <location filename="../../auditor/gui/project_menu.py" />
      <source>&amp;Clear this list</source>
      <translation>Diese Liste &amp;leeren</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/project_menu.py" />
      <source>&amp;Remember what was opened (names of files alone)</source>
      <translation>&amp;Merken, was geöffnet wurde (nur Dateinamen)</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/project_menu.py" />
      <source>C&amp;lose the project</source>
      <translation>Projekt s&amp;chließen</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/project_menu.py" />
      <source>Nothing was opened yet</source>
      <translation>Noch wurde nichts geöffnet</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/project_menu.py" />
      <source>Open a p&amp;roject…</source>
      <translation>&amp;Projekt öffnen…</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/project_menu.py" />
      <source>Open re&amp;cent</source>
      <translation>&amp;Zuletzt geöffnet</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/project_menu.py" />
      <source>Sa&amp;ve the project</source>
      <translation>Projekt &amp;speichern</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/project_menu.py" />
      <source>Save the project &amp;as…</source>
      <translation>Projekt speichern &amp;unter…</translation>
    </message>
  </context>
  <context>
    <name>Projects</name>
    <message>
      <location filename="../../auditor/gui/project_window.py" />
      <source>All files</source>
      <translation>Alle Dateien</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/project_window.py" />
      <source>Find the log…</source>
      <translation>Protokoll suchen…</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/project_window.py" />
      <source>No log is open</source>
      <translation>Kein Protokoll geöffnet</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/project_window.py" />
      <source>Not all of the project could be taken as it was. {what}</source>
      <translation>Nicht alles im Projekt ließ sich so übernehmen, wie es war. {what}</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/project_window.py" />
      <source>One project at a time: {name} is opened.</source>
      <translation>Ein Projekt zur Zeit: {name} wird geöffnet.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/project_window.py" />
      <source>Open a project</source>
      <translation>Ein Projekt öffnen</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/project_window.py" />
      <source>Projects</source>
      <translation>Projekte</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/project_window.py" />
      <source>Save the project</source>
      <translation>Das Projekt speichern</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/project_window.py" />
      <source>Saved as {name}</source>
      <translation>Gespeichert als {name}</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/project_window.py" />
      <source>The log is not open: open it to see what a setting promises.</source>
      <translation>Das Protokoll ist nicht geöffnet: Öffnen Sie es, um zu sehen, was eine Einstellung zusichert.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/project_window.py" />
      <source>The log of this project ({log}) is not open: its results can be looked at, its sessions can't.</source>
      <translation>Das Protokoll dieses Projekts ({log}) ist nicht geöffnet: Die Ergebnisse lassen sich ansehen, die Sitzungen nicht.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/project_window.py" />
      <source>The sitting stands as it stood. Save it to keep it.</source>
      <translation>Der Arbeitsstand ist wiederhergestellt. Speichern Sie ihn, um ihn zu behalten.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/project_window.py" />
      <source>Where is the project's log?</source>
      <translation>Wo ist das Protokoll des Projekts?</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/project_window.py" />
      <source>sitting</source>
      <translation>Arbeitsstand</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/project_window.py" />
      <source>this sitting</source>
      <translation>dieser Arbeitsstand</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/project_window.py" />
      <source>{log} (not open)</source>
      <translation>{log} (nicht geöffnet)</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/project_window.py" />
      <source>{name} is not there any more.</source>
      <translation>{name} gibt es nicht mehr.</translation>
    </message>
  </context>
  <context>
    <name>QueuePanel</name>
    <message>
      <location filename="../../auditor/gui/queue_panel.py" />
      <source>No run is at work. Each press of Run puts the setting as it is then at the end of this line; you can go on working meanwhile, and set up the next one.</source>
      <translation>Kein Lauf ist in Arbeit. Jedes „Starten“ stellt die Einstellung, wie sie dann ist, ans Ende dieser Reihe; Sie können inzwischen weiterarbeiten und den nächsten Lauf vorbereiten.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/queue_panel.py" />
      <source>Runs in line</source>
      <translation>Wartende Läufe</translation>
    </message>
  </context>
  <context>
    <name>RejectsView</name>
    <message>
      <location filename="../../auditor/gui/rejects_view.py" />
      <source>Rejected rows</source>
      <translation>Abgewiesene Zeilen</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/rejects_view.py" />
      <source>Rejected rows by reason</source>
      <translation>Abgewiesene Zeilen nach Grund</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/rejects_view.py" />
      <source>The first rejected rows</source>
      <translation>Die ersten abgewiesenen Zeilen</translation>
    </message>
  </context>
  <context>
    <name>Released</name>
    <message>
      <location filename="../../auditor/gui/session_released.py" />
      <source>Ids were changed and rows are no longer those of the log: nothing tells which record is hers, and only equal queries are shown.</source>
      <translation>Die Kennungen wurden geändert, und die Zeilen sind nicht mehr die des Protokolls: Nichts verrät, welcher Datensatz dazugehört; nur gleiche Anfragen werden gezeigt.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/session_released.py" />
      <source>Ids were changed, and equal rows don't tell which record is hers.</source>
      <translation>Die Kennungen wurden geändert, und gleiche Zeilen verraten nicht, welcher Datensatz dazugehört.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/session_released.py" />
      <source>Ids were changed, and whose record is whose is not looked up above {rows} rows: only equal queries are shown.</source>
      <translation>Die Kennungen wurden geändert, und wem welcher Datensatz gehört, wird über {rows} Zeilen nicht nachgesehen: Nur gleiche Anfragen werden gezeigt.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/session_released.py" />
      <source>Ids were changed; by equal rows her queries stand under “{name}”.</source>
      <translation>Die Kennungen wurden geändert; gleichen Zeilen zufolge stehen die Anfragen unter „{name}“.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/session_released.py" />
      <source>Nothing stands under her id in the release.</source>
      <translation>Unter dieser Kennung steht nichts in der Freigabe.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/session_released.py" />
      <source>The release is tables of counts: it does not say who asked what, or when.</source>
      <translation>Die Freigabe besteht aus Tabellen mit Anzahlen: Sie sagt nicht, wer was fragte oder wann.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/session_released.py" />
      <source>The release keeps the ids.</source>
      <translation>Die Freigabe behält die Kennungen.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/session_released.py" />
      <source>The release keeps the rows in their order.</source>
      <translation>Die Freigabe behält die Zeilen in ihrer Reihenfolge.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/session_released.py" />
      <source>as “{text}”</source>
      <translation>als „{text}“</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/session_released.py" />
      <source>clicked {url}</source>
      <translation>Klick auf {url}</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/session_released.py" />
      <source>followed by the next query, {times}</source>
      <translation>gefolgt von der nächsten Anfrage, {times}</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/session_released.py" />
      <source>in her record at another time</source>
      <translation>im selben Datensatz zu anderer Zeit</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/session_released.py" />
      <source>no</source>
      <translation>nein</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/session_released.py" />
      <source>not known</source>
      <translation>nicht bekannt</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/session_released.py" />
      <source>others' records hold it {times}</source>
      <translation>die Datensätze anderer enthalten sie {times}</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/session_released.py" />
      <source>with the click on {url}, {times}</source>
      <translation>mit dem Klick auf {url}, {times}</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/session_released.py" />
      <source>{} time</source>
      <translation>{}-mal</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/session_released.py" />
      <source>{} times</source>
      <translation>{}-mal</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/session_released.py" />
      <source>✓ word for word · {}×</source>
      <translation>✓ wörtlich · {}×</translation>
    </message>
  </context>
  <context>
    <name>Review</name>
    <message>
      <location filename="../../auditor/gui/review_parts.py" />
      <source>Of {count} of them something survives.</source>
      <translation>Von {count} davon bleibt etwas erhalten.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/review_parts.py" />
      <source>They count for every gate all the same. How many were dismissed, and why, stands in the release.</source>
      <translation>Sie zählen dennoch für jede Bedingung. Wie viele verworfen wurden und warum, steht in der Freigabe.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/review_parts.py" />
      <source>{count} flagged sessions were dismissed by hand: {reasons}.</source>
      <translation>{count} auffällige Sitzungen wurden von Hand verworfen: {reasons}.</translation>
    </message>
  </context>
  <context>
    <name>ReviewDialog</name>
    <message>
      <location filename="../../auditor/gui/review_dialog.py" />
      <source>&amp;Comment</source>
      <translation>&amp;Kommentar</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/review_dialog.py" />
      <source>&amp;Open the folder</source>
      <translation>Ordner ö&amp;ffnen</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/review_dialog.py" />
      <source>&amp;Reviewer</source>
      <translation>&amp;Prüfer</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/review_dialog.py" />
      <source>A file that is yours alone; made if it is not there yet</source>
      <translation>Eine Datei, die nur Ihnen gehört; wird angelegt, falls sie fehlt</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/review_dialog.py" />
      <source>Cancel the export</source>
      <translation>Export abbrechen</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/review_dialog.py" />
      <source>Cancelling…</source>
      <translation>Wird abgebrochen…</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/review_dialog.py" />
      <source>Choose a folder.</source>
      <translation>Wählen Sie einen Ordner.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/review_dialog.py" />
      <source>Close</source>
      <translation>Schließen</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/review_dialog.py" />
      <source>Comment</source>
      <translation>Kommentar</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/review_dialog.py" />
      <source>Counting…</source>
      <translation>Es wird gezählt…</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/review_dialog.py" />
      <source>E&amp;xport</source>
      <translation>E&amp;xportieren</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/review_dialog.py" />
      <source>E&amp;xport again</source>
      <translation>Erneut e&amp;xportieren</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/review_dialog.py" />
      <source>Enter the reviewer's name.</source>
      <translation>Geben Sie den Namen des Prüfers ein.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/review_dialog.py" />
      <source>Exporting…</source>
      <translation>Wird exportiert…</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/review_dialog.py" />
      <source>For whom, and why it may be released (optional)</source>
      <translation>Für wen, und warum sie freigegeben werden darf (freiwillig)</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/review_dialog.py" />
      <source>Name and comment stand in the release: put no query text there. With a key the release is approved and signed, without one it is written unapproved.</source>
      <translation>Name und Kommentar stehen in der Freigabe: Schreiben Sie keinen Anfragetext hinein. Mit einem Schlüssel wird die Freigabe genehmigt und signiert, ohne wird sie ungenehmigt geschrieben.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/review_dialog.py" />
      <source>No attack of this run looked for sessions at risk.</source>
      <translation>Kein Angriff dieses Laufs suchte nach gefährdeten Sitzungen.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/review_dialog.py" />
      <source>Progress of the export</source>
      <translation>Fortschritt des Exports</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/review_dialog.py" />
      <source>Review &amp; export</source>
      <translation>Prüfen &amp; exportieren</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/review_dialog.py" />
      <source>Reviewer</source>
      <translation>Prüfer</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/review_dialog.py" />
      <source>Say why each failed gate may pass, or leave the key empty.</source>
      <translation>Begründen Sie jede nicht erfüllte Bedingung, oder lassen Sie den Schlüssel leer.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/review_dialog.py" />
      <source>Sign-off</source>
      <translation>Genehmigung</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/review_dialog.py" />
      <source>Signing &amp;key</source>
      <translation>&amp;Signierschlüssel</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/review_dialog.py" />
      <source>Signing key</source>
      <translation>Signierschlüssel</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/review_dialog.py" />
      <source>State of the export</source>
      <translation>Stand des Exports</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/review_dialog.py" />
      <source>The gates are still being judged.</source>
      <translation>Die Bedingungen werden noch beurteilt.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/review_dialog.py" />
      <source>Tick what you confirm.</source>
      <translation>Haken Sie ab, was Sie bestätigen.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/review_dialog.py" />
      <source>To export again: {what}</source>
      <translation>Für einen weiteren Export: {what}</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/review_dialog.py" />
      <source>What survives could not be counted. {message}</source>
      <translation>Was erhalten bleibt, ließ sich nicht zählen. {message}</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/review_dialog.py" />
      <source>What survives is still being counted.</source>
      <translation>Was erhalten bleibt, wird noch gezählt.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/review_dialog.py" />
      <source>Who approves this release</source>
      <translation>Wer diese Freigabe genehmigt</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/review_dialog.py" />
      <source>■ Cancelled. Nothing of the export is left.</source>
      <translation>■ Abgebrochen. Vom Export ist nichts übrig.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/review_dialog.py" />
      <source>✓ The release stands in {where}. {signed}</source>
      <translation>✓ Die Freigabe liegt in {where}. {signed}</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/review_dialog.py" />
      <source>✗ Nothing was exported. {message}</source>
      <translation>✗ Nichts wurde exportiert. {message}</translation>
    </message>
  </context>
  <context>
    <name>RoleHeader</name>
    <message>
      <location filename="../../auditor/gui/role_table.py" />
      <source>Role of column {number}</source>
      <translation>Rolle von Spalte {number}</translation>
    </message>
  </context>
  <context>
    <name>RoleTable</name>
    <message>
      <location filename="../../auditor/gui/role_table.py" />
      <source>First rows of the file</source>
      <translation>Erste Zeilen der Datei</translation>
    </message>
  </context>
  <context>
    <name>Row</name>
    <message>
      <location filename="../../auditor/gui/param_rows.py" />
      <source>Back to {spec}</source>
      <translation>Zurück zu {spec}</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/param_rows.py" />
      <source>Problem with {label}</source>
      <translation>Problem mit {label}</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/param_rows.py" />
      <source>Reset {label}</source>
      <translation>{label} zurücksetzen</translation>
    </message>
  </context>
  <context>
    <name>RunPresenter</name>
    <message>
      <location filename="../../auditor/gui/run_presenter.py" />
      <source>, made in {seconds} s</source>
      <translation>, in {seconds} s erzeugt</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/run_presenter.py" />
      <source>Flagged sessions follow when run {letter} is done.</source>
      <translation>Auffällige Sitzungen folgen, sobald Lauf {letter} fertig ist.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/run_presenter.py" />
      <source>Measured on run {letter}{took}</source>
      <translation>Gemessen an Lauf {letter}{took}</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/run_presenter.py" />
      <source>No attack of run {letter} flags sessions.</source>
      <translation>Kein Angriff von Lauf {letter} meldet Sitzungen.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/run_presenter.py" />
      <source>No tables of run {letter} yet.</source>
      <translation>Noch keine Tabellen von Lauf {letter}.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/run_presenter.py" />
      <source>Of run {letter}</source>
      <translation>Zu Lauf {letter}</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/run_presenter.py" />
      <source>Press Run: attacks then flag the sessions that are at risk.</source>
      <translation>Drücken Sie „Starten“: Angriffe melden dann die gefährdeten Sitzungen.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/run_presenter.py" />
      <source>Run again</source>
      <translation>Erneut starten</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/run_presenter.py" />
      <source>Run {letter}</source>
      <translation>Lauf {letter}</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/run_presenter.py" />
      <source>Run {letter} {state}: there are no tables of it.</source>
      <translation>Lauf {letter} {state}: Es gibt keine Tabellen davon.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/run_presenter.py" />
      <source>Run {letter} {state}: there is nothing to look at.</source>
      <translation>Lauf {letter} {state}: Es gibt nichts anzusehen.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/run_presenter.py" />
      <source>Try again</source>
      <translation>Erneut versuchen</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/run_presenter.py" />
      <source>{name} failed</source>
      <translation>{name} ist gescheitert</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/run_presenter.py" />
      <source>{name} failed. {message}</source>
      <translation>{name} ist gescheitert. {message}</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/run_presenter.py" />
      <source>{name} is finished</source>
      <translation>{name} ist fertig</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/run_presenter.py" />
      <source>{name} was cancelled</source>
      <translation>{name} wurde abgebrochen</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/run_presenter.py" />
      <source>{name} was cancelled. Nothing of it was kept.</source>
      <translation>{name} wurde abgebrochen. Nichts davon wurde behalten.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/run_presenter.py" />
      <source>{name}: started</source>
      <translation>{name}: begonnen</translation>
    </message>
  </context>
  <context>
    <name>RunsPanel</name>
    <message>
      <location filename="../../auditor/gui/runs_panel.py" />
      <source>, pinned</source>
      <translation>, angeheftet</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/runs_panel.py" />
      <source>Comment</source>
      <translation>Kommentar</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/runs_panel.py" />
      <source>Comment on this run</source>
      <translation>Kommentar zu diesem Lauf</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/runs_panel.py" />
      <source>Compare</source>
      <translation>Vergleichen</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/runs_panel.py" />
      <source>Name</source>
      <translation>Name</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/runs_panel.py" />
      <source>Name of this run</source>
      <translation>Name dieses Laufs</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/runs_panel.py" />
      <source>No runs yet. Set the parameters and press Run: the noise is drawn, the release is measured and attacked, and stays here to compare.</source>
      <translation>Noch keine Läufe. Stellen Sie die Parameter ein und drücken Sie „Starten“: Das Rauschen wird gezogen, die Freigabe gemessen und angegriffen, und der Lauf bleibt hier zum Vergleichen.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/runs_panel.py" />
      <source>Pinned runs keep their release in memory</source>
      <translation>Angeheftete Läufe behalten ihre Freigabe im Speicher</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/runs_panel.py" />
      <source>Remove</source>
      <translation>Entfernen</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/runs_panel.py" />
      <source>Remove runs</source>
      <translation>Läufe entfernen</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/runs_panel.py" />
      <source>Runs</source>
      <translation>Läufe</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/runs_panel.py" />
      <source>Set the sliders as they stood for this run</source>
      <translation>Die Regler so stellen, wie sie für diesen Lauf standen</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/runs_panel.py" />
      <source>Side by side: select two or more runs</source>
      <translation>Nebeneinander: Wählen Sie zwei oder mehr Läufe</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/runs_panel.py" />
      <source>Strike the selected runs out</source>
      <translation>Die gewählten Läufe streichen</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/runs_panel.py" />
      <source>Use settings</source>
      <translation>Übernehmen</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/runs_panel.py" />
      <source>★ Pin</source>
      <translation>★ Anheften</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/runs_panel.py" />
      <source>☆ Pin</source>
      <translation>☆ Anheften</translation>
    </message>
  </context>
  <context>
    <name>Saver</name>
    <message>
      <location filename="../../auditor/gui/recovery_saver.py" />
      <source>No copy for the case of a crash is kept. {why}</source>
      <translation>Für den Fall eines Absturzes wird keine Kopie aufbewahrt. {why}</translation>
    </message>
  </context>
  <context>
    <name>ScopeBar</name>
    <message>
      <location filename="../../auditor/gui/session_scope.py" />
      <source>All flagged sessions</source>
      <translation>Alle auffälligen Sitzungen</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/session_scope.py" />
      <source>Which sessions are listed</source>
      <translation>Welche Sitzungen aufgeführt sind</translation>
    </message>
  </context>
  <context>
    <name>Session</name>
    <message>
      <location filename="../../auditor/gui/session_data.py" />
      <source>Not flagged by this attack: the session is listed as its user's.</source>
      <translation>Von diesem Angriff nicht gemeldet: Die Sitzung steht hier als Sitzung ihres Nutzers.</translation>
    </message>
  </context>
  <context>
    <name>SessionModel</name>
    <message>
      <location filename="../../auditor/gui/session_view.py" />
      <source>Marked: {reasons}</source>
      <translation>Markiert: {reasons}</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/session_view.py" />
      <source>Nothing was recognised in it</source>
      <translation>Darin wurde nichts erkannt</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/session_view.py" />
      <source>no</source>
      <translation>nein</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/session_view.py" />
      <source>no release yet</source>
      <translation>noch keine Freigabe</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/session_view.py" />
      <source>✓ word for word</source>
      <translation>✓ wörtlich</translation>
    </message>
  </context>
  <context>
    <name>SessionView</name>
    <message>
      <location filename="../../auditor/gui/session_view.py" />
      <source>&amp;Next</source>
      <translation>&amp;Nächste</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/session_view.py" />
      <source>&amp;Previous</source>
      <translation>&amp;Vorige</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/session_view.py" />
      <source>Back to the list (Esc)</source>
      <translation>Zurück zur Liste (Esc)</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/session_view.py" />
      <source>Clicked: {url}</source>
      <translation>Klick: {url}</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/session_view.py" />
      <source>Flagged session</source>
      <translation>Auffällige Sitzung</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/session_view.py" />
      <source>Queries of the session</source>
      <translation>Anfragen der Sitzung</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/session_view.py" />
      <source>Released as: {text}</source>
      <translation>Freigegeben als: {text}</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/session_view.py" />
      <source>The chosen query in full</source>
      <translation>Die gewählte Anfrage im Wortlaut</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/session_view.py" />
      <source>The chosen query, and what the reasons mean</source>
      <translation>Die gewählte Anfrage, und was die Gründe bedeuten</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/session_view.py" />
      <source>The next session in the list (Alt+Right)</source>
      <translation>Die nächste Sitzung der Liste (Alt+Rechts)</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/session_view.py" />
      <source>The release does not hold this query.</source>
      <translation>Die Freigabe enthält diese Anfrage nicht.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/session_view.py" />
      <source>The release holds this query {count}.</source>
      <translation>Die Freigabe enthält diese Anfrage {count}.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/session_view.py" />
      <source>The session before in the list (Alt+Left)</source>
      <translation>Die vorige Sitzung der Liste (Alt+Links)</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/session_view.py" />
      <source>Time (UTC)</source>
      <translation>Zeit (UTC)</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/session_view.py" />
      <source>not in the list</source>
      <translation>nicht in der Liste</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/session_view.py" />
      <source>{left} more of this query are not shown.</source>
      <translation>Weitere {left} dieser Anfrage werden nicht gezeigt.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/session_view.py" />
      <source>{row} of {rows}</source>
      <translation>{row} von {rows}</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/session_view.py" />
      <source>‹ All sessions</source>
      <translation>‹ Alle Sitzungen</translation>
    </message>
  </context>
  <context>
    <name>Sessions</name>
    <message>
      <location filename="../../auditor/gui/session_trace.py" />
      <source>counted here</source>
      <translation>hier gezählt</translation>
    </message>
  </context>
  <context>
    <name>SidesModel</name>
    <message>
      <location filename="../../auditor/gui/session_sides.py" />
      <source>In {run}</source>
      <translation>In {run}</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/session_sides.py" />
      <source>Query in the log</source>
      <translation>Anfrage im Protokoll</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/session_sides.py" />
      <source>Time (UTC)</source>
      <translation>Zeit (UTC)</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/session_sides.py" />
      <source>Why marked</source>
      <translation>Warum markiert</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/session_sides.py" />
      <source>release not kept</source>
      <translation>Freigabe nicht behalten</translation>
    </message>
  </context>
  <context>
    <name>SidesView</name>
    <message>
      <location filename="../../auditor/gui/session_sides.py" />
      <source>&amp;Next</source>
      <translation>&amp;Nächste</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/session_sides.py" />
      <source>&amp;Previous</source>
      <translation>&amp;Vorige</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/session_sides.py" />
      <source>Back to the list (Esc)</source>
      <translation>Zurück zur Liste (Esc)</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/session_sides.py" />
      <source>Clicked: {url}</source>
      <translation>Klick: {url}</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/session_sides.py" />
      <source>Queries of the session in every release</source>
      <translation>Anfragen der Sitzung in jeder Freigabe</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/session_sides.py" />
      <source>Session in every release</source>
      <translation>Die Sitzung in jeder Freigabe</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/session_sides.py" />
      <source>The chosen query in full</source>
      <translation>Die gewählte Anfrage im Wortlaut</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/session_sides.py" />
      <source>The next one in the list (Alt+Right)</source>
      <translation>Die nächste in der Liste (Alt+Rechts)</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/session_sides.py" />
      <source>The one before in the list (Alt+Left)</source>
      <translation>Die vorige in der Liste (Alt+Links)</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/session_sides.py" />
      <source>{} of {}</source>
      <translation>{} von {}</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/session_sides.py" />
      <source>‹ Back to the list</source>
      <translation>‹ Zurück zur Liste</translation>
    </message>
  </context>
  <context>
    <name>SolverRow</name>
    <message>
      <location filename="../../auditor/gui/params_panel.py" />
      <source>Find</source>
      <translation>Finden</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/params_panel.py" />
      <source>Find {label}</source>
      <translation>{label} finden</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/params_panel.py" />
      <source>The {symbol} that the release shall have</source>
      <translation>Das {symbol}, das die Freigabe haben soll</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/params_panel.py" />
      <source>Type a number first, such as 1.5 or 1e-6.</source>
      <translation>Geben Sie zuerst eine Zahl ein, etwa 1,5 oder 1e-6.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/params_panel.py" />
      <source>Wanted {target}</source>
      <translation>Gewünschtes {target}</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/params_panel.py" />
      <source>{label} for {symbol} =</source>
      <translation>{label} für {symbol} =</translation>
    </message>
  </context>
  <context>
    <name>SpanRow</name>
    <message>
      <location filename="../../auditor/gui/explore_panel.py" />
      <source>How many values between the two ends</source>
      <translation>Wie viele Werte zwischen den beiden Enden</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/explore_panel.py" />
      <source>from</source>
      <translation>von</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/explore_panel.py" />
      <source>no second parameter</source>
      <translation>kein zweiter Parameter</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/explore_panel.py" />
      <source>to</source>
      <translation>bis</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/explore_panel.py" />
      <source>{name} steps</source>
      <translation>{name}: Schritte</translation>
    </message>
  </context>
  <context>
    <name>StatementPanel</name>
    <message>
      <location filename="../../auditor/gui/statement_panel.py" />
      <source>? not known</source>
      <translation>? nicht bekannt</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/statement_panel.py" />
      <source>Assumption {word}: {text}</source>
      <translation>Annahme {word}: {text}</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/statement_panel.py" />
      <source>Not to be told apart: {neighbours}.</source>
      <translation>Nicht unterscheidbar: {neighbours}.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/statement_panel.py" />
      <source>Open a log to see what the chosen setting promises.</source>
      <translation>Öffnen Sie ein Protokoll, um zu sehen, was die gewählte Einstellung zusichert.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/statement_panel.py" />
      <source>Privacy statement</source>
      <translation>Datenschutz-Zusicherung</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/statement_panel.py" />
      <source>Protects: {unit}.</source>
      <translation>Geschützt: {unit}.</translation>
    </message>
  </context>
  <context>
    <name>Status</name>
    <message>
      <location filename="../../auditor/gui/status.py" />
      <source>Check run {letter} against the gates and export it</source>
      <translation>Lauf {letter} gegen die Bedingungen prüfen und exportieren</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/status.py" />
      <source>Finish a run first</source>
      <translation>Beenden Sie zuerst einen Lauf</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/status.py" />
      <source>Progress</source>
      <translation>Fortschritt</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/status.py" />
      <source>Queue ▸</source>
      <translation>Warteschlange ▸</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/status.py" />
      <source>Ready</source>
      <translation>Bereit</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/status.py" />
      <source>Review &amp;&amp; export…</source>
      <translation>Prüfen &amp;&amp; exportieren…</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/status.py" />
      <source>Show the runs in line: their order, and how far each is</source>
      <translation>Die wartenden Läufe zeigen: ihre Reihenfolge und wie weit jeder ist</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/status.py" />
      <source>The content of this run was dropped to save memory: run its settings again</source>
      <translation>Der Inhalt dieses Laufs wurde verworfen, um Speicher zu sparen: Starten Sie seine Einstellungen erneut</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/status.py" />
      <source>{count} waiting ▸</source>
      <translation>{count} warten ▸</translation>
    </message>
  </context>
  <context>
    <name>TablesPanel</name>
    <message>
      <location filename="../../auditor/gui/tables_panel.py" />
      <source>Cells</source>
      <translation>Zellen</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/tables_panel.py" />
      <source>Copy as CSV</source>
      <translation>Als CSV kopieren</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/tables_panel.py" />
      <source>Copy the whole table, as it is sorted, to the clipboard</source>
      <translation>Die ganze Tabelle, wie sie sortiert ist, in die Zwischenablage kopieren</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/tables_panel.py" />
      <source>Double-click a coloured cell, or press Return, to see the sessions.</source>
      <translation>Doppelklicken Sie auf eine farbige Zelle oder drücken Sie die Eingabetaste, um die Sitzungen zu sehen.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/tables_panel.py" />
      <source>Follows {source}.</source>
      <translation>Nach {source}.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/tables_panel.py" />
      <source>No sessions stand behind single cells of this table.</source>
      <translation>Hinter einzelnen Zellen dieser Tabelle stehen keine Sitzungen.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/tables_panel.py" />
      <source>Table</source>
      <translation>Tabelle</translation>
    </message>
  </context>
  <context>
    <name>TargetCard</name>
    <message>
      <location filename="../../auditor/gui/review_target.py" />
      <source>&amp;Folder</source>
      <translation>&amp;Ordner</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/review_target.py" />
      <source>An &amp;internal report with examples, beside the folder</source>
      <translation>Ein &amp;interner Bericht mit Beispielen, neben dem Ordner</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/review_target.py" />
      <source>C&amp;hoose…</source>
      <translation>&amp;Wählen…</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/review_target.py" />
      <source>Choose where the release folder is to stand</source>
      <translation>Wählen Sie, wo der Ordner der Freigabe liegen soll</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/review_target.py" />
      <source>Escape cells that a &amp;spreadsheet would take for a formula</source>
      <translation>Zellen entschärfen, die eine &amp;Tabellenkalkulation für Formeln hielte</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/review_target.py" />
      <source>F&amp;orm</source>
      <translation>For&amp;m</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/review_target.py" />
      <source>Form of the released log</source>
      <translation>Form des freigegebenen Protokolls</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/review_target.py" />
      <source>It holds searches of the log as they were typed. Never pass it on.</source>
      <translation>Er enthält Suchanfragen des Protokolls, wie sie eingegeben wurden. Geben Sie ihn nie weiter.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/review_target.py" />
      <source>Parquet (log.parquet)</source>
      <translation>Parquet (log.parquet)</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/review_target.py" />
      <source>R&amp;eplace an older release that stands there</source>
      <translation>Eine ältere Freigabe dort e&amp;rsetzen</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/review_target.py" />
      <source>Release folder</source>
      <translation>Ordner der Freigabe</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/review_target.py" />
      <source>Show exact fi&amp;gures of the log in the report</source>
      <translation>E&amp;xakte Zahlen des Protokolls im Bericht zeigen</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/review_target.py" />
      <source>The report as a &amp;PDF, too</source>
      <translation>Den Bericht auch als P&amp;DF</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/review_target.py" />
      <source>They are computed without noise, so no ε covers them. Else they are rounded.</source>
      <translation>Sie sind ohne Rauschen berechnet, also deckt sie kein ε ab. Sonst werden sie gerundet.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/review_target.py" />
      <source>Where to</source>
      <translation>Wohin</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/review_target.py" />
      <source>tab-separated text (log.tsv)</source>
      <translation>Text mit Tabulatoren (log.tsv)</translation>
    </message>
  </context>
  <context>
    <name>Tour</name>
    <message>
      <location filename="../../auditor/gui/tour.py" />
      <source>A search log tells what people feared, hoped and looked for. This one is made up, so nobody's secrets are in it.</source>
      <translation>Ein Suchprotokoll verrät, was Menschen fürchteten, hofften und suchten. Dieses ist erfunden und enthält niemandes Geheimnisse.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/queue_panel.py" />
      <source>Begin one place earlier</source>
      <translation>Einen Platz früher beginnen</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/queue_panel.py" />
      <source>Begin one place later</source>
      <translation>Einen Platz später beginnen</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/tour.py" />
      <source>Change a value, run again, and both stand in the list of runs and in the plot of privacy and utility. Pin two to compare them figure by figure.</source>
      <translation>Ändern Sie einen Wert und starten Sie erneut: Beide Läufe stehen in der Liste und im Diagramm von Datenschutz und Nutzen. Heften Sie zwei an, um sie Zahl für Zahl zu vergleichen.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/tour.py" />
      <source>Change and run</source>
      <translation>Ändern und starten</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/tour.py" />
      <source>End the tour</source>
      <translation>Tour beenden</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/tour.py" />
      <source>Gates of your policy are judged, your name and key sign the release, and the ledger adds it to what was given away before. Name yourself and a key file.</source>
      <translation>Die Bedingungen Ihrer Richtlinie werden beurteilt, Ihr Name und Schlüssel signieren die Freigabe, und das Freigabebuch zählt sie zu allem früher Herausgegebenen. Nennen Sie sich und eine Schlüsseldatei.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/tour.py" />
      <source>Guided tour</source>
      <translation>Geführte Tour</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/tour.py" />
      <source>Less noise or more queries of each user make a release more useful and promise less. Statement and plots follow at once. Move any slider.</source>
      <translation>Weniger Rauschen oder mehr Anfragen je Nutzer machen eine Freigabe nützlicher, aber sie sichert weniger zu. Zusicherung und Diagramme folgen sofort. Bewegen Sie einen Regler.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/tour.py" />
      <source>Move a slider</source>
      <translation>Einen Regler bewegen</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/tour.py" />
      <source>Move one for me</source>
      <translation>Für mich bewegen</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/tour.py" />
      <source>Next</source>
      <translation>Weiter</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/tour.py" />
      <source>Open it</source>
      <translation>Öffnen</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/tour.py" />
      <source>Open the sample log</source>
      <translation>Das Beispielprotokoll öffnen</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/tour.py" />
      <source>Read what a method promises</source>
      <translation>Lesen, was ein Verfahren zusichert</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/tour.py" />
      <source>Review and approve</source>
      <translation>Prüfen und genehmigen</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/tour.py" />
      <source>Review…</source>
      <translation>Prüfen…</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/tour.py" />
      <source>Run</source>
      <translation>Starten</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/tour.py" />
      <source>Run it</source>
      <translation>Starten</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/tour.py" />
      <source>SafeLog publishes noisy counts of queries that many people share. The statement says what it guarantees, to whom, and under which assumptions.</source>
      <translation>SafeLog veröffentlicht verrauschte Anzahlen von Anfragen, die viele teilen. Die Zusicherung sagt, was es wem garantiert und unter welchen Annahmen.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/tour.py" />
      <source>See who is at risk</source>
      <translation>Sehen, wer gefährdet ist</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/queue_panel.py" />
      <source>Stop it and strike it out</source>
      <translation>Anhalten und streichen</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/queue_panel.py" />
      <source>Stop it; it stays among the runs</source>
      <translation>Anhalten; er bleibt bei den Läufen</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/tour.py" />
      <source>That was an approved release</source>
      <translation>Das war eine genehmigte Freigabe</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/tour.py" />
      <source>The run draws the real noise, then attacks what came out of it as an outsider would. It goes on in the background.</source>
      <translation>Der Lauf zieht das echte Rauschen und greift dann an, was herauskam, so wie es ein Außenstehender täte. Er läuft im Hintergrund.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/tour.py" />
      <source>These sessions of the log point at a person. The last column says what of them can still be read in the release. Open one with a double click.</source>
      <translation>Diese Sitzungen des Protokolls weisen auf eine Person hin. Die letzte Spalte sagt, was davon noch in der Freigabe zu lesen ist. Öffnen Sie eine mit einem Doppelklick.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/tour.py" />
      <source>Try another setting</source>
      <translation>Eine andere Einstellung versuchen</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/tour.py" />
      <source>Whoever has it can check with your public key that nothing was changed. Open your own log next, and begin with its rejected rows.</source>
      <translation>Wer sie hat, kann mit Ihrem öffentlichen Schlüssel prüfen, dass nichts verändert wurde. Öffnen Sie als Nächstes Ihr eigenes Protokoll und beginnen Sie mit den abgewiesenen Zeilen.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/tour.py" />
      <source>{number} of {total}</source>
      <translation>{number} von {total}</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/queue_panel.py" />
      <source>■ Cancel</source>
      <translation>■ Abbrechen</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/queue_panel.py" />
      <source>▲ Earlier</source>
      <translation>▲ Früher</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/queue_panel.py" />
      <source>▼ Later</source>
      <translation>▼ Später</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/queue_panel.py" />
      <source>✕ Remove</source>
      <translation>✕ Entfernen</translation>
    </message>
  </context>
  <context>
    <name>Tracer</name>
    <message>
      <location filename="../../auditor/gui/session_scope.py" />
      <source>Behind “{count}” of run {run}: {sessions} of {users}.</source>
      <translation>Hinter „{count}“ von Lauf {run}: {sessions} von {users}.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/session_scope.py" />
      <source>Looking for the sessions behind “{}”…</source>
      <translation>Die Sitzungen hinter „{}“ werden gesucht…</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/session_scope.py" />
      <source>Nobody is behind “{}”.</source>
      <translation>Hinter „{}“ steht niemand.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/session_scope.py" />
      <source>session</source>
      <translation>Sitzung</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/session_scope.py" />
      <source>sessions</source>
      <translation>Sitzungen</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/session_scope.py" />
      <source>user</source>
      <translation>Nutzer</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/session_scope.py" />
      <source>users</source>
      <translation>Nutzern</translation>
    </message>
  </context>
  <context>
    <name>Undo</name>
    <message>
      <location filename="../../auditor/gui/project_edits.py" />
      <source>comment on run {letter}</source>
      <translation>Kommentar zu Lauf {letter}</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/project_edits.py" />
      <source>name of run {letter}</source>
      <translation>Name von Lauf {letter}</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/project_edits.py" />
      <source>pin of run {letter}</source>
      <translation>Anheften von Lauf {letter}</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/project_edits.py" />
      <source>removal of run {letter}</source>
      <translation>Entfernen von Lauf {letter}</translation>
    </message>
  </context>
  <context>
    <name>ValuesPanel</name>
    <message>
      <location filename="../../auditor/gui/values_panel.py" />
      <source>95 % from</source>
      <translation>95 % von</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/values_panel.py" />
      <source>Before you run this</source>
      <translation>Vor dem Start</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/values_panel.py" />
      <source>Expected volume and error of the setting appear here once a log is open.</source>
      <translation>Erwarteter Umfang und Fehler der Einstellung erscheinen hier, sobald ein Protokoll geöffnet ist.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/values_panel.py" />
      <source>Figures</source>
      <translation>Kennzahlen</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/values_panel.py" />
      <source>better</source>
      <translation>besser</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/values_panel.py" />
      <source>double-click to see the sessions</source>
      <translation>Doppelklick zeigt die Sitzungen</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/values_panel.py" />
      <source>figure</source>
      <translation>Kennzahl</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/values_panel.py" />
      <source>to</source>
      <translation>bis</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/values_panel.py" />
      <source>unit</source>
      <translation>Einheit</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/values_panel.py" />
      <source>value</source>
      <translation>Wert</translation>
    </message>
  </context>
  <context>
    <name>Welcome</name>
    <message>
      <location filename="../../auditor/gui/welcome.py" />
      <source>A made-up log that comes with the program: nobody's real searches</source>
      <translation>Ein erfundenes Protokoll, das dem Programm beiliegt: niemandes echte Suchen</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/welcome.py" />
      <source>A short tour on the sample log, to an approved release</source>
      <translation>Eine kurze Tour am Beispielprotokoll bis zu einer genehmigten Freigabe</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/welcome.py" />
      <source>Cancel</source>
      <translation>Abbrechen</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/welcome.py" />
      <source>No log is open</source>
      <translation>Kein Protokoll geöffnet</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/welcome.py" />
      <source>Open a log…</source>
      <translation>Protokoll öffnen…</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/welcome.py" />
      <source>Open a web-search query log, or drop its files here. Nothing leaves this computer.</source>
      <translation>Öffnen Sie ein Protokoll von Websuchen oder ziehen Sie seine Dateien hierher. Nichts verlässt diesen Rechner.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/welcome.py" />
      <source>Open the sample log</source>
      <translation>Das Beispielprotokoll öffnen</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/welcome.py" />
      <source>Reading the log</source>
      <translation>Das Protokoll wird gelesen</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/welcome.py" />
      <source>Reading {title}</source>
      <translation>{title} wird gelesen</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/welcome.py" />
      <source>Show me around</source>
      <translation>Zeigen Sie mir alles</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/welcome.py" />
      <source>starting</source>
      <translation>beginnt</translation>
    </message>
  </context>
  <context>
    <name>WhyDialog</name>
    <message>
      <location filename="../../auditor/gui/why_dialog.py" />
      <source>A query, exactly as it was asked</source>
      <translation>Eine Anfrage, genau wie sie gestellt wurde</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/why_dialog.py" />
      <source>Answer</source>
      <translation>Antwort</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/why_dialog.py" />
      <source>Explain</source>
      <translation>Erklären</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/why_dialog.py" />
      <source>Looking it up…</source>
      <translation>Wird nachgesehen…</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/why_dialog.py" />
      <source>Of the run {whose}. What you see are counts of the original log.</source>
      <translation>Zu Lauf {whose}. Sie sehen Anzahlen des ursprünglichen Protokolls.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/why_dialog.py" />
      <source>Query</source>
      <translation>Anfrage</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/why_dialog.py" />
      <source>Why kept, why dropped</source>
      <translation>Warum behalten, warum entfernt</translation>
    </message>
  </context>
  <context>
    <name>Window</name>
    <message>
      <location filename="../../auditor/gui/plots/pareto.py" />
      <source>  ← better</source>
      <translation>  ← besser</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/plots/pareto.py" />
      <source>  → better</source>
      <translation>  → besser</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/exporting.py" />
      <source> Give {made}, beside the key, to whoever verifies.</source>
      <translation> Geben Sie {made}, neben dem Schlüssel, an alle, die prüfen wollen.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/plots/pareto.py" />
      <source> Higher is better.</source>
      <translation> Höher ist besser.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/rejects_view.py" />
      <source> Lines count from 1 within their file.</source>
      <translation> Zeilen zählen ab 1 innerhalb ihrer Datei.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/plots/pareto.py" />
      <source> Lower is better.</source>
      <translation> Niedriger ist besser.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/review_parts.py" />
      <source> Neighbouring logs: {neighbours}.</source>
      <translation> Benachbarte Protokolle: {neighbours}.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/rejects_view.py" />
      <source> The first {rejects} are listed.</source>
      <translation> Die ersten {rejects} sind aufgeführt.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/plots/pareto.py" />
      <source> and </source>
      <translation> und </translation>
    </message>
    <message>
      <location filename="../../auditor/gui/help_pages.py" />
      <source> or </source>
      <translation> oder </translation>
    </message>
    <message>
      <location filename="../../auditor/gui/formats.py" />
      <source> to </source>
      <translation> bis </translation>
    </message>
    <message>
      <location filename="../../auditor/gui/exporting.py" />
      <source> {name} stands beside it, for nobody else.</source>
      <translation> {name} liegt daneben und ist für niemand anderen bestimmt.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/menus.py" />
      <source>&amp;Dark</source>
      <translation>&amp;Dunkel</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/menus.py" />
      <source>&amp;Light</source>
      <translation>&amp;Hell</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/checks_panel.py" />
      <source>A CSV table with columns user, userid, name, zip: what attackers know of some users.</source>
      <translation>Eine CSV-Tabelle mit den Spalten user, userid, name, zip: was Angreifer über einige Nutzer wissen.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/checks_panel.py" />
      <source>A raw log that attackers hold: of another period, or of other people. Attacks learn from it which words go together.</source>
      <translation>Ein Rohprotokoll, das Angreifer besitzen: aus einer anderen Zeit oder von anderen Personen. Angriffe lernen daraus, welche Wörter zusammengehören.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/welcome.py" />
      <source>A release leaves only with its statement and somebody's approval.</source>
      <translation>Eine Freigabe geht nur mit ihrer Zusicherung und einer Genehmigung hinaus.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/welcome.py" />
      <source>AOL, Excite, any table with users, queries and times; packed too.</source>
      <translation>AOL, Excite, jede Tabelle mit Nutzern, Anfragen und Zeiten; auch gepackt.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/rejects_view.py" />
      <source>All reasons</source>
      <translation>Alle Gründe</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/checks_panel.py" />
      <source>Another log</source>
      <translation>Ein anderes Protokoll</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/help_pages.py" />
      <source>Attacks</source>
      <translation>Angriffe</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/help_pages.py" />
      <source>Background</source>
      <translation>Hintergrund</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/rejects_view.py" />
      <source>Begins with</source>
      <translation>Beginnt mit</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/help_pages.py" />
      <source>Beyond the window</source>
      <translation>Über das Fenster hinaus</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/statement_panel.py" />
      <source>By a tighter accountant: ε {tight_epsilon}.</source>
      <translation>Nach genauerer Berechnung: ε {tight_epsilon}.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/explore_panel.py" />
      <source>Choose one or two parameters and press Explore: every setting of the grid is run in the background, and a click on one takes it over.</source>
      <translation>Wählen Sie einen oder zwei Parameter und drücken Sie „Erkunden“: Jede Einstellung des Rasters läuft im Hintergrund, und ein Klick darauf übernimmt sie.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/session_view.py" />
      <source>Clicked</source>
      <translation>Geklickt</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/rejects_view.py" />
      <source>Column</source>
      <translation>Spalte</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/wizard_intent.py" />
      <source>Cookie of the browser</source>
      <translation>Cookie des Browsers</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/help_pages.py" />
      <source>Cost</source>
      <translation>Kosten</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/banner.py" />
      <source>Done</source>
      <translation>Erledigt</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/handing.py" />
      <source>Drawing that scales (*.svg)</source>
      <translation>Skalierbare Zeichnung (*.svg)</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/rejects_view.py" />
      <source>Every one of the {rows_read} was read.</source>
      <translation>Alles wurde gelesen: {rows_read}.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/welcome.py" />
      <source>Export what holds</source>
      <translation>Exportieren, was hält</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/rejects_view.py" />
      <source>File</source>
      <translation>Datei</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/session_data.py" />
      <source>Flagged for {whys} · risk {risk} of 1 · {fate}</source>
      <translation>Auffällig: {whys} · Risiko {risk} von 1 · {fate}</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/flagged_view.py" />
      <source>Flagged sessions</source>
      <translation>Auffällige Sitzungen</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/menus.py" />
      <source>Follow the &amp;system</source>
      <translation>Wie das &amp;System</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/help_pages.py" />
      <source>For programmers</source>
      <translation>Für Programmierer</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/session_data.py" />
      <source>From 0 to 1, to rank the sessions. Every reason adds its weight, and adds more the fewer users asked the query. The weights are a judgement; the figure is not a probability.</source>
      <translation>Von 0 bis 1, um die Sitzungen zu ordnen. Jeder Grund fügt sein Gewicht hinzu, und umso mehr, je weniger Nutzer die Anfrage stellten. Die Gewichte sind ein Urteil; die Zahl ist keine Wahrscheinlichkeit.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/flagged_model.py" />
      <source>From 0 to 1; 1 is worst. Open the session to see what it is made of</source>
      <translation>Von 0 bis 1; 1 ist am schlimmsten. Öffnen Sie die Sitzung, um zu sehen, woraus es sich ergibt</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/gates_card.py" />
      <source>Gates</source>
      <translation>Bedingungen</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/gates_card.py" />
      <source>Gates of one more release</source>
      <translation>Bedingungen für eine weitere Freigabe</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/help_pages.py" />
      <source>Guide</source>
      <translation>Anleitung</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/flagged_model.py" />
      <source>How many of the marked queries stand verbatim in the release</source>
      <translation>Wie viele der markierten Anfragen wörtlich in der Freigabe stehen</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/flagged_model.py" />
      <source>How many queries the user sent in the session</source>
      <translation>Wie viele Anfragen der Nutzer in der Sitzung stellte</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/run_book.py" />
      <source>How the run was judged</source>
      <translation>Wie der Lauf beurteilt wurde</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/statement_panel.py" />
      <source>How the sum comes about</source>
      <translation>Wie die Summe zustande kommt</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/review_data.py" />
      <source>I agree that {which} dismissed by hand.</source>
      <translation>Ich bin einverstanden, dass {which}.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/review_data.py" />
      <source>I have looked at the flagged sessions of which something survives ({surviving}).</source>
      <translation>Ich habe die auffälligen Sitzungen angesehen, von denen etwas erhalten bleibt ({surviving}).</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/review_data.py" />
      <source>I have read what is guaranteed here, and what is not.</source>
      <translation>Ich habe gelesen, was hier garantiert ist und was nicht.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/review_data.py" />
      <source>I know that {which}, so the guarantee does not hold as it is stated.</source>
      <translation>Ich weiß, dass {which}, sodass die Garantie nicht wie angegeben gilt.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/wizard_intent.py" />
      <source>IP address</source>
      <translation>IP-Adresse</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/wizard_intent.py" />
      <source>IPv4 address of the request</source>
      <translation>IPv4-Adresse der Anfrage</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/wizard_intent.py" />
      <source>ISO 8601, like 2006-03-01 07:17:12</source>
      <translation>ISO 8601, wie 2006-03-01 07:17:12</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/statement_panel.py" />
      <source>If</source>
      <translation>Wenn</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/session_view.py" />
      <source>In the release</source>
      <translation>In der Freigabe</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/worker.py" />
      <source>Internal error: {error} at {where}.</source>
      <translation>Interner Fehler: {error} bei {where}.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/exporting.py" />
      <source>It is not signed.</source>
      <translation>Sie ist nicht signiert.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/exporting.py" />
      <source>It is not signed: {error}</source>
      <translation>Sie ist nicht signiert: {error}</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/wizard_intent.py" />
      <source>JSON lines</source>
      <translation>JSON-Zeilen</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/rejects_view.py" />
      <source>Line</source>
      <translation>Zeile</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/welcome.py" />
      <source>Look at who is at risk</source>
      <translation>Sehen, wer gefährdet ist</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/statement_panel.py" />
      <source>Measured on this run</source>
      <translation>An diesem Lauf gemessen</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/help_pages.py" />
      <source>Measures</source>
      <translation>Maße</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/help_pages.py" />
      <source>Methods</source>
      <translation>Verfahren</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/flagged_model.py" />
      <source>Most telling query</source>
      <translation>Aufschlussreichste Anfrage</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/help_pages.py" />
      <source>Name</source>
      <translation>Name</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/help_pages.py" />
      <source>Needs besides the log</source>
      <translation>Benötigt außer dem Protokoll</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/wizard_intent.py" />
      <source>Neither kept nor released</source>
      <translation>Weder behalten noch freigegeben</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/wizard_intent.py" />
      <source>No column has the role {listed} yet. Choose it above the column that holds it.</source>
      <translation>Noch hat keine Spalte die Rolle {listed}. Wählen Sie sie über der passenden Spalte.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/flagged_table.py" />
      <source>No flagged session passes the filters.</source>
      <translation>Keine auffällige Sitzung passt zu den Filtern.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/review_parts.py" />
      <source>No measure or attack was run.</source>
      <translation>Kein Maß und kein Angriff wurde ausgeführt.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/flagged_table.py" />
      <source>No session was flagged.

The spotters recognised no name, place, number or revealing term. That does not mean that nobody can be recognised: an unusual hobby is enough for somebody who knows the person.</source>
      <translation>Keine Sitzung fiel auf.

Erkannt wurde kein Name, kein Ort, keine Nummer und kein verräterischer Begriff. Das heißt nicht, dass niemand erkannt werden kann: Wer die Person kennt, dem genügt ein ungewöhnliches Hobby.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/review_data.py" />
      <source>No session was flagged. Nothing was recognised, which does not mean that nobody can be recognised.</source>
      <translation>Keine Sitzung fiel auf. Nichts wurde erkannt; das heißt nicht, dass niemand erkannt werden kann.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/help_pages.py" />
      <source>None.</source>
      <translation>Keine.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/worker.py" />
      <source>Not enough memory. Close other programs, or take a sample of the users.</source>
      <translation>Nicht genug Speicher. Schließen Sie andere Programme, oder nehmen Sie eine Stichprobe der Nutzer.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/banner.py" />
      <source>Note</source>
      <translation>Hinweis</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/flagged_table.py" />
      <source>Open a log. The sessions that could tell who somebody is are listed here.</source>
      <translation>Öffnen Sie ein Protokoll. Hier werden die Sitzungen aufgeführt, die verraten könnten, wer jemand ist.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/welcome.py" />
      <source>Open a search log</source>
      <translation>Ein Suchprotokoll öffnen</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/help_pages.py" />
      <source>Parameters</source>
      <translation>Parameter</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/checks_panel.py" />
      <source>People's profiles</source>
      <translation>Profile von Personen</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/handing.py" />
      <source>Picture (*.png)</source>
      <translation>Bild (*.png)</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/wizard_intent.py" />
      <source>Place of the click in the list of results</source>
      <translation>Platz des Klicks in der Ergebnisliste</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/run_book.py" />
      <source>Policy: {facts}.</source>
      <translation>Richtlinie: {facts}.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/banner.py" />
      <source>Problem</source>
      <translation>Problem</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/knowledge.py" />
      <source>Profiles of the sample's people</source>
      <translation>Profile der Personen des Beispiels</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/review_parts.py" />
      <source>Protected: {unit}.</source>
      <translation>Geschützt: {unit}.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/flagged_model.py" />
      <source>Queries</source>
      <translation>Anfragen</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/session_view.py" />
      <source>Query</source>
      <translation>Anfrage</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/help_pages.py" />
      <source>Randomness</source>
      <translation>Zufall</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/rejects_view.py" />
      <source>Reason</source>
      <translation>Grund</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/help_pages.py" />
      <source>Releases</source>
      <translation>Gibt frei</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/flagged_model.py" />
      <source>Risk</source>
      <translation>Risiko</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/session_data.py" />
      <source>Risk {risk}</source>
      <translation>Risiko {risk}</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/rejects_view.py" />
      <source>Rows</source>
      <translation>Zeilen</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/flagged_table.py" />
      <source>Run a method to see which sessions are at risk, why, and what of them is released.</source>
      <translation>Starten Sie einen Lauf, um zu sehen, welche Sitzungen gefährdet sind, warum, und was davon freigegeben wird.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/tables_panel.py" />
      <source>Run a method: the tables of its measures and attacks appear here.</source>
      <translation>Starten Sie einen Lauf: Hier erscheinen die Tabellen seiner Maße und Angriffe.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/welcome.py" />
      <source>Runs are attacked; the sessions behind each number open.</source>
      <translation>Läufe werden angegriffen; die Sitzungen hinter jeder Zahl lassen sich öffnen.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/loading.py" />
      <source>Sample log</source>
      <translation>Beispielprotokoll</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/knowledge.py" />
      <source>Sample log, an earlier period</source>
      <translation>Beispielprotokoll, ein früherer Zeitraum</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/exporting.py" />
      <source>Signed with the key {told}.</source>
      <translation>Signiert mit dem Schlüssel {told}.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/welcome.py" />
      <source>Sliders show at once what a setting promises and what it costs.</source>
      <translation>Regler zeigen sofort, was eine Einstellung zusichert und was sie kostet.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/flagged_table.py" />
      <source>Sorting the flagged sessions…</source>
      <translation>Die auffälligen Sitzungen werden sortiert…</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/help_pages.py" />
      <source>Source</source>
      <translation>Quelle</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/handing.py" />
      <source>Table for a spreadsheet (*.csv)</source>
      <translation>Tabelle für die Tabellenkalkulation (*.csv)</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/handing.py" />
      <source>Text (*.txt)</source>
      <translation>Text (*.txt)</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/wizard_intent.py" />
      <source>Text in columns (CSV, TSV, …)</source>
      <translation>Text in Spalten (CSV, TSV, …)</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/loading.py" />
      <source>The log has no rows that can be read. Open another file or check which column is which.</source>
      <translation>Das Protokoll hat keine lesbaren Zeilen. Öffnen Sie eine andere Datei oder prüfen Sie, welche Spalte welche ist.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/flagged_model.py" />
      <source>The query with the gravest mark; sorts as in the log</source>
      <translation>Die Anfrage mit der schwersten Markierung; sortiert wie im Protokoll</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/flagged_model.py" />
      <source>The user's id in the log, as it was before anonymization</source>
      <translation>Die Kennung des Nutzers im Protokoll, wie sie vor der Anonymisierung war</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/wizard_intent.py" />
      <source>This computer has {there} of memory. Open fewer files, or a sample of the users.</source>
      <translation>Dieser Rechner hat {there} Speicher. Öffnen Sie weniger Dateien oder eine Stichprobe der Nutzer.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/review_dialog.py" />
      <source>This is a preview. Its noise came from a seed, and a seed undoes the noise, so it can't be exported. Close this, press Run, and review the run that comes of it.</source>
      <translation>Dies ist eine Vorschau. Ihr Rauschen kam aus einem Startwert, und mit ihm lässt es sich entfernen; deshalb kann sie nicht exportiert werden. Schließen Sie dies, drücken Sie „Starten“ und prüfen Sie den Lauf, der daraus entsteht.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/help_pages.py" />
      <source>This page is in English.</source>
      <translation>Diese Seite ist auf Englisch.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/session_view.py" />
      <source>Time (UTC)</source>
      <translation>Zeit (UTC)</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/run_book.py" />
      <source>Times</source>
      <translation>Zeiten</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/welcome.py" />
      <source>Tune a method</source>
      <translation>Ein Verfahren einstellen</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/wizard_intent.py" />
      <source>Two columns have the role “{twice}”. Set one of them to “ignore”.</source>
      <translation>Zwei Spalten haben die Rolle „{twice}“. Setzen Sie eine davon auf „übergehen“.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/flagged_model.py" />
      <source>User</source>
      <translation>Nutzer</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/session_data.py" />
      <source>User {user} · {times} · {rows}</source>
      <translation>Nutzer {user} · {times} · {rows}</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/review_parts.py" />
      <source>What is guaranteed</source>
      <translation>Was garantiert ist</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/help_pages.py" />
      <source>What it does</source>
      <translation>Was es tut</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/review_parts.py" />
      <source>What it gives and costs</source>
      <translation>Was sie bietet und kostet</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/flagged_model.py" />
      <source>What somebody said of the session, and why it was dismissed</source>
      <translation>Was jemand zu der Sitzung notiert hat und warum sie verworfen wurde</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/flagged_model.py" />
      <source>What survives</source>
      <translation>Was bleibt</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/review_parts.py" />
      <source>What survives of the flagged sessions</source>
      <translation>Was von den auffälligen Sitzungen bleibt</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/wizard_intent.py" />
      <source>What was clicked, empty where nothing was</source>
      <translation>Was geklickt wurde; leer, wo nichts</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/flagged_model.py" />
      <source>What was recognised</source>
      <translation>Was erkannt wurde</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/wizard_intent.py" />
      <source>What was typed</source>
      <translation>Was eingegeben wurde</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/wizard_intent.py" />
      <source>When</source>
      <translation>Wann</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/flagged_model.py" />
      <source>When (UTC)</source>
      <translation>Wann (UTC)</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/flagged_model.py" />
      <source>When the session began</source>
      <translation>Wann die Sitzung begann</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/wizard_intent.py" />
      <source>Who searched: an id, a name, a cookie</source>
      <translation>Wer suchte: eine Kennung, ein Name, ein Cookie</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/flagged_model.py" />
      <source>Why</source>
      <translation>Warum</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/gates_card.py" />
      <source>Why it may pass all the same</source>
      <translation>Warum sie dennoch als erfüllt gelten darf</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/session_view.py" />
      <source>Why marked</source>
      <translation>Warum markiert</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/help_pages.py" />
      <source>a log</source>
      <translation>ein Protokoll</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/formats.py" />
      <source>a moment</source>
      <translation>ein Augenblick</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/wizard_intent.py" />
      <source>about {memory} of memory</source>
      <translation>etwa {memory} Speicher</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/wizard_intent.py" />
      <source>about {rows} rows</source>
      <translation>etwa {rows} Zeilen</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/formats.py" />
      <source>about {seconds} min left</source>
      <translation>noch etwa {seconds} min</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/formats.py" />
      <source>about {seconds} s left</source>
      <translation>noch etwa {seconds} s</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/worker.py" />
      <source>an unknown place</source>
      <translation>einer unbekannten Stelle</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/wizard_intent.py" />
      <source>as it looks</source>
      <translation>wie es aussieht</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/wizard_intent.py" />
      <source>bar  |</source>
      <translation>Senkrechter Strich  |</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/plain.py" />
      <source>bytes</source>
      <translation>Bytes</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/style.py" />
      <source>cancelled</source>
      <translation>abgebrochen</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/wizard_intent.py" />
      <source>clicked URL</source>
      <translation>geklickte URL</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/wizard_intent.py" />
      <source>comma  ,</source>
      <translation>Komma  ,</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/wizard_intent.py" />
      <source>control character 1</source>
      <translation>Steuerzeichen 1</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/wizard_intent.py" />
      <source>cookie</source>
      <translation>Cookie</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/help_pages.py" />
      <source>default: {spec}</source>
      <translation>Vorgabe: {spec}</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/formats.py" />
      <source>defaults</source>
      <translation>Vorgaben</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/loading.py" />
      <source>drawing the preview's users</source>
      <translation>Nutzer der Vorschau werden gezogen</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/help_pages.py" />
      <source>draws no noise</source>
      <translation>zieht kein Rauschen</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/help_pages.py" />
      <source>draws noise that the guarantee rests on</source>
      <translation>zieht Rauschen, auf dem die Garantie beruht</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/style.py" />
      <source>failed</source>
      <translation>gescheitert</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/style.py" />
      <source>fails</source>
      <translation>trifft nicht zu</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/style.py" />
      <source>finished</source>
      <translation>fertig</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/review_parts.py" />
      <source>higher is better</source>
      <translation>höher ist besser</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/style.py" />
      <source>holds</source>
      <translation>trifft zu</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/wizard_intent.py" />
      <source>ignore</source>
      <translation>übergehen</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/loading.py" />
      <source>looking for attacks and measures</source>
      <translation>Angriffe und Maße werden gesucht</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/help_pages.py" />
      <source>low end: {ends}; high end: {ends_2}</source>
      <translation>unteres Ende: {ends}; oberes Ende: {ends_2}</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/review_parts.py" />
      <source>lower is better</source>
      <translation>niedriger ist besser</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/help_pages.py" />
      <source>matters only if {name} is {map}</source>
      <translation>wirkt nur, wenn {name} {map} ist</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/wizard_intent.py" />
      <source>microseconds since 1970</source>
      <translation>Mikrosekunden seit 1970</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/wizard_intent.py" />
      <source>milliseconds since 1970</source>
      <translation>Millisekunden seit 1970</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/help_pages.py" />
      <source>must be {wanted}</source>
      <translation>muss sein: {wanted}</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/wizard_intent.py" />
      <source>nanoseconds since 1970</source>
      <translation>Nanosekunden seit 1970</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/formats.py" />
      <source>no</source>
      <translation>nein</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/flagged_model.py" />
      <source>no release yet</source>
      <translation>noch keine Freigabe</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/formats.py" />
      <source>no rows</source>
      <translation>keine Zeilen</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/formats.py" />
      <source>none</source>
      <translation>keine</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/formats.py" />
      <source>not known</source>
      <translation>nicht bekannt</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/flagged_model.py" />
      <source>nothing</source>
      <translation>nichts</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/runs_panel.py" />
      <source>nothing of it was kept</source>
      <translation>nichts davon wurde behalten</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/formats.py" />
      <source>outside the calendar</source>
      <translation>außerhalb des Kalenders</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/loading.py" />
      <source>preparing the log</source>
      <translation>Protokoll wird vorbereitet</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/wizard_intent.py" />
      <source>query</source>
      <translation>Anfrage</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/wizard_intent.py" />
      <source>rank</source>
      <translation>Rang</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/style.py" />
      <source>running</source>
      <translation>läuft</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/wizard_intent.py" />
      <source>seconds since 1970</source>
      <translation>Sekunden seit 1970</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/wizard_intent.py" />
      <source>semicolon  ;</source>
      <translation>Semikolon  ;</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/review_parts.py" />
      <source>sessions flagged</source>
      <translation>auffällige Sitzungen</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/run_presenter.py" />
      <source>so far</source>
      <translation>bisher</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/review_parts.py" />
      <source>something survives</source>
      <translation>etwas bleibt</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/wizard_intent.py" />
      <source>space</source>
      <translation>Leerzeichen</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/wizard_intent.py" />
      <source>tab</source>
      <translation>Tabulator</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/help_pages.py" />
      <source>tables</source>
      <translation>Tabellen</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/wizard_intent.py" />
      <source>time</source>
      <translation>Zeit</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/formats.py" />
      <source>unbounded</source>
      <translation>unbegrenzt</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/rejects_view.py" />
      <source>under 0.01</source>
      <translation>unter 0,01</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/formats.py" />
      <source>under 1 s left</source>
      <translation>noch unter 1 s</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/help_pages.py" />
      <source>unit: {unit}</source>
      <translation>Einheit: {unit}</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/wizard_intent.py" />
      <source>user</source>
      <translation>Nutzer</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/plots/figure_view.py" />
      <source>values</source>
      <translation>Werte</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/style.py" />
      <source>waiting</source>
      <translation>wartet</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/formats.py" />
      <source>yes</source>
      <translation>ja</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/formats.py" />
      <source>{first} to {last}</source>
      <translation>{first} bis {last}</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/review_data.py" />
      <source>{flagged}. In {surviving} of them a marked query stands in the release word for word ({queries} in all, counted by session).</source>
      <translation>{flagged}. In {surviving} davon steht eine markierte Anfrage wörtlich in der Freigabe (insgesamt {queries}, nach Sitzungen gezählt).</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/review_data.py" />
      <source>{flagged}. None of their marked queries stands in the release word for word.</source>
      <translation>{flagged}. Keine ihrer markierten Anfragen steht wörtlich in der Freigabe.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/formats.py" />
      <source>{hours} h</source>
      <translation>{hours} h</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/plots/figure_view.py" />
      <source>{label} over {label_2}.</source>
      <translation>{label} über {label_2}.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/header.py" />
      <source>{log} rows</source>
      <translation>{log} Zeilen</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/session_data.py" />
      <source>{marked}, no release yet</source>
      <translation>{marked}, noch keine Freigabe</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/session_data.py" />
      <source>{marked}, none in the release word for word</source>
      <translation>{marked}, keine wörtlich in der Freigabe</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/session_data.py" />
      <source>{marked}, not in the release word for word</source>
      <translation>{marked}, nicht wörtlich in der Freigabe</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/session_data.py" />
      <source>{marked}, which stand in the release word for word</source>
      <translation>{marked}, die wörtlich in der Freigabe stehen</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/session_data.py" />
      <source>{marked}, which stands in the release word for word</source>
      <translation>{marked}, die wörtlich in der Freigabe steht</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/session_data.py" />
      <source>{marked}, {surviving} of them stand in the release word for word</source>
      <translation>{marked}, davon stehen {surviving} wörtlich in der Freigabe</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/session_data.py" />
      <source>{marked}, {surviving} of them stands in the release word for word</source>
      <translation>{marked}, davon steht {surviving} wörtlich in der Freigabe</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/formats.py" />
      <source>{minutes} min</source>
      <translation>{minutes} min</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/loading.py" />
      <source>{name} and {paths} more</source>
      <translation>{name} und {paths} weitere</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/review_parts.py" />
      <source>{name}: not done, it {why}.</source>
      <translation>{name}: nicht ausgeführt, {why}.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/wizard_intent.py" />
      <source>{on_disk} on disk</source>
      <translation>{on_disk} auf der Platte</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/review_parts.py" />
      <source>{others} other figures</source>
      <translation>{others} weitere Kennzahlen</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/header.py" />
      <source>{queries} queries</source>
      <translation>{queries} Anfragen</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/rejects_view.py" />
      <source>{refused} of {rows} ({share} %) could not be read and are left out of everything that follows.</source>
      <translation>{refused} von {rows} ({share} %) konnten nicht gelesen werden und bleiben bei allem Folgenden außer Betracht.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/formats.py" />
      <source>{seconds} s</source>
      <translation>{seconds} s</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/formats.py" />
      <source>{shown} ({low} to {high})</source>
      <translation>{shown} ({low} bis {high})</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/session_data.py" />
      <source>{url} (rank {rank})</source>
      <translation>{url} (Rang {rank})</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/header.py" />
      <source>{users} users</source>
      <translation>{users} Nutzer</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/plots/figure_view.py" />
      <source>{what}: from {min} to {max}.</source>
      <translation>{what}: von {min} bis {max}.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/formats.py" />
      <source> M</source>
      <translation> Mio.</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/gates_card.py" />
      <source>– does not apply</source>
      <translation>– nicht anwendbar</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/formats.py" />
      <source>−unbounded</source>
      <translation>−unbegrenzt</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/gates_card.py" />
      <source>✓ passed</source>
      <translation>✓ erfüllt</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/flagged_model.py" />
      <source>✗ all {flagged} marked queries</source>
      <translation>✗ alle {flagged} markierten Anfragen</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/gates_card.py" />
      <source>✗ failed</source>
      <translation>✗ nicht erfüllt</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/flagged_model.py" />
      <source>✗ its marked query</source>
      <translation>✗ ihre markierte Anfrage</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/gates_card.py" />
      <source>✗ not measured</source>
      <translation>✗ nicht gemessen</translation>
    </message>
    <message>
      <location filename="../../auditor/gui/flagged_model.py" />
      <source>✗ {surviving} of {flagged} marked queries</source>
      <translation>✗ {surviving} von {flagged} markierten Anfragen</translation>
    </message>
  </context>
</TS>
