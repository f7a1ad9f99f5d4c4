"""German words by which types of documents are told."""

from printed.type_words.table import TypeWords

WORDS = TypeWords(
    titles={
        "invoice": "rechnung, schlussrechnung, abschlagsrechnung, teilrechnung, rechnungsnummer, honorarrechnung,"
        " handwerkerrechnung, stromrechnung, rechnungskopie, sammelrechnung, honorarnote, liquidation,"
        " anzahlungsrechnung, jahresabrechnung, verbrauchsabrechnung, gebührenrechnung, kostennote, dauerrechnung,"
        " monatsrechnung",
        "receipt": "quittung, kassenbon, bon, kassenbeleg, kundenbeleg, händlerbeleg, mietquittung, barquittung,"
        " bewirtungsbeleg, zahlungsbeleg, parkschein, tankbeleg, empfangsbestätigung, kassenzettel, kartenzahlung,"
        " spendenquittung, empfangsquittung, kleinbetragsrechnung, tankquittung, fahrschein-quittung",
        "credit note": "gutschrift, stornorechnung, rechnungskorrektur, korrekturrechnung, rechnungsgutschrift,"
        " storno, gutschriftsanzeige, berichtigte rechnung, stornobeleg, warengutschrift, gutschriftanzeige",
        "order": "bestellung, auftragsbestätigung, auftrag, bestellschein, bestellformular, abrufbestellung,"
        " einkauf bestellung, bestellbestätigung, abruf, materialbestellung, rahmenbestellung, bestellschreiben,"
        " werkstattauftrag, kaufauftrag, nachbestellung, sammelbestellung",
        "delivery note": "lieferschein, packzettel, frachtbrief, warenbegleitschein, packliste, versandanzeige,"
        " versandschein, begleitschein, ladeschein, lieferavis, warenausgangsschein, ladeliste, speditionsauftrag,"
        " wareneingangsschein, empfangsschein, rücklieferschein, abholschein, lieferbeleg, warenbegleitpapier",
        "contract": "vertrag, *vertrag, *vereinbarung, vereinbarung, nachtrag, geheimhaltungsvereinbarung,"
        " *vertrag über, vertragsergänzung, nachtrag zum *vertrag, änderungsvertrag, zusatzvereinbarung,"
        " aufhebungsvertrag, vertraulichkeitsvereinbarung, ergänzungsvereinbarung, *vertrages, *vertrags,"
        " schuldschein",
        "statement": "kontoauszug, kontoübersicht, auszug, kreditkartenabrechnung, saldenmitteilung, kontokorrent,"
        " kontoauszüge, saldenbestätigung, umsatzübersicht, depotauszug, kreditkartenauszug, saldenliste kunde,"
        " kontostand, sparkontoauszug, kartenabrechnung, lieferantenkontoauszug, finanzstatus, kundenkontoauszug",
        "payslip": "lohnabrechnung, gehaltsabrechnung, entgeltabrechnung, verdienstabrechnung, lohnzettel,"
        " abrechnung der brutto/netto-bezüge, bezügemitteilung, entgeltnachweis, gehaltszettel, lohnnachweis,"
        " verdienstnachweis, bezügeabrechnung, lohn- und gehaltsabrechnung, brutto/netto-abrechnung, lohnausweis,"
        " entgeltbescheinigung, abrechnung der brutto-netto-bezüge, gehaltsnachweis, besoldungsmitteilung,"
        " lohn-/gehaltsabrechnung",
        "letter": "mahnung, zahlungserinnerung, kündigung, anschreiben, letzte mahnung, mahnschreiben,"
        " erste mahnung, zweite mahnung, letzte zahlungsaufforderung, wg, aw, widerspruch, bescheid,"
        " zahlungsaufforderung, einladung, mitteilung, inverzugsetzung",
        "form": "antrag, anmeldung, formular, sepa-lastschriftmandat, lastschriftmandat, meldebogen, fragebogen,"
        " schadenanzeige, schadensmeldung, anmeldeformular, steuererklärung, umsatzsteuer-voranmeldung, vollmacht,"
        " erklärung, beitrittserklärung, urlaubsantrag, aufnahmeantrag, selbstauskunft, *antrag, *anmeldung,"
        " *erklärung, *anzeige, *meldung, *voranmeldung, mandat, antragsformular, einzugsermächtigung, meldeschein,"
        " reisekostenabrechnung, abmeldung, freistellungsauftrag, anmeldebogen, *formular, *bogen",
        "report": "kassenbuch, wareneingangsbuch, rechnungsbuch, rechnungseingang, rechnungsausgang, inventar,"
        " bericht, jahresbericht, prüfbericht, protokoll, monatsbericht, gutachten, auswertung,"
        " besprechungsprotokoll, übersicht, *bericht, *protokoll, offene-posten-liste, rechnungsliste,"
        " rechnungseingangsbuch, rechnungsausgangsbuch, *auswertung, *analyse, quartalsbericht, sitzungsprotokoll,"
        " niederschrift, op-liste, *liste, *gutachten, *statistik, aufstellung der rechnungen, rechnungsjournal,"
        " *übersicht, *journal, offene posten, debitoren, kreditoren",
        "identity paper": "reisepass, personalausweis, ausweis, führerschein, aufenthaltstitel, identitätskarte,"
        " dienstausweis, kinderreisepass, geburtsurkunde, aufenthaltserlaubnis, niederlassungserlaubnis, passersatz,"
        " fahrerlaubnis, reiseausweis, *ausweis, fremdenpass, fiktionsbescheinigung, aufenthaltskarte",
        "other": "tageskarte, wochenkarte, getränkekarte, spielanleitung, spielregeln, veranstaltungen,"
        " veranstaltungsprogramm, liedblatt, gebrauchsanleitung, angebot, kostenvoranschlag, proforma-rechnung,"
        " pro-forma-rechnung, proformarechnung, preisliste, speisekarte, rezept, einladung zur, lebenslauf,"
        " zertifikat, fahrplan, zeugnis, tagesordnung, programm, urkunde, anleitung, bordkarte, eintrittskarte,"
        " aushang, *rezept, merkblatt, pressemitteilung, gutschein, proforma, offerte, preisanfrage, *plan,"
        " speiseplan, notiz, gebrauchsanweisung, bedienungsanleitung, garantiekarte, katalog,"
        " teilnahmebescheinigung, hausordnung, *zeugnis, *angebot, unverbindliches angebot",
    },
    labels={
        "party_column": "lieferant, kunde, debitor, kreditor, firma, auftraggeber",
        "invoice_number": "rechnungsnummer, rechnungs-nr, rechnung nr, re-nr, rechnungsnr, rechnungs-nummer,"
        " belegnummer",
        "payment_due": "zahlbar bis, zahlungsziel, fällig am, fälligkeit, zahlungsbedingungen, zahlbar,"
        " zu zahlen bis, fällig, zahlungsfrist, fälligkeitsdatum, leistungsdatum, leistungszeitraum, lieferdatum,"
        " bitte überweisen",
        "bill_to": "rechnung an, rechnungsempfänger, rechnungsanschrift, rechnungsadresse",
        "amount_due": "rechnungsbetrag, zu zahlen, zu zahlender betrag, zahlbetrag, gesamtbetrag, endbetrag,"
        " rechnungssumme, gesamtbetrag brutto, bruttobetrag, noch zu zahlen, nachzahlung, rechnungsendbetrag,"
        " restbetrag",
        "vat_sums": "mwst, ust, umsatzsteuer, mehrwertsteuer, zzgl, zwischensumme, nettobetrag, summe netto, netto,"
        " gesamt netto, nettosumme, + *, brutto, gesamt brutto, summe, warenwert, zuzüglich, bruttosumme,"
        " zwischensumme netto",
        "vat_number": "ust-idnr, ust-id, steuernummer, steuer-nr, uid, st.-nr, ust-id-nr, ust.-id",
        "bank_details": "iban, bic, bankverbindung, konto, kontonummer, bank",
        "cash": "gegeben, rückgeld, bar, zurück, ec-karte, girocard, gegeben bar, ec-cash, kartenzahlung,"
        " barzahlung, wechselgeld, kreditkarte, bargeld, karte",
        "till": "kasse, kassierer, bediener, bon, bon-nr, tisch, es bediente sie, tse-signatur, tse,"
        " tse-transaktion, belegnr, bonnummer, zapfsäule, säule, filiale, es bediente, beleg-nr, bed, posten,"
        " kellner",
        "card_slip": "genehmigungsnr, terminal-id, ta-nr, vu-nr, genehmigungs-nr, kundenbeleg, trace-nr, trace,"
        " terminal, karte, autorisierung, emv-aid, kontaktlos, zahlung erfolgt, betrag eur, genehmigung",
        "received_sum": "erhalten von, betrag erhalten, betrag dankend erhalten, empfangen, in worten,"
        " betrag in worten, dankend erhalten, empfangen von, den betrag von, in bar erhalten, mietzahlung, mieter,"
        " eingegangen am",
        "credit_sum": "gutschriftsbetrag, erstattungsbetrag, gutschriftbetrag, zu ihren gunsten, guthaben,"
        " summe gutschrift, erstattung, gutschrift gesamt, stornobetrag, minderbetrag, auszahlung an sie,"
        " rückzahlung, gutgeschriebener betrag",
        "corrects_invoice": "zu rechnung, zur rechnung, storno zu rechnung, bezug rechnung, ursprungsrechnung,"
        " ursprüngliche rechnung, korrektur zu rechnung, zu unserer rechnung, unsere rechnung, rechnungsbezug,"
        " originalrechnung, bezug, stornierung der rechnung, korrektur der rechnung, stornierung,"
        " stornierung unserer rechnung",
        "credit_reason": "grund, retoure, rücksendung, grund der gutschrift, grund der korrektur, reklamation, storno",
        "wanted_by": "liefertermin, gewünschter liefertermin, lieferung bis, wunschtermin, liefern bis,"
        " lieferung am, lieferwoche, voraussichtlicher liefertermin, lieferung kw, voraussichtliche lieferung,"
        " liefertermin kw, bestätigter liefertermin, lieferzeit, lieferfrist",
        "order_party": "lieferant, besteller, bestellt von, auftraggeber, kostenstelle, freigegeben, genehmigt,"
        " einkäufer, auftragnehmer, bestellnummer, ihre bestellung, bestell-nr, freigabe",
        "order_sum": "bestellwert, auftragswert, bestellsumme, auftragssumme, gesamtwert der bestellung,"
        " auftragswert netto",
        "delivered": "bestellt, geliefert, rückstand, liefermenge, bestellmenge, rest folgt, offen,"
        " gelieferte menge, ist, soll, nachlieferung, restmenge, lief.-menge",
        "carriage": "spediteur, spedition, frachtführer, packstücke, paletten, gewicht, bruttogewicht, kolli,"
        " fahrer, versandart, versand, kfz-kennzeichen, kennzeichen, sendungsnummer, pakete, gesamtgewicht,"
        " absender, empfänger, versandtag, kartons, liefertag, lieferdatum, gepackt von, kommissioniert,"
        " versanddatum, beladen, ladestelle",
        "goods_received": "ware erhalten, ware vollständig, empfang bestätigt, ware erhalten am,"
        " unterschrift empfänger, übernommen, empfangen am, empfangsbestätigung, ware ordnungsgemäß erhalten,"
        " empfänger unterschrift",
        "deliver_to": "lieferadresse, lieferanschrift, lieferung an, versandadresse, lieferort, entladestelle,"
        " empfänger, abladestelle, warenempfänger",
        "balances": "alter kontostand, neuer kontostand, anfangssaldo, endsaldo, saldo, alter saldo, neuer saldo,"
        " saldovortrag, übertrag, kontostand, schlusssaldo, anfangsbestand, endbestand, kontostand am, offener saldo",
        "account": "kontoinhaber, auszug nr, kontonummer, auszugsnummer, buchungstag, wertstellung, buchung,"
        " valuta, verwendungszweck, verfügungsrahmen, auszug, blatt, zeitraum, kartennummer, vorgang,"
        " dispositionskredit, wert",
        "debit_credit": "soll, haben, lastschrift, gutschrift, belastung, belastungen, gutschriften, s, h",
        "ageing": "nicht fällig, 1-30 tage, 31-60 tage, über 60 tage, über 90 tage, 0-30 tage, bis 30 tage,"
        " tage überfällig",
        "net_pay": "auszahlungsbetrag, nettoverdienst, gesetzliches netto, nettobezüge, netto-verdienst,"
        " auszahlung, nettolohn, netto, nettogehalt, überweisung, überweisungsbetrag, netto-bezug",
        "gross_pay": "grundgehalt, gesamtbrutto, bruttolohn, bruttogehalt, gehalt, grundlohn, bruttobezüge, brutto,"
        " stundenlohn, steuerbrutto, sv-brutto, überstunden, urlaubsgeld, zulage, gesamt-brutto, zulagen, prämie,"
        " lohn",
        "deductions": "lohnsteuer, krankenversicherung, rentenversicherung, arbeitslosenversicherung,"
        " pflegeversicherung, solidaritätszuschlag, kirchensteuer, abzüge, sozialversicherung, kv, rv, av, pv,"
        " kv-beitrag, rv-beitrag, summe abzüge, gesetzliche abzüge, steuerliche abzüge, ahv, sv-beiträge",
        "employee": "personalnummer, steuerklasse, krankenkasse, mitarbeiter, pers.-nr, personal-nr, eintritt,"
        " arbeitnehmer, sv-nummer, stkl, abrechnungsmonat, steuer-id, kinderfreibetrag, arbeitgeber, konfession,"
        " st.-klasse, sv-nr, steuertage, mitarbeiterin, abrechnungszeitraum, kostenstelle, urlaubsanspruch,"
        " resturlaub",
        "subject": "betreff, betr, unser zeichen, ihr zeichen, anlage, anlagen, ihr schreiben vom, ihre nachricht vom",
        "mail_header": "von, an, gesendet, betreff, cc, datum, weitergeleitete nachricht, anhang, anlagen",
        "form_blank": "name, vorname, nachname, anschrift, straße, plz, telefon, e-mail, geburtsdatum,"
        " unterschrift, datum, name vorname, ort, kontoinhaber, iban, wohnort, antragsteller, antragstellerin,"
        " familienname, ort datum, kreditinstitut, staatsangehörigkeit, beruf, familienstand",
        "report_heads": "zusammenfassung, ergebnis, ergebnisse, fazit, empfehlung, empfehlungen, einleitung,"
        " ausgangslage, maßnahmen, feststellungen, beschlüsse, beschluss, bewertung, befund, mängel, ausblick,"
        " anlass, top, kennzahlen, vorgehen, schlussfolgerung, aufgaben, hintergrund, überblick, verlauf, risiken,"
        " methode, kernaussagen",
        "report_by": "erstellt von, verfasser, prüfer, bearbeiter, berichtszeitraum, teilnehmer, anwesend,"
        " protokollführer, protokollführung, sitzungsleitung, prüfdatum, stand, stichtag, autor, protokoll,"
        " sachverständiger, entschuldigt, berichtsmonat, erstellt am, ausgewertet, teilnehmende, verteiler, beginn,"
        " ende, erstellt, zeitraum, leitung",
        "person": "name, vornamen, vorname, geburtstag, geburtsdatum, geburtsort, staatsangehörigkeit, gültig bis,"
        " größe, augenfarbe, ausstellende behörde, pass-nr, geschlecht, nachname, ausgestellt am, behörde, gültig,"
        " ausweisnummer, ausstellungsdatum, klassen, passnummer, unterschrift der inhaberin, dokumentennummer,"
        " anmerkungen, wohnort, ausweis-nr, karten gültig bis, gültig ab, kartennummer, art des titels, inhaber",
        "offer": "angebot gültig, gültig bis, angebotsnummer, angebot nr, bindefrist, angebots-nr, angebotsdatum,"
        " angebotssumme, angebotspreis",
        "referring": "laut, gemäß, gem, lt, entsprechend, bezug",
    },
    phrases={
        "payment_due": "zahlbar innerhalb, innerhalb von, ohne abzug, bitte überweisen, tage netto, überweisen sie,"
        " zahlbar bis, binnen * tagen, tagen netto, zahlbar sofort",
        "invoice_prose": "berechnen wir, stellen wir ihnen in rechnung, erlauben wir uns, in rechnung zu stellen",
        "till": "vielen dank für ihren einkauf, vielen dank für ihren besuch, danke für ihren einkauf,"
        " umtausch nur, auf wiedersehen, bitte beleg aufbewahren, es bediente sie, vielen dank für ihren,"
        " beleg bitte",
        "received_sum": "dankend erhalten, in bar erhalten, habe ich erhalten, betrag erhalten, erhalten zu haben,"
        " haben wir erhalten, richtig erhalten, wurde bar bezahlt, bar erhalten, bar empfangen, erhalten am,"
        " betrag bar, miete für, für miete",
        "credit_sum": "gutgeschrieben, zu ihren gunsten, schreiben wir ihnen gut, wird erstattet, schreiben wir,"
        " verrechnen wir, mit ihrer nächsten, erstatten wir, wird mit * verrechnet, überweisen wir ihnen,"
        " auf ihr konto zurück",
        "corrects_invoice": "zu unserer rechnung, zur rechnung nr, zur rechnung vom, unsere rechnung, rechnung nr,"
        " der rechnung vom, zu rechnung, storniert die rechnung, korrigiert, unserer rechnung, stornierung unserer",
        "ordering": "wir bestellen, hiermit bestellen wir, bitte liefern sie, bestellen wir, bitte bestätigen sie,"
        " bitte um lieferung, bestätigen sie uns, bitten um auftragsbestätigung, auftragsbestätigung erbeten,"
        " wir brauchen, bitte schicken, bitte liefern, schickt bitte, bitte für morgen, wir benötigen,"
        " bitte senden sie",
        "confirms_order": "haben ihre bestellung erhalten, ihre bestellung erhalten,"
        " ihre bestellung ist bei uns eingegangen, wir bestätigen ihren auftrag, vielen dank für ihre bestellung,"
        " bestätigen wir, ihre bestellung vom, danken für ihren auftrag, vielen dank für ihren auftrag,"
        " wir bestätigen ihnen, ihren auftrag",
        "goods_received": "ware erhalten, vollständig und unbeschädigt, einwandfrei erhalten,"
        " ordnungsgemäß erhalten, rechnung folgt, rechnung geht ihnen, ware übernommen, keine rechnung,"
        " erhalten in einwandfreiem, rechnung erhalten sie, separat, in einwandfreiem zustand, vollständig erhalten",
        "parties": "nachfolgend, nachstehend, zwischen, vertragsparteien, die parteien, im folgenden, vermieter,"
        " mieter, auftragnehmer, vermieterin, mieterin, arbeitgeber, arbeitnehmer, verkäufer, käufer,"
        " darlehensgeber, darlehensnehmer, vertragspartner, beide parteien, beiden parteien, zwischen den parteien",
        "clause_words": "kündigung, kündigungsfrist, gerichtsstand, schriftform, salvatorische klausel, haftung,"
        " laufzeit, vertragslaufzeit, verpflichtet sich, schlussbestimmungen, vertragsgegenstand, vertraulich*,"
        " inkrafttreten, tritt am, gekündigt werden, bleiben unverändert, vertragsstrafe, geheimhaltung, probezeit,"
        " vertragsdauer, verpflichten sich, kaution, zinssatz, verzinst, gewährleistung",
        "signed_by_parties": "unterschriften der, unterschrift vermieter*, unterschrift mieter*,"
        " für den auftraggeber, für den auftragnehmer, in zwei ausfertigungen, unterzeichnet, unterschrift arbeit*",
        "mail_header": "ursprüngliche nachricht, weitergeleitete nachricht, im anhang, anbei, leite weiter, angehängt",
        "salutation": "sehr geehrte*, sehr geehrte damen und herren, liebe *, lieber *, hallo *, guten tag *,"
        " guten morgen *",
        "closing": "mit freundlichen grüßen, freundliche grüße, mit freundlichem gruß, viele grüße,"
        " hochachtungsvoll, herzliche grüße, beste grüße, mfg, schöne grüße, im auftrag",
        "letter_prose": "ihr schreiben, wir teilen ihnen mit, wir freuen uns, bitte beachten sie, wir bitten um,"
        " für rückfragen, teilen wir ihnen mit, wir möchten sie, hiermit kündige ich, möchten wir sie,"
        " noch nicht eingegangen, keinen zahlungseingang, bitten wir sie, setzen ihnen, hiermit kündigen,"
        " ihre nachricht, wir bedauern, leider, überfällig",
        "fill_in": "bitte ausfüllen, in druckbuchstaben, vollständig ausfüllen, bitte deutlich schreiben,"
        " auszufüllen, druckschrift, ausfüllen",
        "tick": "bitte ankreuzen, zutreffendes, ankreuzen, nichtzutreffendes, bitte wählen",
        "office_use": "nur für den dienstgebrauch, wird von der behörde, vom amt auszufüllen, bearbeitungsvermerk,"
        " bearbeitungsvermerke, nicht ausfüllen, von der verwaltung auszufüllen, interne vermerke",
        "declares": "ich erkläre, ich versichere, ich bestätige, ich ermächtige, hiermit beantrage ich,"
        " ich beantrage, ich willige ein, richtigkeit meiner angaben, ich melde",
        "meeting": "die sitzung, nächste sitzung, einstimmig, beschlossen, die besprechung, nächster termin,"
        " tagesordnung, der vorstand, nächste besprechung, sitzung geschlossen, verantwortlich",
        "report_prose": "wurden festgestellt, wurde festgestellt, gegenüber dem vorjahr, im berichtszeitraum,"
        " wurden geprüft, es wird empfohlen, wir empfehlen, im vergleich, gestiegen, gesunken, prozent,"
        " durchschnittlich, im quartal, wurden gemessen, stieg, sank, die prüfung, die messung, die begehung, ergab,"
        " untersucht, ist auf, gegenüber, im vormonat",
        "offer": "bieten wir ihnen an, das angebot ist, angebot freibleibend, unverbindlich, gern bieten wir,"
        " unser angebot, an dieses angebot, keine rechnung im sinne, nur für zollzwecke, vorkasse, freibleibend,"
        " bindend bis, dieses angebot, nicht zum vorsteuerabzug, im voraus, bieten wir an,"
        " freuen uns auf ihren auftrag, keine zahlungsaufforderung",
        "no_invoice": "keine rechnung, rechnung folgt, rechnung erhalten sie, rechnung geht ihnen, sammelrechnung,"
        " rechnung wird",
    },
)
