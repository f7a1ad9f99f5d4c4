"""German."""

from printed.language import Language

LANGUAGE = Language(
    code="de",
    capitalizes_nouns=True,
    months="jan januar, feb februar, marz maerz mrz, apr april, mai, jun juni, jul juli, aug august, sep sept"
    " september, okt oktober, nov november, dez dezember",
    weekdays="montag, dienstag, mittwoch, donnerstag, freitag, samstag sonnabend, sonntag",
    weeks="kw kalenderwoche woche",
    quarters="quartal",
    halves="halbjahr hj",
    numbers="1 ein eine einen einem einer eines, 2 zwei, 3 drei, 4 vier, 5 fünf, 6 sechs, 7 sieben, 8 acht, 9 neun,"
    " 10 zehn, 11 elf, 12 zwölf, 13 dreizehn, 14 vierzehn, 15 fünfzehn, 16 sechzehn, 17 siebzehn, 18 achtzehn,"
    " 19 neunzehn, 20 zwanzig, 24 vierundzwanzig, 30"
    " dreißig, 36 sechsunddreißig, 40 vierzig, 45 fünfundvierzig, 50 fünfzig, 60 sechzig, 70"
    " siebzig, 80 achtzig, 90 neunzig, 100"
    " hundert",
    quarter_numbers="1 erstes ersten, 2 zweites zweiten, 3 drittes dritten, 4 viertes vierten",
    positions="1 erste erster, 2 zweite zweiter, 3 dritte dritter, 4 vierte vierter, 5 fünfte fünfter fünftes fünften",
    latest="letzte letzter letztes letzten neueste neuester neuestes neuesten neuste neustes neusten jüngste jüngsten",
    earliest="älteste ältester ältestes ältesten früheste frühestes",
    pointers="diese dieser dieses diesen diesem jene jener jenes jenen",
    definitions="schema schema schemas schemata, prompt prompt prompts, tag tag tags schlagwort schlagwörter etikett",
    minus="minus",
    minor_units="cent cents",
    number_joiners="und",
    debits="S Soll",
    credits="H Haben",
    scales="thousand tausend tsd, million million millionen mio, billion milliarde milliarden mrd mia",
    currencies="EUR euro, GBP pfund, CHF franken, SEK/NOK/DKK/CZK kronen",
    units="% prozent, day tag tage tagen tages tags werktage werktagen arbeitstage arbeitstagen kalendertage"
    " kalendertagen, week woche wochen, month monat monate monaten monats, year jahr jahre jahren jahres"
    " jahrs, hour stunde stunden std, minute minute minuten, kg kilogramm, g gramm, t tonne tonnen, m² qm",
    unit_adjectives="volle ganze kalender",
    each="pro je",
    times="einmal zweimal",
    stopwords="der die das dem den des und ist sind nicht ein eine einer eines einem wurde wird werden"
    " beträgt vom von"
    " im am zu zum zur mit für es nach bei auf bis über oder haben was welche welcher welches welchen welchem wer wem"
    " wen wann wo warum wie ich du er sie wir ihr dies diese dieser",
    yes="ja",
    no="nein",
    negations="nicht kein keine keinen keinem keiner keines nie niemals weder ohne",
    late_negations="nicht",
    denials="ablehn abgelehnt lehn verweiger ausge fehl nichts",
    limits="nur später früher mehr weniger",
    exceptions="bevor vor nach bis außer",
    more="erhöh gestiegen steig stieg zugenommen wuchs gewachsen",
    less="gesunken sank sinkt sinken gefallen abgenommen gesenkt verringer",
    minimum="nicht_weniger_als mindestens mehr_als über",
    maximum="nicht_mehr_als höchstens maximal bis_zu weniger_als unter",
    minimum_behind="oder_mehr und_mehr",
    maximum_behind="oder_weniger",
    titles="herr herrn frau",
    approved="unterschrieben unterzeichnet genehmigt freigegeben geprüft bestätigt bestellt",
    approves="unterschrieb unterzeichnete genehmigte bestätigte",
    has="hat haben hatte",
    by="von durch",
    signers="ansprechpartner ansprechpartnerin sachbearbeiter sachbearbeiterin bearbeiter bearbeiterin",
    asks="frag fragen frage fragt kontaktieren kontaktiere anrufen informieren benachrichtigen an_wenden",
    reports="laut gemäß beträgt betragen belauf beläuft belaufen lautet lauten steht stehen nennt nennen genannt"
    " zeigt zeigen gibt angegeben angibt aufgeführt enthält enthalten kostet kosten macht wert angabe"
    " angaben zahl text wort wörter satz eintrag vermerkt ausgewiesen aufgelistet findet gefunden dort"
    " hier auch also sich demnach damit sowie folgende innerhalb binnen aus zwischen neben wenn dass noch"
    " schon sehr mehr man selbst dabei dazu davon dafür daraus worden war waren sei ihre ihren ihrem ihrer"
    " sein seine einen hat hatte um an in als so wie",
    mentions="nennt nennen erwähnt erwähnen enthält enthalten sagt sagen steht vorsieht sieht hat haben",
    parties="tenant mieter mieterin mieters, landlord vermieter vermieterin vermieters, buyer käufer käuferin"
    " käufers, seller verkäufer verkäuferin verkäufers, lender gläubiger darlehensgeber, borrower"
    " schuldner darlehensnehmer, employer arbeitgeber arbeitgeberin arbeitgebers, employee arbeitnehmer"
    " arbeitnehmerin arbeitnehmers, customer kunde kunden kundin, supplier lieferant lieferanten"
    " lieferantin, contractor auftragnehmer, principal auftraggeber, insurer versicherer, insured"
    " versicherungsnehmer, owner eigentümer eigentümerin, sender absender, recipient empfänger, bank bank,"
    " plaintiff kläger, defendant beklagter beklagte",
    meanings="total insgesamt zusammen, rent miete monatsmiete mietzins, deposit kaution, pay zahlt zahlen zahlung"
    " bezahlt bezahlen zahlbar, sign unterschrieben unterzeichnet unterschrift unterschreibt, deliver"
    " liefert liefern geliefert lieferung, deadline frist, terminate kündigt kündigen gekündigt kündigung,"
    " interest zinsen zins, penalty vertragsstrafe, roof dach, damage schaden schäden, insurance"
    " versicherung, warranty garantie gewährleistung, heating heizung, loan darlehen kredit, fee gebühr"
    " gebühren",
    directions="durch seit ab von an für gegen mit als dem den der",
    before="vor bevor vorher",
    after="nach nachdem danach nachher",
    universals="alle allen aller alles jede jeder jedes jedem jeden immer stets nur beide beiden sämtliche",
    permits="darf dürfen kann können könnte",
    obliges="muss müssen soll sollen verpflichtet",
    conditions="wenn falls sofern außer ohne vorbehaltlich zustimmung",
    plans="verspricht versprechen beabsichtigt plant bietet anbietet schlägt bittet bitten beantragt würde",
    derived="e en er ern es s n t et te ten ung ungen bar",
    terms="netto* zahlbar* zahlung* fällig* begleich* überweis* skonto",
    pages="seite seiten blatt",
    lines="zeile zeilen",
    rows="position positionen eintrag einträge posten",
    beside_rows="unter unterhalb über oberhalb neben hinter folgend*",
    row_joiners="bis",
    page_joiners="von",
    list_joiners="und bis",
    documents="dokument dokumente dokumenten datei dateien seite seiten rechnung rechnungen vertrag verträge"
    " verträgen"
    " vertrags beleg belege bericht berichte brief briefe",
    sources="quelle quellen siehe vgl beleg belege nachweis",
    offers="soll_ich sollen_wir sollte_ich darf_ich kann_ich möchten_sie möchtest_du wollen_sie willst_du",
    suggestions="ich_kann ich_könnte ich_würde sie_können sie_könnten du_kannst du_könntest wir_können"
    " wir_könnten ich_schlage wenn_sie_möchten wenn_du_möchtest",
    examples="wie z.b zum_beispiel etwa namens mit_dem_namen",
    abbreviations="bzw inkl zzgl ggf evtl sog",
    numbered="nr abs ziff kap bd",
    clauses="artikel ziffer anlage",
    kinds={
        "Receipt": "kassenbon, quittung, rückgeld",
        "Credit note": "gutschrift",
        "Invoice": "rechnung, rechnungsnummer",
        "Purchase order": "bestellung",
        "Delivery note": "lieferschein",
        "Quote": "angebot",
        "Statement": "kontoauszug",
        "Contract": "vertrag",
    },
    till_words="kassenbon quittung",
    fields={
        "vendor": "lieferant, verkäufer, rechnungssteller, rechnungsaussteller, leistungserbringer, auftragnehmer",
        "address": "anschrift, adresse",
        "customer": "rechnung an, rechnungsempfänger, rechnungsanschrift, rechnungsadresse,"
        " leistungsempfänger, auftraggeber, kundenname, kunde, käufer, empfänger",
        "invoice_number": "rechnungsnummer, rechnungs nr, rechnung nr, rechnungsnr, rechnung nummer, rechn nr, re"
        " nr, belegnummer, beleg nr; rechnung",
        "receipt_number": "bon nr, beleg nr, belegnummer, bonnummer, quittung nr; bon",
        "credit_note_number": "gutschriftsnummer, gutschrift nr, gutschriftnummer; gutschrift",
        "invoice_date": "rechnungsdatum, rechnung vom, ausstellungsdatum, belegdatum; datum",
        "date": "belegdatum, datum",
        "due_date": "fälligkeitsdatum, fällig am, fällig bis, zahlbar bis, zahlbar bis zum, zu zahlen bis,"
        " zahlung bis, zahlungstermin, zahlungsfrist, fälligkeit; fällig",
        "delivery_date": "lieferdatum, leistungsdatum, liefertermin, tag der lieferung, liefer und leistungsdatum",
        "order_date": "bestelldatum, auftragsdatum, bestellt am",
        "po_number": "bestellnummer, bestell nr, ihre bestellung, ihre bestellnummer, auftragsnummer, auftrags"
        " nr, auftrag nr, bestellung nr",
        "customer_number": "kundennummer, kunden nr, kundennr, kd nr",
        "tax_id": "umsatzsteuer identifikationsnummer, umsatzsteuer id, ust identnr, ust ident nr, ust id"
        " nr, ust idnr, ustid nr, ust id, uid nummer, uid nr, uid, mwst nr, ust idnr.;"
        " steuernummer, steuer nr, st nr",
        "registration_number": "handelsregister, handelsregisternummer, hrb, hra, registernummer",
        "iban": "iban",
        "bic": "bic",
        "currency": "währung, rechnungswährung",
        "subtotal": "zwischensumme, nettobetrag, nettosumme, summe netto, gesamt netto, netto gesamt,"
        " gesamtbetrag netto, gesamtsumme netto, betrag netto, rechnungsbetrag netto, warenwert,"
        " summe ohne mwst; netto",
        "tax_rate": "mwst satz, ust satz, steuersatz, mwst, ust, umsatzsteuer, mehrwertsteuer",
        "tax": "mwst betrag, steuerbetrag, summe mwst, summe ust, umsatzsteuer, mehrwertsteuer, mwst, ust",
        "discount": "rabatt, nachlass, preisnachlass",
        "shipping": "versandkosten, versand, porto, frachtkosten, fracht, lieferkosten",
        "total": "gesamtbetrag brutto, gesamtbetrag inkl mwst, rechnungsbetrag brutto, gesamtsumme brutto,"
        " gesamt brutto, summe brutto, bruttobetrag, bruttosumme, zahlbetrag, zahlungsbetrag,"
        " rechnungsbetrag, rechnungssumme, endbetrag, zu zahlender betrag, noch zu zahlen, zu"
        " zahlen, rechnungsendbetrag, gutschriftsbetrag; gesamtbetrag, gesamtsumme; gesamt,"
        " summe, total; brutto",
        "amount_paid": "bereits gezahlt, anzahlung, gezahlt",
        "payment_method": "zahlungsart, zahlungsweise, zahlungsmethode, zahlart",
        "payment_terms": "zahlungsbedingungen, zahlungsbedingung, zahlungsziel",
        "cashier": "kassierer, es bediente sie, es bediente",
        "phone": "telefon, telefonnummer",
    },
    passed_labels={
        "customer": r"nummer|\bnr\b|dienst|konto|service|kundennr|bank",
        "invoice_number": r"datum|betrag|anschrift|adresse|empfanger|\ban\b|summe|original|unserer|zu rechnung|"
        r"zur rechnung|unsere|der rechnung|dieser rechnung|diese rechnung|steller",
        "invoice_date": r"fallig|liefer|leistung|bestell|auftrags|zahlbar|druck|geburts",
        "date": r"fallig|liefer|leistung|bestell|auftrags|zahlbar|geburts",
        "due_date": r"betrag",
        "tax": r"\bid|\bnr\b|nummer|inkl|exkl|zzgl\.? *$|ohne|brutto|netto|frei|befreit",
        "tax_rate": r"\bid|\bnr\b|nummer",
        "total": r"zwischen|netto(?! a pagare)|ubertrag|gewicht|mwst[ -]?betrag|anzahl|bereits|steuer\b|"
        r"\bust\b(?!.*inkl)",
        "subtotal": r"tage|brutto",
        "tax_id": r"kunde|\bihre?\b|betrag",
        "shipping": r"adresse|anschrift|art|datum",
    },
    columns={
        "position": "pos, position, lfd nr, nr, zeile",
        "sku": "artikelnummer, artikel nr, art nr, artikelnr, artnr, produktnummer, bestellnummer,"
        " artikel no, produkt nr, material nr, sachnummer",
        "description": "artikelbezeichnung, produktbezeichnung, leistungsbeschreibung, warenbezeichnung,"
        " beschreibung, bezeichnung, artikel, leistung, leistungen, produkt, text, tätigkeit,"
        " ware, gegenstand",
        "quantity": "menge, anzahl, stück, stk, stunden, std, mge",
        "unit": "einheit, me, mengeneinheit, einh",
        "unit_price": "einzelpreis, e preis, ep, stückpreis, einheitspreis, preis pro einheit, preis je"
        " einheit, preis/einheit, einzelpreis netto, nettopreis, stundensatz, preis, satz, preis"
        " pro stück, preis je stück, preis einheit, einzel, listenpreis",
        "discount": "rabatt",
        "tax_code": "mwst satz, ust satz, steuersatz, ust, mwst, steuer, mwst %, ust %",
        "tax": "mwst betrag, ust betrag, steuerbetrag",
        "amount": "gesamtpreis, gesamtbetrag, g preis, gp, gesamt, betrag, summe, gesamt netto,"
        " nettobetrag, netto, positionsbetrag, gesamtpreis netto, wert, preis gesamt,"
        " bruttobetrag, zeilensumme, preis inkl mwst, preis inkl ust; brutto, gesamt brutto",
    },
    label_words="number nummer, quantity menge anzahl stk, amount betrag, tax mwst ust steuer, total gesamt"
    " gesamtbetrag gesamtsumme summe endbetrag, subtotal zwischensumme nettobetrag netto, date datum, invoice"
    " rechnung"
    " rechnungsnummer, due fällig, order bestellung, price preis, description bezeichnung beschreibung,"
    " customer kunde, vendor lieferant, phone telefon, paid bezahlt, address anschrift adresse, sku artikel, discount"
    " rabatt, currency waehrung währung, summary zusammenfassung",
    counts="menge anzahl stueck stuck stunden tage gewicht satz nummer",
    carried="uebertrag übertrag vortrag",
    sum_rows="summe betrag zwischensumme gesamtsumme gesamtbetrag zwischenbetrag gesamttotal zwischentotal",
    totals="*summe *betrag netto brutto fällig*",
    adjustments="mwst ust *steuer* *rabatt* *skonto* *nachlass* porto *versand* *anzahlung* *zahlung*",
    table_ends="summe* gesamt* zwischen* mwst* ust netto* rechnungsbetrag* zzgl",
    company_forms="gmbh ag kg ug ohg gbr kgaa mbh e_k e_v",
    streets="strasse platz weg",
)
