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
    ordinals="er",
    numbers="1 un une, 2 deux, 3 trois, 4 quatre, 5 cinq, 6 six, 7 sept, 8 huit, 9 neuf, 10 dix, 11 onze, 12 douze,"
    " 13 treize, 14 quatorze, 15 quinze, 16 seize, 20 vingt, 30 trente, 40 quarante, 50 cinquante, 60 soixante,"
    " 80 quatre_vingt quatre_vingts, 100 cent cents",
    quarter_numbers="1 premier, 2 deuxieme, 3 troisieme, 4 quatrieme",
    minus="moins",
    number_joiners="et",
    scales="thousand mille, million million millions, billion milliard milliards",
    currencies="EUR euro euros, CHF francs",
    units="% pourcent pour_cent, day jour jours, week semaine semaines, month mois, year ans année années, hour"
    " heure heures, minute minute minutes, g grammes, t tonnes, m mètre mètres, l litre litres",
    yearly="an",
    each="par",
    stopwords="le la les et est sont du des une un de dans pour par sur avec ou quel quelle quels quelles qui que quoi"
    " quand où pourquoi comment je tu il elle nous vous ils",
    yes="oui",
    no="non",
    negations="pas jamais aucun aucune sans",
    limits="plus",
    exceptions="avant après sauf",
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
    " acheteuse acquéreur, seller vendeur vendeuse, lender prêteur créancier, borrower emprunteur débiteur,"
    " employer employeur, employee employé employée salarié salariée, customer client cliente clients,"
    " supplier fournisseur fournisseurs, insurer assureur, insured assuré assurée, bank banque, recipient"
    " destinataire, sender expéditeur",
    meanings="total somme, rent loyer loyers, deposit caution dépôt, pay paie paye payer payé payée paiement paient,"
    " sign signé signée signature signe, deliver livré livrée livraison livre livrer, deadline délai préavis,"
    " terminate résilié résiliation résilier, interest intérêts intérêt, penalty pénalité, roof toit toiture,"
    " damage dommage dommages dégâts, insurance assurance, warranty garantie, heating chauffage, loan prêt,"
    " fee frais honoraires",
    directions="par depuis dès de du des à au aux pour contre avec que",
    before="avant jusqu'au jusqu'à jusque",
    after="après",
    universals="tous toutes tout toute chaque toujours seulement seul seule",
    permits="peut peuvent pourra",
    obliges="doit doivent devra obligé tenu",
    conditions="si sauf sans",
    derived="e s es é ée és ées er ent ement ements ation ations able ons ez",
    pages="page",
    page_joiners="sur de",
    documents="fichier fichiers facture factures contrat contrats",
    sources="voir réf",
    kinds={
        "Credit note": "avoir",
        "Invoice": "facture",
        "Purchase order": "bon de commande",
        "Delivery note": "bon de livraison",
        "Quote": "devis",
        "Statement": "relevé",
        "Contract": "contrat",
    },
    fields={
        "vendor": "fournisseur, vendeur",
        "address": "adresse",
        "customer": "client, facturé à",
        "invoice_number": "numéro de facture, n de facture, facture n, facture no",
        "invoice_date": "date de facture, date de facturation, date d'émission",
        "due_date": "date d'échéance, échéance, à payer avant",
        "delivery_date": "date de livraison",
        "po_number": "numéro de commande, n de commande, bon de commande, votre commande, commande n",
        "customer_number": "numéro client, n client, code client",
        "tax_id": "n tva, tva intracommunautaire, siret",
        "currency": "devise",
        "subtotal": "sous total, total ht, montant ht",
        "tax_rate": "tva",
        "tax": "montant tva, tva",
        "discount": "remise",
        "total": "total ttc, montant ttc, net à payer",
        "payment_method": "mode de paiement, moyen de paiement",
        "payment_terms": "conditions de paiement",
        "cashier": "caissier",
        "email": "courriel",
        "phone": "téléphone",
    },
    passed_labels={
        "invoice_date": r"echeance",
        "tax": r"(total|summe) ht",
        "total": r"total\W*(tva|ht\b)",
    },
    columns={
        "sku": "référence, réf, code article, code produit, article n",
        "description": "désignation, libellé, description, produit, article, prestation, prestations, détail, intitulé",
        "quantity": "quantité, qté, qte, nombre, nb, heures",
        "unit": "unité, u",
        "unit_price": "prix unitaire, prix unitaire ht, prix unit, px unitaire, p u, pu, pu ht, p u ht, prix à"
        " l'unité, prix pièce, tarif, tarif unitaire, prix",
        "tax_code": "tva, taux tva, taux de tva, taux",
        "amount": "montant, montant ht, montant ttc, total ht, total ttc, total ligne, prix total, prix ttc,"
        " prix total ht, sous total, total, valeur",
    },
    label_words="number numero, quantity quantite, amount montant, tax tva, invoice facture, due echeance, order"
    " commande, price prix, description designation, vendor vendeur, address adresse, discount remise,"
    " currency devise",
    counts="quantite",
    carried="report reporter",
    sum_rows="sous-total soustotal",
    totals="somme montant",
    adjustments="tva remise frais *livraison* acompte",
    table_ends="sous* tva*",
    company_forms="sa sarl",
    streets="rue",
)
