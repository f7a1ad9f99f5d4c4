"""Dutch."""

from printed.language import Language

LANGUAGE = Language(
    code="nl",
    months="jan januari, feb febr februari, maart mrt, apr april, mei, jun juni, jul juli, aug augustus, sep"
    " september,"
    " okt oktober, nov november, dec december",
    weekdays="maandag, dinsdag, woensdag, donderdag, vrijdag, zaterdag, zondag",
    weeks="week",
    quarters="kwartaal",
    halves="halfjaar",
    quarter_numbers="1 eerste, 2 tweede, 3 derde, 4 vierde",
    positions="5 vijfde",
    latest="laatste nieuwste meest_recente",
    earliest="oudste vroegste",
    pointers="deze dit dat",
    definitions="schema schema schema's, prompt prompt prompts, tag label labels",
    numbers="1 een, 2 twee, 3 drie, 4 vier, 5 vijf, 6 zes, 7 zeven, 8 acht, 9 negen, 10 tien, 11 elf, 12 twaalf,"
    " 13 dertien, 14 veertien, 15 vijftien, 16 zestien, 17 zeventien, 18 achttien, 19 negentien, 20 twintig, 24"
    " vierentwintig, 30 dertig, 36 zesendertig, 40 veertig, 50 vijftig, 60 zestig, 70 zeventig, 80 tachtig, 90"
    " negentig, 100 honderd",
    minus="min",
    minor_units="cent",
    number_joiners="en ën",
    scales="thousand duizend, million miljoen, billion miljard",
    currencies="EUR euro",
    units="% procent procenten, day dag dagen, week week weken, month maand maanden, year jaar jaren, hour uur"
    " uren, minute minuut minuten",
    stopwords="de het een en van is zijn op met voor door niet wat welke wie wanneer waar hoe",
    yes="ja",
    negations="niet geen nooit zonder",
    late_negations="niet",
    more="stijg steeg gestegen toegenomen",
    less="daal gedaald afgenomen verlaag",
    minimum="minstens ten_minste meer_dan niet_minder_dan",
    maximum="hoogstens maximaal minder_dan niet_meer_dan",
    minimum_behind="of_meer",
    maximum_behind="of_minder",
    titles="mevrouw meneer dhr mevr",
    approved="ondertekend goedgekeurd",
    has="heeft hebben",
    by="door",
    asks="vraag bel contacteer informeer vragen_aan",
    reports="volgens bedraagt bedragen staat staan noemt vermeldt vermeld toont bevat kost kosten waarde getal"
    " tekst woord woorden zin ook hier in bij als dan nog maar om te er dit dat die deze zijn haar hun"
    " werd wordt worden heeft hebben was binnen tussen tijdens zelf meer zeer uit al",
    mentions="noemt noemen vermeldt vermelden bevat bevatten",
    parties="tenant huurder huurders, landlord verhuurder verhuurders, buyer koper, seller verkoper, employer"
    " werkgever, employee werknemer, customer klant klanten, supplier leverancier leveranciers, insurer"
    " verzekeraar, bank bank, recipient ontvanger, sender afzender",
    meanings="total som samen, rent huur, deposit borg waarborgsom, pay betaalt betalen betaald betaling, sign"
    " ondertekend handtekening, deliver levert geleverd levering, deadline termijn, interest rente,"
    " penalty boete, roof dak, damage schade, insurance verzekering, warranty garantie, heating"
    " verwarming, loan lening",
    directions="door sinds vanaf van aan voor tegen met dan",
    before="voordat tot",
    after="na nadat",
    universals="alle alles elke elk iedere ieder altijd alleen beide",
    permits="mag mogen kan kunnen",
    obliges="moet moeten dient verplicht",
    conditions="indien tenzij zonder toestemming",
    plans="belooft biedt stelt vraagt zal zullen",
    derived="e en s t d ing ingen baar",
    terms="netto betal* betaal* vervaldatum* voldoen",
    pages="pagina",
    rows="rij rijen regel regels post posten positie",
    beside_rows="onder boven naast volgend*",
    row_joiners="tot t/m tot_en_met",
    list_joiners="en",
    page_joiners="van",
    documents="documenten facturen contracten",
    sources="bron bronnen zie",
    offers="zal_ik moet_ik mag_ik kan_ik wilt_u wil_je",
    suggestions="ik_kan ik_zou u_kunt u_zou je_kunt je_zou we_kunnen ik_stel als_u_wilt als_je_wilt",
    examples="zoals bijvoorbeeld bijv genaamd",
    columns={
        "position": "regel, pos, nr",
        "sku": "artikelnummer, artikelcode, artikel nr, art nr, artikelnr, productcode, code, productnummer",
        "description": "omschrijving, beschrijving, product, artikel, dienst, werkzaamheden,"
        " productomschrijving, artikelomschrijving, specificatie",
        "quantity": "aantal, hoeveelheid, uren, stuks",
        "unit": "eenheid, eenh",
        "unit_price": "prijs per stuk, stukprijs, eenheidsprijs, prijs per eenheid, stuksprijs, tarief,"
        " uurtarief, p st, prijs, prijs excl, prijs p st, prijs st, prijs stuk, netto prijs,"
        " prijs excl btw",
        "discount": "korting",
        "tax_code": "btw tarief, btw percentage, btw, btw %",
        "tax": "btw bedrag",
        "amount": "totaalprijs, totaalbedrag, bedrag, regeltotaal, totaal, prijs totaal, totaal excl btw,"
        " bedrag excl btw, subtotaal, prijs incl, regelbedrag, netto bedrag, waarde; prijs incl"
        " btw, totaal incl btw, bedrag incl btw, totaal incl",
    },
    passed_labels={
        "customer": r"nummer|\bnr\b|code|service|relatie",
        "invoice_number": r"datum|adres|bedrag|totaal|\baan\b|periode|vermelding",
        "invoice_date": r"verval|lever|bestel|order|betaal|uiterste|geboorte",
        "date": r"verval|lever|bestel|order|betaal|geboorte",
        "tax": r"excl|incl|nummer|\bnr\b|\bid\b|exclusief|inclusief|identif|vrijgesteld|verlegd",
        "tax_rate": r"nummer|\bnr\b|\bid\b",
        "total": r"sub|excl|\bex\b|totaal\W*btw|netto(?! a pagare)|aantal|gewicht|reeds|korting",
        "subtotal": r"dagen|incl",
        "tax_id": r"bedrag|tarief|totaal|excl|incl|percentage|klant|uw btw|%",
        "due_date": r"bedrag",
    },
    clauses="artikel bijlage",
    fields={
        "vendor": "leverancier, verkoper, afzender, opdrachtnemer",
        "address": "adres",
        "customer": "factuur aan, gefactureerd aan, factuuradres, klantnaam, klant, afnemer, opdrachtgever,"
        " debiteur, ontvanger",
        "invoice_number": "factuurnummer, factuur nummer, factuurnr, factuur nr, factuur no, nota nummer,"
        " notanummer; factuur",
        "receipt_number": "bonnummer, bon nr, kassabon; bon",
        "credit_note_number": "creditnotanummer, creditnota nr, creditfactuurnummer; creditnota",
        "invoice_date": "factuurdatum, factuur datum, datum factuur, datum van factuur, notadatum; datum",
        "date": "datum",
        "due_date": "vervaldatum, verval datum, uiterste betaaldatum, betalen voor, te betalen voor,"
        " betaaldatum, te voldoen voor, vervaldag, betalen vóór",
        "delivery_date": "leverdatum, afleverdatum, leveringsdatum, datum levering",
        "order_date": "besteldatum, orderdatum, datum bestelling",
        "po_number": "bestelnummer, bestel nr, ordernummer, order nr, inkoopnummer, inkoopordernummer, uw"
        " referentie, uw bestelnummer, uw order, opdrachtnummer",
        "customer_number": "klantnummer, klant nr, klantnr, debiteurnummer, debiteurennummer, debiteur nr,"
        " relatienummer, klantcode",
        "tax_id": "btw identificatienummer, btw nummer, btw nr, btwnummer, btw id, btw, ob nummer",
        "registration_number": "kvk nummer, kvk nr, kvk, k.v.k., handelsregister, ondernemingsnummer",
        "currency": "valuta, munt",
        "subtotal": "subtotaal, sub totaal, totaal excl btw, totaal exclusief btw, totaal ex btw, totaal"
        " excl, bedrag excl btw, netto bedrag, nettobedrag, totaal netto, netto totaal; netto",
        "tax_rate": "btw tarief, btw percentage, btw",
        "tax": "btw bedrag, totaal btw, bedrag btw, omzetbelasting, btw",
        "discount": "korting",
        "shipping": "verzendkosten, vrachtkosten, bezorgkosten",
        "total": "te betalen bedrag, totaal te betalen, totaal te voldoen, te betalen, te voldoen, totaal"
        " incl btw, totaal inclusief btw, totaal incl, bedrag incl btw, totaalbedrag incl btw,"
        " totaalbedrag, totaal bedrag, eindtotaal, eindbedrag, factuurbedrag, factuurtotaal, bruto"
        " bedrag; totaal eur; totaal; bruto",
        "amount_paid": "reeds betaald, voldaan, aanbetaling",
        "payment_method": "betaalwijze, betaalmethode, betalingswijze, wijze van betaling",
        "payment_terms": "betalingscondities, betalingsvoorwaarden, betalingstermijn, betaaltermijn, betalingsconditie",
        "cashier": "kassamedewerker, u werd geholpen door",
        "email": "e-mailadres",
        "phone": "telefoon, telefoonnummer",
    },
    kinds={
        "Credit note": "creditnota, creditfactuur",
        "Invoice": "factuur",
        "Purchase order": "inkooporder",
        "Delivery note": "pakbon, leverbon",
        "Quote": "offerte",
        "Statement": "rekeningoverzicht",
        "Contract": "overeenkomst",
    },
    label_words="number nummer, amount bedrag, tax btw, total totaal, invoice factuur, price prijs, currency valuta",
    counts="aantal",
    totals="*totaal*",
    adjustments="btw *korting*",
    table_ends="totaal* subtotaal* btw* te_betalen*",
    streets="straat laan weg plein postbus",
    company_forms="bv nv vof",
)
