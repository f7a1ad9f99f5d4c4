"""Italian."""

from printed.language import Language

LANGUAGE = Language(
    code="it",
    months="gennaio gen, feb febbraio, mar marzo, apr aprile, maggio mag, giugno giu, luglio lug, ago agosto,"
    " settembre set, ottobre ott, nov novembre, dic dicembre",
    weekdays="lunedì, martedì, mercoledì, giovedì, venerdì, sabato, domenica",
    date_joiners="di del",
    ordinals="º",
    weeks="settimana",
    quarters="trimestre",
    halves="semestre",
    quarter_numbers="1 primo, 2 secondo, 3 terzo, 4 quarto",
    positions="1 prima, 2 seconda, 3 terza, 4 quarta, 5 quinto quinta",
    latest="ultimo ultima più_recente",
    earliest="più_vecchio più_vecchia",
    pointers="questo questa quello quella quel",
    definitions="schema schema schemi, prompt prompt, tag etichetta etichette",
    numbers="1 un una uno, 2 due, 3 tre, 4 quattro, 5 cinque, 6 sei, 7 sette, 8 otto, 9 nove, 10 dieci, 11 undici, 12"
    " dodici, 13 tredici, 14 quattordici, 15 quindici, 16 sedici, 17 diciassette, 18 diciotto, 19 diciannove, 20 venti"
    " vent, 24 ventiquattro, 30 trenta trent, 36 trentasei, 40 quaranta quarant, 50 cinquanta cinquant, 60 sessanta"
    " sessant, 70 settanta settant, 80 ottanta ottant, 90 novanta novant, 100 cento cent",
    minus="meno",
    minor_units="centesimo centesimi",
    number_joiners="e",
    scales="thousand mille mila, million milione milioni, billion miliardo miliardi",
    currencies="EUR euro, USD/CAD/AUD/NZD/SGD/HKD dollari, CHF franchi",
    units="% per_cento, day giorno giorni, week settimana settimane, month mese mesi, year anno anni, hour ora ore,"
    " minute minuti, m metri, l litri",
    each="al all per",
    stopwords="il lo gli è e di della del dal una per con che chi quale quali quando sono dove come",
    yes="si",
    no="non",
    negations="non nessun nessuna senza",
    more="aument increment salit",
    less="diminui cala calo",
    minimum="almeno più_di oltre non_meno_di",
    maximum="al_massimo fino_a meno_di non_più_di",
    minimum_behind="o_più",
    maximum_behind="o_meno",
    titles="signor signora",
    approved="firmato firmata approvato approvata autorizzato autorizzata",
    has="ha hanno",
    by="da",
    asks="chieda contatti chiami consulti informi chiedere_a contattare chiamare",
    reports="secondo ammonta ammontano indica indicano indicato menziona figura figurano dice mostra contiene"
    " costa costano valore numero testo parola parole frase anche qui in nel nella al allo alla ai il lo i"
    " gli le un uno una si ci ne suo sua suoi loro questo questa è stato stata sono ha hanno fra tra entro"
    " durante ma se non dello degli dei delle sul sulla più molto stesso",
    mentions="menziona nomina indica contiene prevede cita",
    parties="tenant inquilino conduttore locatario, landlord locatore padrone proprietario, buyer acquirente"
    " compratore, seller venditore, employer datore, employee dipendente lavoratore, customer cliente"
    " clienti, supplier fornitore fornitori, insurer assicuratore, bank banca, recipient destinatario,"
    " sender mittente",
    meanings="total somma insieme, rent affitto canone, deposit cauzione deposito, pay paga pagano pagare pagato"
    " pagamento, sign firmato firma firmata, deliver consegna consegnato, deadline termine preavviso,"
    " interest interessi, penalty penale, roof tetto, damage danno danni, insurance assicurazione,"
    " warranty garanzia, heating riscaldamento, loan prestito",
    directions="da dal dalla di del a al per contro con che",
    before="prima fino",
    after="dopo",
    universals="tutti tutte tutto tutta ogni sempre solo soltanto entrambi",
    permits="può possono potrà",
    obliges="deve devono dovrà obbligato",
    conditions="se salvo senza consenso",
    plans="promette prevede propone offre chiede",
    derived="o a i e ato ata ati ate are zione zioni mento abile",
    terms="netto pagamento* pagare scadenza* saldo df*",
    pages="pagina",
    rows="riga righe voce voci posizione",
    beside_rows="sotto sopra seguente accanto",
    row_joiners="a fino_a",
    list_joiners="e",
    page_joiners="di",
    documents="documento documenti fattura fatture contratto contratti",
    sources="fonti fonte vedi",
    offers="devo posso vuole vuoi desidera",
    suggestions="posso potrei può potrebbe puoi potresti suggerisco propongo se_vuole se_vuoi",
    examples="come ad_esempio per_esempio chiamato chiamata",
    clauses="articolo allegato",
    fields={
        "vendor": "fornitore, venditore, cedente, cedente/prestatore, cedente prestatore, prestatore,"
        " emittente, mittente",
        "address": "indirizzo, sede legale, sede",
        "customer": "fatturare a, fatturato a, intestata a, intestato a, intestatario, spett.le, spett le,"
        " spettabile, cliente, destinatario, cessionario, cessionario/committente, committente,"
        " acquirente",
        "invoice_number": "numero fattura, numero di fattura, n fattura, nr fattura, fattura numero, fattura n,"
        " fattura nr, fattura no, fattura num, numero documento, n documento, documento n, fatt"
        " n; fattura",
        "receipt_number": "documento n, scontrino n, numero scontrino, ricevuta n",
        "credit_note_number": "nota di credito n, nota di credito nr; nota di credito",
        "invoice_date": "data fattura, data di fattura, data della fattura, data emissione, data di emissione,"
        " data documento, fattura del; data",
        "date": "data documento, data emissione, data",
        "due_date": "data di scadenza, data scadenza, scadenza pagamento, scadenza il, pagamento entro il,"
        " pagare entro il, entro il, scadenza, scade il",
        "delivery_date": "data di consegna, data consegna",
        "order_date": "data ordine, data dell'ordine, data d'ordine",
        "po_number": "numero ordine, numero d'ordine, n ordine, nr ordine, vostro ordine, vs ordine, ordine n,"
        " ordine di acquisto, rif ordine, ordine",
        "customer_number": "codice cliente, cod cliente, numero cliente, n cliente",
        "tax_id": "partita iva, p iva, p.iva, part iva, p. iva, partita iva/codice fiscale; codice fiscale,"
        " cod fisc, c.f.",
        "registration_number": "rea, numero rea, registro imprese",
        "currency": "valuta, divisa",
        "subtotal": "totale imponibile, imponibile, totale netto, importo netto, totale senza iva, netto iva"
        " esclusa, totale merce, subtotale, totale al netto iva",
        "tax_rate": "aliquota iva, aliquota, % iva, iva",
        "tax": "importo iva, totale iva, iva totale, totale imposta, imposta, di cui iva, iva",
        "discount": "sconto",
        "shipping": "spese di spedizione, spese di trasporto, spedizione, trasporto",
        "total": "netto a pagare, totale da pagare, importo da pagare, totale a pagare, da pagare, totale"
        " fattura, totale documento, totale iva inclusa, importo totale, totale complessivo,"
        " totale ivato, totale generale, totale dovuto, totale lordo; totale euro, totale eur;"
        " totale",
        "amount_paid": "acconto, già pagato, pagato",
        "payment_method": "modalità di pagamento, metodo di pagamento, forma di pagamento, mod pagamento, tipo"
        " pagamento, pagamento",
        "payment_terms": "condizioni di pagamento, termini di pagamento",
        "cashier": "cassiere, operatore",
        "phone": "telefono",
    },
    columns={
        "position": "riga, pos, n, nr",
        "sku": "codice articolo, codice, cod, cod art, cod articolo, art, rif, articolo n, riferimento",
        "description": "descrizione, articolo, prodotto, servizio, prestazione, descrizione beni, descrizione"
        " prodotti, denominazione, causale, oggetto",
        "quantity": "quantità, qtà, q tà, q.tà, qta, ore, pezzi, pz",
        "unit": "unità di misura, u m, um, unità, u di m",
        "unit_price": "prezzo unitario, prezzo unit, p unitario, pr unitario, prezzo un, costo unitario,"
        " prezzo, tariffa, p u, prezzo per unità, prezzo cad, cadauno, prezzo netto",
        "discount": "sconto, sc, sconto %, sc %",
        "tax_code": "aliquota iva, aliquota, iva, iva %, % iva, cod iva, al iva",
        "tax": "importo iva",
        "amount": "importo totale, importo netto, importo, totale riga, prezzo totale, totale, imponibile,"
        " valore, netto, prezzo ivato, prezzo iva inclusa",
    },
    passed_labels={
        "customer": r"codice|\bcod|\bn\W|numero|servizio|ordine|assistenza|p\W*iva|partita",
        "invoice_number": r"\bdata|totale|importo|scadenza|intestat|accompagnatoria$|relativ",
        "invoice_date": r"scadenza|consegna|ordine|pagamento|trasporto|nascita|decorrenza",
        "date": r"scadenza|consegna|ordine|pagamento|nascita|decorrenza",
        "tax": r"imponibile|esclus|inclus|esente|partita|p\W*iva|codice|totale fattura|totale documento|netto|"
        r"senza|cod\W",
        "tax_rate": r"partita|p\W*iva|codice",
        "total": r"imponibile|netto(?! a pagare)|totale\W*(iva|imposta)\b(?! incl)|sub\W*totale|merce|senza iva|"
        r"sconto|esclus|riga|colli|peso",
        "tax_id": r"cliente|importo|aliquota|totale",
        "payment_method": r"scadenza|entro|condizioni|termini",
    },
    kinds={
        "Credit note": "nota di credito",
        "Invoice": "fattura",
        "Purchase order": "ordine di acquisto",
        "Delivery note": "documento di trasporto",
        "Quote": "preventivo",
        "Statement": "estratto conto",
        "Contract": "contratto",
    },
    label_words="number numero, amount importo, tax iva, total totale, date data, invoice fattura, price prezzo,"
    " customer cliente, currency valuta",
    counts="quantita",
    carried="riporto",
    adjustments="iva *sconto*",
    table_ends="totale* subtotale* imponibile* iva",
    streets="via viale piazza corso",
    company_forms="srl srls spa snc sas",
)
