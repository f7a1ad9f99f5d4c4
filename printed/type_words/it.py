"""Italian words by which types of documents are told."""

from printed.type_words.table import TypeWords

WORDS = TypeWords(
    titles={
        "invoice": "fattura, fattura elettronica, fattura immediata, fattura differita, fattura accompagnatoria,"
        " parcella, bolletta, fattura di acconto, fattura di saldo, avviso di parcella, nota spese professionale,"
        " fatture, notula",
        "receipt": "ricevuta, scontrino, scontrino fiscale, documento commerciale, ricevuta fiscale,"
        " ricevuta di pagamento, quietanza, ricevuta di affitto, copia cliente, copia esercente, ricevuta taxi,"
        " ricevuta di locazione",
        "credit note": "nota di credito, nota credito, nota di accredito, nota di variazione, storno fattura,"
        " accredito",
        "order": "ordine, ordine di acquisto, conferma d'ordine, conferma ordine, ordine di lavoro,"
        " modulo d'ordine, buono d'ordine, ordine cliente, richiesta d'acquisto, proposta d'ordine",
        "delivery note": "documento di trasporto, ddt, bolla, bolla di consegna, bolla di accompagnamento,"
        " lettera di vettura, nota di consegna, distinta di imballaggio, packing list, buono di consegna, cmr",
        "contract": "contratto, contratto di locazione, contratto di lavoro, contratto di appalto,"
        " contratto di fornitura, contratto di servizi, contratto di prestito, accordo, accordo di riservatezza,"
        " patto di riservatezza, scrittura privata, contratto di vendita, contratto di compravendita, convenzione,"
        " addendum, contratto di mutuo, contratto di manutenzione, atto aggiuntivo, contratto di comodato,"
        " contratto quadro, lettera di incarico, compravendita",
        "statement": "estratto conto, estratto di conto corrente, estratto carta, situazione conto,"
        " lista movimenti, estratto conto cliente, saldo e movimenti, rendiconto, documento di sintesi,"
        " estratto conto fornitore",
        "payslip": "busta paga, cedolino, cedolino paga, prospetto paga, foglio paga, listino paga,"
        " libro unico del lavoro",
        "letter": "sollecito, sollecito di pagamento, primo sollecito, secondo sollecito, diffida, messa in mora,"
        " promemoria, disdetta, inoltro, ultimo avviso, lettera, preavviso, recesso",
        "form": "modulo, domanda, domanda di iscrizione, modulo di iscrizione, richiesta, modulo di richiesta,"
        " dichiarazione, autocertificazione, mandato sepa, mandato di addebito, delega, questionario, modello f24,"
        " dichiarazione dei redditi, nota spese, denuncia di sinistro, modulo di reclamo, istanza,"
        " mandato di addebito diretto, richiesta ferie",
        "report": "relazione, rapporto, verbale, verbale di riunione, registro, registro fatture, elenco,"
        " elenco fatture, inventario, perizia, rapporto di prova, resoconto, bilancio, partitario, scadenzario,"
        " prima nota, analisi, rapporto di ispezione, libro giornale, registro iva acquisti, sopralluogo,"
        " verbale di assemblea",
        "identity paper": "carta d'identità, carta di identità, passaporto, patente di guida, patente,"
        " permesso di soggiorno, tessera sanitaria, carta di soggiorno, documento di viaggio, certificato di nascita",
        "other": "preventivo, offerta, fattura proforma, fattura pro forma, proforma, menù, menu, menù del giorno,"
        " ricetta, listino prezzi, listino, certificato, attestato, curriculum vitae, invito, programma, orario,"
        " volantino, istruzioni, manuale, carta d'imbarco, biglietto, buono regalo, ordine del giorno, regolamento,"
        " avviso, garanzia, regole del gioco, locandina",
    },
    labels={
        "ordinal_clause": "articolo primo",
        "party_column": "fornitore, cliente, debitore, creditore, ditta, intestatario",
        "referring": "come da, secondo, in base a, conforme, ai sensi, rif, vista, con riferimento",
        "invoice_number": "fattura n, numero fattura, fattura nr, n. fattura, fattura numero, nr documento,"
        " n. documento, num. fattura",
        "payment_due": "scadenza, scadenza pagamento, pagamento, data scadenza, termini di pagamento,"
        " modalità di pagamento, condizioni di pagamento, da pagare entro, scad, pagare entro",
        "bill_to": "intestata a, spett.le, spettabile, cessionario, committente, destinatario fattura, fatturare a",
        "amount_due": "totale fattura, totale da pagare, totale documento, importo da pagare, netto a pagare,"
        " totale a pagare, da pagare, totale dovuto, saldo da pagare, importo dovuto",
        "vat_sums": "imponibile, iva, totale imponibile, totale iva, imposta, aliquota, di cui iva, subtotale,"
        " totale netto",
        "vat_number": "p. iva, p.iva, partita iva, part. iva, cod. fisc, codice fiscale, c.f",
        "bank_details": "iban, bic, banca, coordinate bancarie, bonifico, c/c, conto corrente, abi, cab,"
        " banca d'appoggio",
        "cash": "contanti, contante, resto, pagamento contante, bancomat, carta, carta di credito,"
        " pagamento elettronico, importo pagato, resto eur",
        "till": "cassa, cassiere, operatore, tavolo, coperti, matricola, doc. n, documento n, servito da, pompa,"
        " erogatore, cameriere, rt",
        "card_slip": "terminale, esercente, aut, codice aut, autorizzazione, pan, tml, stan, acquisto, cod. aut,"
        " aid, transazione eseguita",
        "received_sum": "ricevuto da, la somma di, somma ricevuta, per affitto, canone di locazione, locatore,"
        " conduttore, a saldo, pagato in contanti, importo ricevuto, riceviamo da, affitto, inquilino",
        "credit_sum": "totale accredito, totale nota di credito, totale a vostro credito, importo accreditato,"
        " da rimborsare, a vostro favore, rimborso, totale a credito, a suo favore, importo a credito",
        "corrects_invoice": "rif. fattura, riferimento fattura, storno fattura, a storno, a rettifica,"
        " fattura di riferimento, su fattura, fattura originale, nostra fattura, a parziale storno",
        "credit_reason": "causale, motivo, reso, merce resa, motivo del reso, resi",
        "wanted_by": "consegna entro, consegna richiesta, data di consegna, consegna, consegna prevista,"
        " data consegna richiesta, da consegnare entro, termine di consegna",
        "order_party": "fornitore, acquirente, ordinante, richiedente, committente, ordinato da, centro di costo,"
        " approvato da, autorizzato da, ufficio acquisti",
        "order_sum": "totale ordine, valore ordine, importo ordine, totale dell'ordine",
        "delivered": "ordinato, consegnato, spedito, da consegnare, evaso, inevaso, q.tà consegnata, q.tà spedita,"
        " residuo, q.tà ordinata, quantità consegnata",
        "carriage": "vettore, colli, peso lordo, peso netto, peso, porto, aspetto esteriore dei beni,"
        " causale del trasporto, causale trasporto, trasporto a cura, pallet, bancali, targa, conducente,"
        " inizio trasporto, mittente, destinatario, n. colli, autista",
        "goods_received": "firma destinatario, firma del destinatario, merce ricevuta, firma per ricevuta,"
        " firma conducente, ricevuto da, firma del conducente, firma vettore, per ricevuta",
        "deliver_to": "consegnare a, luogo di destinazione, destinazione, indirizzo di consegna, luogo di consegna,"
        " destinazione merce, consegna a",
        "balances": "saldo iniziale, saldo finale, saldo precedente, saldo contabile, saldo, nuovo saldo,"
        " saldo disponibile, riporto, saldo attuale",
        "account": "intestatario, conto, numero conto, periodo, data valuta, valuta, entrate, uscite,"
        " data operazione, fido, filiale, estratto al",
        "debit_credit": "dare, avere, addebiti, accrediti, addebito, accredito",
        "ageing": "scaduto, a scadere, 30 giorni, 60 giorni, 90 giorni, oltre 90 giorni",
        "net_pay": "netto in busta, netto busta, netto del mese, netto a pagare, netto, totale netto,"
        " netto corrisposto",
        "gross_pay": "paga base, retribuzione, stipendio base, totale lordo, totale competenze, contingenza,"
        " straordinario, straordinari, lordo, retribuzione lorda, scatti, imponibile irpef, minimo tabellare",
        "deductions": "trattenute, totale trattenute, inps, irpef, addizionale regionale, addizionale comunale,"
        " contributi, ritenute, contributi inps, tfr, ritenute fiscali",
        "employee": "dipendente, matricola, qualifica, livello, mese di retribuzione, azienda, data di assunzione,"
        " lavoratore, ore lavorate, codice dipendente, mansione",
        "subject": "oggetto, rif, prot, vs. rif, ns. rif, allegati, alla cortese attenzione, c.a",
        "mail_header": "da, a, inviato, oggetto, cc, data, allegati, per conoscenza",
        "form_blank": "cognome, nome, indirizzo, residente a, residente in, cap, telefono, e-mail, firma,"
        " data di nascita, data, luogo e data, nato a, nata a, codice fiscale, il sottoscritto, la sottoscritta,"
        " comune, provincia, nato il",
        "report_heads": "sintesi, conclusioni, conclusione, risultati, risultato, raccomandazioni, premessa,"
        " introduzione, osservazioni, esito, metodo, decisioni, deliberazioni, punti salienti, riepilogo, rilievi,"
        " valutazione, interventi eseguiti",
        "report_by": "redatto da, autore, ispettore, tecnico, presenti, assenti, segretario, presidente,"
        " data del sopralluogo, periodo di riferimento, verbalizzante, relatore, alla data del, stampato il,"
        " aggiornato al, committente",
        "person": "cognome, nome, cittadinanza, data di nascita, luogo di nascita, sesso, statura, scadenza,"
        " rilasciato da, autorità, data di rilascio, numero documento, residenza, data di scadenza,"
        " luogo e data di nascita, nazionalità, firma del titolare, valida fino al, comune di",
        "offer": "validità offerta, offerta valida, preventivo n, offerta n, validità, valido fino al,"
        " preventivo valido, validità del preventivo",
    },
    phrases={
        "payment_due": "pagamento entro, entro * giorni, bonifico bancario, rimessa diretta, giorni data fattura,"
        " da versare entro, fine mese",
        "till": "grazie per la visita, grazie e arrivederci, arrivederci e grazie, grazie per averci scelto,"
        " documento commerciale, conservare lo scontrino",
        "received_sum": "ricevo da, ho ricevuto da, la somma di, in contanti, a titolo di, si rilascia quietanza,"
        " dichiara di aver ricevuto, dichiaro di aver ricevuto, ricevuta la somma, per il canone",
        "credit_sum": "a vostro credito, a suo favore, a vostro favore, verrà rimborsat*, sarà rimborsat*,"
        " vi accreditiamo, le accreditiamo, sarà detratt*, verrà accreditat*, in compensazione",
        "corrects_invoice": "storno della fattura, alla fattura, nostra fattura, a rettifica della fattura,"
        " relativa alla fattura, rif. ns. fattura, con riferimento alla fattura",
        "invoice_prose": "a saldo delle prestazioni, vi fatturiamo, le fatturiamo, per le prestazioni svolte",
        "ordering": "vogliate fornirci, vi preghiamo di fornire, vi ordiniamo, ordiniamo, si prega di consegnare,"
        " si prega di confermare, con la presente ordiniamo, vi preghiamo di confermare, citare il numero d'ordine,"
        " vi chiediamo la fornitura, mandateci, ci servono, vorremmo ordinare, vi preghiamo di consegnare",
        "confirms_order": "confermiamo il vostro ordine, abbiamo ricevuto il tuo ordine, grazie per il tuo ordine,"
        " grazie per il vostro ordine, il suo ordine, abbiamo ricevuto il suo ordine, il vostro ordine,"
        " confermiamo l'ordine, ordine ricevuto",
        "goods_received": "merce ricevuta, ricevuto in buono stato, segue fattura, fattura seguirà,"
        " ricevuta in buono stato, merce ricevuta integra, non è una fattura, con riserva, salvo verifica",
        "no_invoice": "segue fattura, fattura seguirà, non è una fattura, non costituisce fattura,"
        " non valido ai fini fiscali, non valida ai fini fiscali, la fattura sarà,"
        " non costituisce documento fiscale, seguirà fattura",
        "parties": "di seguito, tra le parti, le parti, il locatore, il conduttore, il fornitore, il cliente si,"
        " premesso che, da una parte, dall'altra, il committente, il prestatore, il datore di lavoro, il lavoratore,"
        " il mutuante, il mutuatario, il venditore, l'acquirente, l'appaltatore, ciascuna parte, si conviene,"
        " parte locatrice",
        "clause_words": "foro competente, recesso, risoluzione, durata, preavviso, tacitamente, si impegna,"
        " si obbliga, riservatezza, penale, forza maggiore, legge applicabile, per iscritto, decorrenza, cauzione,"
        " deposito cauzionale, restano invariate, inadempimento, è fatto divieto, clausola, patto di prova",
        "signed_by_parties": "letto confermato e sottoscritto, letto, confermato e sottoscritto, in duplice copia,"
        " firma delle parti, le parti sottoscrivono, in due originali, letto e sottoscritto",
        "mail_header": "messaggio originale, messaggio inoltrato, in allegato, inoltro, allego, vi inoltro,"
        " ti inoltro, ti giro",
        "salutation": "gentile *, gentili *, egregio *, spettabile *, caro *, cara *, buongiorno, ciao *, salve,"
        " egregi *",
        "closing": "cordiali saluti, distinti saluti, cordialmente, saluti, un saluto, in fede,"
        " con i migliori saluti, a presto, restiamo in attesa, grazie e saluti",
        "letter_prose": "con la presente, vi informiamo, la informiamo, siamo lieti, in risposta alla,"
        " vi comunichiamo, le comunichiamo, risulta ancora, non risulta pagata, ci risulta, la invitiamo,"
        " vi invitiamo, in attesa di, ci spiace, le scriviamo, vi ricordiamo, le ricordiamo, non abbiamo ricevuto,"
        " in difetto",
        "fill_in": "compilare, in stampatello, da compilare, scrivere in stampatello, compilare in, compilare tutti",
        "tick": "barrare, segnare con, crocettare, barrare la casella, cancellare ciò che, selezionare",
        "office_use": "riservato all'ufficio, spazio riservato, a cura dell'ufficio, uso interno,"
        " riservato all'amministrazione, non compilare",
        "declares": "il sottoscritto, la sottoscritta, dichiara, dichiaro, chiede, chiedo, autorizzo, autorizza,"
        " acconsento, sotto la propria responsabilità, presto il consenso",
        "meeting": "la riunione, l'assemblea, all'unanimità, si delibera, ordine del giorno, la seduta,"
        " prossima riunione, il consiglio, si approva, la seduta è tolta, viene deciso",
        "report_prose": "è stato rilevato, sono stati, si è proceduto, si rileva, si consiglia, si raccomanda,"
        " rispetto al, per cento, sono state rilevate, in media, il sopralluogo, nel periodo, sono risultati,"
        " risulta conforme, è aumentato, è diminuito, sono aumentate, si osserva, trimestre precedente,"
        " anno precedente, nessun difetto",
        "offer": "siamo lieti di offrire, offerta valida, preventivo valido, validità dell'offerta, senza impegno,"
        " non vincolante, vi offriamo, per accettazione, valido per, solo per scopi doganali, la nostra offerta,"
        " prezzi validi, pagamento anticipato, valida per",
    },
)
