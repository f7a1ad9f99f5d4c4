"""French."""

from printed.language import Language

LANGUAGE = Language(
    code="fr",
    months="janv janvier, fev fevr fevrier, mars, avr avril, mai, juin, juil juillet, aout, sept septembre,"
    " oct octobre, nov novembre, dec decembre",
    weekdays="lundi, mardi, mercredi, jeudi, vendredi, samedi, dimanche",
    date_joiners="de",
    weeks="semaine sem",
    quarters="trimestre t",
    halves="semestre s",
    ordinals="er",
    numbers="1 un une, 2 deux, 3 trois, 4 quatre, 5 cinq, 6 six, 7 sept, 8 huit, 9 neuf, 10 dix, 11 onze, 12 douze,"
    " 13 treize, 14 quatorze, 15 quinze, 16 seize, 20 vingt, 30 trente, 40 quarante, 50 cinquante, 60 soixante,"
    " 80 quatre_vingt quatre_vingts, 100 cent cents",
    quarter_numbers="1 premier, 2 deuxieme, 3 troisieme, 4 quatrieme",
    positions="1 première, 2 second seconde, 4 quatrième, 5 cinquième",
    latest="dernier dernière plus_récent plus_récente",
    earliest="plus_ancien plus_ancienne",
    pointers="ce cet cette celui-ci celle-ci celui-là celle-là",
    definitions="schema schéma schémas, prompt prompt prompts, tag tag étiquette étiquettes",
    minus="moins",
    minor_units="centime centimes",
    number_joiners="et",
    scales="thousand mille, million million millions, billion milliard milliards",
    currencies="EUR euro euros, CHF francs",
    units="% pourcent pour_cent, day jour jours, week semaine semaines, month mois, year ans année années, hour"
    " heure heures, minute minute minutes, g grammes, t tonnes, m mètre mètres, l litre litres",
    yearly="an",
    each="par",
    stopwords="le la les et est sont du des une un de dans pour par sur avec ou quel quelle quels quelles qui"
    " que quoi"
    " quand où pourquoi comment je tu il elle nous vous ils",
    yes="oui",
    no="non",
    negations="pas jamais aucun aucune sans",
    limits="plus",
    exceptions="avant après sauf",
    passed_over="ne",
    more="augment hausse",
    less="diminu baiss",
    minimum="au_moins plus_de pas_moins_de au_minimum",
    maximum="au_plus jusqu'à jusqu’à moins_de pas_plus_de au_maximum",
    minimum_behind="ou_plus",
    maximum_behind="ou_moins",
    titles="monsieur madame mme",
    approved="signé signée approuvé approuvée validé validée autorisé autorisée",
    has="a ont",
    by="par",
    asks="demandez contactez appelez consultez informez prévenez demander_à contacter appeler",
    reports="selon s'élève élève élèvent monte indique indiquent indiqué mentionne mentionné figure figurent cite"
    " dit montre donne donné contient coûte coûtent fait valeur nombre texte mot mots phrase ligne aussi"
    " ici là ainsi en au aux ce cette ces son sa ses leur leurs il elle on se s' l' d' qu' n' y entre dans"
    " sous très plus même été être a ont avait mois inclus ne pas par afin dont lors et lequel laquelle"
    " mais donc si",
    mentions="mentionne mentionnent nomme indique indiquent contient contiennent prévoit prévoient cite",
    parties="tenant locataire locataires preneur, landlord bailleur bailleresse propriétaire, buyer acheteur"
    " acheteuse acquéreur, seller vendeur vendeuse, lender prêteur créancier, borrower emprunteur"
    " débiteur, employer employeur, employee employé employée salarié salariée, customer client cliente"
    " clients, supplier fournisseur fournisseurs, insurer assureur, insured assuré assurée, bank banque,"
    " recipient destinataire, sender expéditeur",
    meanings="total somme ensemble, rent loyer loyers, deposit caution dépôt, pay paie paye payer payé payée"
    " paiement paient, sign signé signée signature signe, deliver livré livrée livraison livre livrer,"
    " deadline délai préavis, terminate résilié résiliation résilier, interest intérêts intérêt, penalty"
    " pénalité, roof toit toiture, damage dommage dommages dégâts, insurance assurance, warranty garantie,"
    " heating chauffage, loan prêt, fee frais honoraires",
    directions="par depuis dès de du des à au aux pour contre avec que",
    before="avant jusqu'au jusqu'à jusque",
    after="après",
    universals="tous toutes tout toute chaque toujours seulement seul seule",
    permits="peut peuvent pourra",
    obliges="doit doivent devra obligé tenu",
    conditions="si sauf sans réserve accord",
    plans="promet prévoit propose offre demande souhaite",
    derived="e s es é ée és ées er ent ement ements ation ations able ons ez",
    terms="net paiement* payable* payer règlement* échéance* réception",
    pages="page",
    rows="ligne lignes poste postes entrée entrées",
    beside_rows="sous dessous au-dessus suivant suivante précédant à_côté",
    row_joiners="à jusqu'à",
    list_joiners="et",
    page_joiners="sur de",
    documents="fichier fichiers facture factures contrat contrats",
    sources="voir réf",
    offers="dois-je puis-je souhaitez-vous voulez-vous veux-tu souhaites-tu",
    suggestions="je_peux je_pourrais vous_pouvez vous_pourriez tu_peux tu_pourrais je_propose je_suggère"
    " si_vous_voulez si_vous_le_souhaitez",
    examples="comme tel_que telle_que par_exemple p.ex nommé nommée appelé appelée",
    clauses="article annexe",
    kinds={
        "Credit note": "avoir",
        "Invoice": "facture",
        "Purchase order": "bon de commande",
        "Delivery note": "bon de livraison",
        "Quote": "devis",
        "Statement": "relevé",
        "Contract": "contrat",
        "Receipt": "ticket, caisse, merci de votre visite, rendu",
    },
    fields={
        "vendor": "fournisseur, vendeur, émetteur, prestataire, bailleur",
        "address": "adresse",
        "customer": "facturé à, facture à, facturer à, adresse de facturation, adressé à, destinataire, nom"
        " du client, client, acheteur",
        "invoice_number": "numéro de facture, n de facture, no de facture, facture numéro, réf facture, référence"
        " facture, numéro facture, n facture, no facture, facture n, facture no; facture",
        "receipt_number": "n de ticket, ticket n, n ticket, ticket no; ticket",
        "credit_note_number": "numéro d'avoir, avoir n, avoir no; avoir",
        "invoice_date": "date de facture, date de la facture, date de facturation, date facture, date d'émission,"
        " facture du, émise le, établie le; date, fait le",
        "date": "date d'émission, date",
        "due_date": "date d'échéance, date échéance, date limite de paiement, à payer avant le, à payer"
        " avant, à régler avant le, à régler le, payable le, échéance le, échéance, règlement"
        " avant le, date de règlement",
        "delivery_date": "date de livraison, livré le, date de la prestation, date de prestation, date de vente",
        "order_date": "date de commande, date de la commande, commandé le",
        "po_number": "numéro de commande, n de commande, no de commande, bon de commande, votre commande,"
        " référence commande, réf commande, commande n, commande no, votre référence",
        "customer_number": "numéro client, numéro de client, n client, n de client, no client, code client,"
        " référence client, réf client, compte client",
        "tax_id": "n tva intracom, tva intracom, n de tva intracommunautaire, n tva intracommunautaire, tva"
        " intracommunautaire, numéro de"
        " tva, numéro tva, n de tva, n tva, no tva, tva intra, id tva, identifiant tva, n id tva,"
        " tva n",
        "registration_number": "siret, n siret, numéro siret, siren, rcs, n siren",
        "currency": "devise, monnaie",
        "subtotal": "sous total ht, sous total, total ht, total hors taxe, total hors taxes, total hors tva,"
        " montant ht, montant hors taxe, montant hors taxes, montant total ht, total net ht, prix"
        " total ht, base ht; net ht, total net",
        "tax_rate": "taux de tva, taux tva, taux, tva",
        "tax": "montant tva, montant de la tva, total tva, total taxes, dont tva, tva totale, taxe, tva",
        "discount": "remise, rabais, réduction",
        "shipping": "frais de port, frais de livraison, frais d'envoi, port, livraison",
        "total": "net à payer ttc, net à payer, total à payer, montant à payer, montant total à payer,"
        " total ttc, montant ttc, montant total ttc, total toutes taxes comprises, solde à payer,"
        " somme à payer, prix total ttc, total tvac, total facture, montant de la facture, total"
        " de l'avoir, total payé; montant dû, total général; ttc; montant total, total",
        "amount_paid": "acompte versé, déjà payé, acompte, déjà réglé",
        "payment_method": "mode de paiement, moyen de paiement, mode de règlement, moyen de règlement, paiement par",
        "payment_terms": "conditions de paiement, conditions de règlement, modalités de paiement",
        "cashier": "caissier, caissière, hôte, hôtesse",
        "email": "courriel, adresse électronique",
        "phone": "téléphone, tél",
    },
    passed_labels={
        "customer": r"\bn\W|\bno\b|numero|code|ref|service|compte|tva|espace|date|commande",
        "invoice_number": r"\bdate|total|montant|adresse|origine|echeance|facturee? a|facture a |periode",
        "invoice_date": r"echeance|livraison|limite|commande|reglement|paiement|naissance|impression|prestation|avant|"
        r"valeur",
        "date": r"echeance|livraison|limite|commande|reglement|naissance|avant",
        "due_date": r"montant|penalit|retard",
        "tax": r"(total|summe|montant|base) ht|\bn\W|\bno\b|numero|intra|hors|inclus|ttc|non applicable|exon|"
        r"identif|tvac\b|htva\b|avant",
        "tax_rate": r"\bn\W|numero|intra|penalit|interet|retard",
        "total": r"total\W*(de la |de )?(tva|ht\b|hors|net ht)|montant ht|sous|\bht\b|remise|a reporter|avant|"
        r"total taxes|htva|poids|quantite",
        "subtotal": r"ttc",
        "tax_id": r"montant|total|taux|client|acheteur|votre|non applicable",
        "shipping": r"adresse|mode|date|port\w",
    },
    columns={
        "position": "ligne, n, pos",
        "sku": "référence, réf, code article, réf article, code produit, code, article n",
        "description": "désignation, libellé, description, produit, produits, prestation, prestations, article,"
        " articles, intitulé, détail, nature",
        "quantity": "quantité, qté, qte, nombre, nb, heures, jours",
        "unit": "unité, u",
        "unit_price": "prix unitaire, prix unitaire ht, prix unit, prix unit ht, p u ht, p u, pu ht, pu, puht,"
        " tarif, tarif unitaire, prix, prix ht, px unitaire, prix à l'unité, prix pièce",
        "discount": "remise, rem, rem %",
        "tax_code": "taux de tva, taux tva, taux, tva, tva %",
        "tax": "montant tva",
        "amount": "montant ht, montant total, montant, total ht, prix total, prix total ht, montant net,"
        " total, total ligne, sous total, valeur; total ttc, montant ttc, prix ttc",
    },
    label_words="number numero, quantity quantite, amount montant, tax tva, invoice facture, due echeance, order"
    " commande, price prix, description designation, vendor vendeur, address adresse, discount remise,"
    " currency devise",
    counts="quantite",
    carried="report reporter",
    sum_rows="sous-total soustotal",
    totals="somme montant",
    adjustments="tva remise frais *livraison* acompte",
    table_ends="sous* total* tva* net_a_payer* montant_total*",
    company_forms="sa sarl sas sasu eurl snc sci",
    streets="rue avenue boulevard bd chemin place impasse quai allée route",
)
