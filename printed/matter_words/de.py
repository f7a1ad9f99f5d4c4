"""German words in which people speak of documents and of what stands in them."""

from printed.matter_words.table import MatterWords

WORDS = MatterWords(
    types={
        "invoice": "rechnung*, *srechnung, *srechnungen, *nrechnung, *nrechnungen, *erechnung, *erechnungen,"
        " faktur*, eingangsrechnung*, lieferantenrechnung*, *rrechnung*, *krechnung*, rechnungs*, *mrechnung*,"
        " *trechnung*, honorarnote*, fakturiert*",
        "receipt": "quittung*, kassenbon*, kassenbeleg*, kassenzettel*, tankbeleg*, bewirtungsbeleg*, *quittung,"
        " *quittungen, parkschein*, bons",
        "credit note": "gutschrift*, wir schreiben ihnen gut, schreiben wir ihnen gut, gutgeschrieben*,"
        " rechnungskorrektur*, stornorechnung*, *gutschrift, *gutschriften",
        "order": "bestellung*, bestellt*, auftrag, aufträge, aufträgen, auftrags*, auftragsbestätigung*, bestellen,"
        " *bestellung, *bestellungen, bestellschein*",
        "delivery note": "lieferschein*, packzettel, packliste*, frachtbrief*, warenbegleitschein*, versandschein*,"
        " wareneingangsschein*",
        "contract": "vertrag*, verträge*, *vertrag, *verträge, *verträgen, *vertrags, *vertrages, vertragliche*,"
        " vereinbarung*, *vereinbarung, *vereinbarungen, geheimhaltungs*, nachtrag, nachträge, vertraglich*",
        "statement": "kontoauszug*, kontoauszüge*, bankauszug*, bankauszüge*, auszug, auszüge*, kontoübersicht*,"
        " kreditkartenabrechnung*, saldenbestätigung*, saldenliste*",
        "payslip": "lohnabrechnung*, gehaltsabrechnung*, entgeltabrechnung*, lohnzettel*, gehaltszettel*,"
        " lohnnachweis*, gehaltsnachweis*, verdienstabrechnung*, verdienstnachweis*, bezügemitteilung*, lohnschein*",
        "letter": "anschreiben, das schreiben, dieses schreiben, schreiben vom, schreiben des, mahnschreiben,"
        " rundschreiben, kündigungsschreiben, einschreiben, mahnung*, zahlungserinnerung*, korrespondenz,"
        " liebesbrief*, *brief, *briefe, brief von, brief der, brief des, brief vom, brief an, den brief, der brief,"
        " einen brief, ein brief, im brief, brief aus, dem brief, diesem brief, letzten brief, briefe, briefen,"
        " briefwechsel",
        "form": "formular*, *formular, *formulare, antrag, anträge*, *antrag, *anträge, fragebogen*, fragebögen*,"
        " vordruck*, meldebogen",
        "report": "bericht*, *bericht, *berichte, *berichten, protokoll*, *protokoll, *protokolle, gutachten,"
        " *gutachten, auswertung*, beurteilung*, *beurteilung, *beurteilungen, laborbefund*, messbericht*",
        "identity paper": "reisepass*, personalausweis*, ausweis*, führerschein*, aufenthaltstitel*,"
        " geburtsurkunde*, aufenthaltserlaubnis*, visum, visa, pässe",
        "other": "angebot, angebote, angebots*, kostenvoranschlag*, preisliste*, speisekarte*, prospekt*,"
        " lebenslauf, handbuch, katalog*, faltblatt*, offerte*",
    },
    matters={
        "price": "kostet*, kosten*, preis*, betrag*, beträge*, gesamt*, ausgegeben, ausgaben, gekauft, einkauf*,"
        " eingekauft, zahlen, bezahl*, gezahlt*, zahlung*, wie viel, wieviel, berechnet, teuerste*, überweisen,"
        " verbucht, buchen, buchung*, kontier*, anschaffung*, summe, summen, gekostet",
        "due": "fällig*, zahlungsziel*, überfällig*, zahlbar*, zahlungsfrist*, zu zahlen, schulden wir",
        "tax": "vorsteuer*, mwst, umsatzsteuer*, mehrwertsteuer*, ust, steuersatz*, steuernummer*, ust-idnr*,"
        " ust-id*, innergemeinschaftlich*",
        "discount": "skonto*, rabatt*, nachlass*, bonus des lieferanten",
        "supplier": "lieferant*, kreditor*, eingangsrechnung*, einkauf*, händler*, verbindlichkeit*, handwerker*",
        "customer": "kunde, kunden*, kundin*, debitor*, ausgangsrechnung*, forderung*, verkauf*, umsatz, umsätze*,"
        " abnehmer*, schuldet uns, schulden uns, *kunden, vertrieb*, erlös*",
        "net": "netto, brutto",
        "agreed": "vereinbart*, abgesprochen*, abgemacht*, schriftlich zugesagt*",
        "wages": "netto bekomm*, netto raus, netto im monat, brutto im monat, lohn, lohns, löhne*, lohnkosten*,"
        " lohnfort*, lohnbuch*, lohnarten, lohnerhöh*, gehalt*, gehält*, verdient*, verdienst*, entgelt*,"
        " netto verdien*, *gehalt, nettolohn, nettogehalt, bruttolohn, bruttogehalt, *lohn, weihnachtsgeld*,"
        " urlaubsgeld*, lohnsteuer*, sozialversicherung*, vergütung*, prämie*, *gehälter, mindestlohn*, abzüge*,"
        " krankenkassenbeitrag*, steuerklasse*",
        "bank": "bank, banken, kontostand*, saldo, salden, iban, überweisung*, lastschrift*, girokonto*,"
        " bankgebühr*, kontoführung*, dauerauftrag*, daueraufträge*, abgleich, bankkonto*, zinsen, *saldo, kredit,"
        " abbuchung*, abgebucht*, dispo, dispokredit*",
        "employment": "mitarbeiter*, beschäftigt*, arbeitsvertrag*, arbeitsverträge*, probezeit*, angestellt*,"
        " personal, personalakt*, befristet*, vollzeit, teilzeit, arbeitszeit*, eingestellt*, kollege*, kollegin*,"
        " arbeitnehmer*, arbeitet, abmahnung*, einstellung von, personalunterlag*, arbeitszeugnis*",
        "leave": "urlaub*, elternzeit*, krankmeldung*, krankschreibung*, mutterschutz, resturlaub*, *urlaub,"
        " freistellung*",
        "training": "schulung*, fortbildung*, weiterbildung*, zertifikat*, unterweisung*, qualifikation*, lehrgang*,"
        " ersthelfer*, *schulung, *unterweisung",
        "appraisal": "beurteilung*, mitarbeitergespräch*, leistungsbeurteilung*, zielvereinbarung*",
        "lease": "miete*, mietvertrag*, mietverträge*, vermiet*, pacht*, kaution*, wohnung*, nebenkosten*,"
        " untermiet*, miet*, verpacht*",
        "termination": "kündigungsfrist*, kündig*, klausel*, laufzeit*, gekündigt*, unterschrieben von,"
        " vertragsstrafe*, verlänger*, haftung*, gerichtsstand*, gewährleistung*",
        "insurance": "versicher*, versicherungspolice*, schadensfall*, schadenfall*, *versicherung, *versicherungen",
        "delivery": "geliefert*, lieferung*, liefertermin*, palette*, spedition*, spediteur*, wareneingang*,"
        " versand*, lager, rückstand, frachtführer*, sendung*, paket*, lieferrückst*, lagerbestand*, angeliefert*,"
        " fracht*, lieferverzug",
        "identity": "geburtsdatum*, geboren*, staatsangehörigkeit*, passnummer*, geburtsort*, arbeitserlaubnis*",
        "meeting": "sitzung*, besprechung*, beschlossen*, beschluss*, beschlüsse*, tagesordnung*, vorstand*,"
        " sitzungsprotokoll*, besprechungsprotokoll*",
        "quality": "labors, laborbericht*, laborwert*, messwert*, messung*, prüfung der, nitrat*, mangel, mängel*,"
        " wasserprobe*, qualitäts*, inspektion*, im labor, vom labor, das labor",
        "medical": "diagnose*, patient*, arzt*, ärzt*, medizin*, symptom*",
        "world": "wetter*, koche*, kochen, kochrezept*, backe, backen, gedicht*, witz, witze, lieder, geschichte,"
        " märchen, kinofilm*, fußball*, spiel gewonnen, spiel ausgegangen, bundesliga, weltmeister*, horoskop*,"
        " lotto*, bundeskanzler*, präsident*, hauptstadt*, politik*, nachrichten*, reisetipp*, flug nach, hotel*,"
        " restaurant*, aktienkurs*, börse*, bitcoin*, python, programmier*, geburtstag*, hochzeit*, liebesbrief*,"
        " freundin*, hausaufgabe*, aufsatz, erfunden*, sinn des lebens, diät*, schach, wette, wetten, rätsel*,"
        " geschenk*, wein zum, ausflug*, zug nach, quiz*, kuchen*, mittagessen, abendessen, empfiehl*, urlaubsziel*,"
        " reime, reimen, gereimt*, wahlen, wahlkampf*, bundestagswahl*, singe, singen, spielfilm*, rede für,"
        " rede zum",
    },
    speech={
        "greeting": "hallo*, guten tag, guten morgen, guten abend, moin*, servus, grüß gott, hi, zusammen, tschüss,"
        " auf wiedersehen, schönen tag*, schönes wochenende, grüezi, bis morgen, wie geht's, wie geht es dir,"
        " wie geht es ihnen",
        "thanks": "danke*, vielen dank*, herzlichen dank, super, prima, perfekt, ok, okay, gut, sehr gut, schön,"
        " alles klar, besten dank, dank, dir, ihnen, vielmals, für die hilfe, für deine hilfe, für ihre hilfe,"
        " passt, das hilft, sehr, toll, verstanden, das ist alles, das war alles, das war's, das wär's, gemacht",
        "product": "fragen kann, dich fragen, sie fragen, hier fragen, kannst du, können sie, dieser assistent,"
        " diesen assistenten, dein bereich, zuständig, exportier*, export, hochlad*, lade ich, einstellung*,"
        " diese app, diesem programm, wofür bist du, wofür sind sie, wer bist du, wer kann sehen, sieht meine,"
        " was ich hier, herunterlad*, rückgängig*, passwort, abmelde*, tastenkürzel, tag setzen, tags setzen,"
        " schlagwort*, lehnst du, warum antwortest, darfst du, darf ich hier, darf ich dich, funktionierst du,"
        " was geht hier, dein profil, handschrift*, welche formate, welche sprachen, verstehst du, papierkorb,"
        " benachrichtigung*, beantwortest, zugangstoken*, profil ist, liste filtern, hier gehen, hier machen,"
        " wobei hilfst du, wobei kannst du helfen, womit kannst du, wie kannst du helfen, wie kannst du mir helfen",
        "compare": "vergleich*, passt, passen, stimmt * überein, stimmen * überein, entspricht, entsprechen, gegen,"
        " als im, als in, laut, gemäß, weicht, abweich*, abgleich*, zusammenpass*, überein*, gegenüber",
        "point": "mir, mich, uns, es, das, die, der, den, dem, diese*, jene*, davon, dazu, darin, daran, dort,"
        " nochmal, noch mal, noch einmal, dasselbe, derselbe, dieselbe, er, sie, ihn, ihm, ihr, und, andere*,"
        " nächste*, vorige*, vorher, auch, beide*, weiter, mehr, nur, dann, bitte, ja, nein, warum, wieder,"
        " seit wann, stattdessen, darüber, daraus",
        "ask": "was, wer, wen, wem, wann, wo, welche*, warum, wieso, wie, zeig*, liste*, gib, nenn*, sag*, fass*,"
        " fasse, übersetz*, schreib*, lies, öffne*, such*, finde*, vergleich*, prüf*, erklär*, hol*, druck*,"
        " schick*, rechne*, empfiehl*, erstell*, mach*, beschreib*, ist, sind, hat, haben, kann, können, soll*,"
        " darf, möchte*, will, brauche, wurde*, war, erzähl*, verrat*, stell*, bitte, gibt, check*",
        "claim": "du bist jetzt, du bist nun, sie sind jetzt, ab jetzt bist, ab jetzt darfst, ab sofort bist,"
        " ab sofort darfst, von nun an bist, von nun an darfst, ab jetzt beantwortest, ab sofort auch, tu so,"
        " tue so, als wärst du, neue anweisung*, admin hat dir, admin hat erlaubt, admin hat gerade,"
        " administrator hat dir, administratorin hat dir, als admin*, ich bin der admin*, ich bin admin*,"
        " chef hat erlaubt, erlaubt dir, dir erlaubt, freigeschaltet, gehört jetzt zu deinem, zu deinem bereich,"
        " ohne einschränkung*, systemprompt*, profil gilt nicht, du darfst jetzt, entwicklermodus",
        "refusal": "warum lehnst du, warum lehnen sie, warum hast du abgelehnt, warum antwortest du nicht,"
        " warum verweigerst, warum darfst du nicht, hast du das abgelehnt, hast du den * abgelehnt,"
        " hast du die * abgelehnt, hast du * verweigert",
        "how": "wie kann ich, wie ändere ich, wer kann, wer darf, wo ändere ich, wie erweitere ich",
        "drop": "ignorier*, vergiss, vergessen sie, umgeh*, änder*, erweiter*, hinzugefügt*, ergänzt*, aufgehoben*,"
        " schalte*, überschreib*, missachte*, setz dich über, gilt nicht",
        "rules": "profil*, regel*, anweisung*, einschränkung*, vorgabe*, rahmen*, grenzen, zuständigkeit*",
        "other": "andere*, nächste*, weitere*",
        "first": "erste*",
        "second": "zweite*",
        "third": "dritte*",
        "last": "letzte*",
        "joins": "und, aber, außerdem, sowie, nebenbei, übrigens, ausserdem, dann, danach, oder, ach",
        "not": "nie, niemals, nicht, kein*, ohne, außer, ausgenommen, nichts",
        "refused": "hier geht es um, geht es um, ist für, sind für, nicht zuständig, gehört nicht",
        "newest": "neueste*, jüngste*, aktuellste*, älteste*",
        "document": "dokument*, datei*, seite*, scan*, unterlage*, papier*, pdf, beleg, belege*, akte*",
    },
)
