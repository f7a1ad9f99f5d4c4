"""French words by which types of documents are told."""

from printed.type_words.table import TypeWords

WORDS = TypeWords(
    titles={
        "invoice": "facture, facture d'acompte, facture de solde, facture n, note d'honoraires, facture client,"
        " facture électronique, facture définitive, duplicata de facture, facture de vente, honoraires,"
        " décompte de charges",
        "receipt": "reçu, ticket, ticket de caisse, quittance, quittance de loyer, ticket client,"
        " ticket client a conserver, reçu de paiement, justificatif de paiement, carte bancaire, ticket carte,"
        " reçu de caisse, facturette, note de restaurant, reçu fiscal, ticket commerçant, reçu pour",
        "credit note": "avoir, facture d'avoir, note de crédit, facture rectificative, avoir client, avoir n,"
        " facture d'annulation, avoir sur facture",
        "order": "bon de commande, commande, confirmation de commande, accusé de réception de commande,"
        " commande fournisseur, commande n, commande d'achat, accusé de commande, ordre d'achat, commande client,"
        " ordre de travaux",
        "delivery note": "bon de livraison, bordereau de livraison, bordereau d'expédition, lettre de voiture,"
        " liste de colisage, bon d'expédition, bordereau d'envoi, avis d'expédition, bon de réception,"
        " bon de transport, bon d'enlèvement, bon de préparation, bon de sortie, bon de retour",
        "contract": "contrat, contrat de travail, contrat de bail, bail, avenant, convention,"
        " accord de confidentialité, contrat de prestation, bail commercial, contrat de prêt, contrat de location,"
        " protocole d'accord, bail d'habitation, accord de non-divulgation, contrat-cadre, contrat d'entretien,"
        " contrat de maintenance, avenant n, contrat de vente, accord-cadre, engagement de confidentialité,"
        " contrat de prestation de services, compromis de vente",
        "statement": "relevé, relevé de compte, extrait de compte, relevé bancaire, relevé de carte,"
        " relevé de compte client, extrait de compte client, relevé des opérations, relevé de compte fournisseur,"
        " situation de compte, relevé n, relevé de carte bancaire, arrêté de compte, relevé de livret",
        "payslip": "bulletin de paie, bulletin de salaire, fiche de paie, bulletin de paye, fiche de salaire,"
        " décompte de salaire, bulletin de rémunération",
        "letter": "relance, rappel, mise en demeure, lettre de relance, objet, dernier rappel, lettre recommandée,"
        " rappel de paiement, premier rappel, lettre, courrier, dernier avis, tr, convocation, note de service",
        "form": "formulaire, demande, demande de, mandat de prélèvement, mandat de prélèvement sepa, déclaration,"
        " bulletin d'inscription, fiche d'inscription, autorisation, constat, déclaration de sinistre,"
        " fiche de renseignements, questionnaire, note de frais, bulletin d'adhésion, déclaration de revenus,"
        " attestation sur l'honneur, déclaration de tva, demande d'inscription, demande de congés, procuration,"
        " autorisation parentale, constat amiable, mandat",
        "report": "journal, liste, registre, factures reçues, factures émises, inventaire, livre de caisse,"
        " rapport, compte rendu, procès-verbal, rapport annuel, rapport d'activité, bilan, synthèse,"
        " rapport d'inspection, rapport d'audit, compte-rendu, rapport mensuel, étude, rapport de visite,"
        " liste des factures, balance âgée, état des factures, rapport d'expertise, tableau de bord,"
        " journal des ventes, rapport d'essai, rapport trimestriel, échéancier, récapitulatif des factures,"
        " journal des achats, analyse, diagnostic, état récapitulatif",
        "identity paper": "carte d'identité, passeport, carte nationale d'identité, permis de conduire,"
        " titre de séjour, carte de séjour, carte de résident, acte de naissance, carte d'identité nationale,"
        " titre de voyage, carte de résidence",
        "other": "carte du jour, menu du jour, règle du jeu, règles du jeu, programme des festivités,"
        " horaires d'ouverture, carte des vins, devis, proposition, offre, facture proforma, facture pro forma,"
        " facture pro-forma, offre de prix, menu, recette, attestation, programme, ordre du jour, curriculum vitae,"
        " tarif, catalogue, billet, affiche, certificat, liste de prix, proforma, offre commerciale, mode d'emploi,"
        " notice, règlement intérieur, communiqué de presse, planning, invitation, bon cadeau,"
        " proposition commerciale, devis estimatif, carte d'embarquement, diplôme, horaires, notice d'utilisation,"
        " liste de courses, guide",
    },
    labels={
        "party_column": "fournisseur, client, tiers, société, débiteur",
        "invoice_number": "facture n, n° de facture, numéro de facture, n° facture, référence facture",
        "payment_due": "échéance, date d'échéance, à payer avant le, conditions de règlement, règlement,"
        " date limite de paiement, conditions de paiement, payable le, mode de règlement, date limite",
        "bill_to": "facturé à, adresse de facturation, facturer à, doit",
        "amount_due": "net à payer, total ttc, montant ttc, total à payer, reste à payer, montant à payer,"
        " montant dû, à payer, somme à payer, montant total ttc, solde à payer, net à payer ttc",
        "vat_sums": "tva, total ht, montant ht, total hors taxes, montant tva, sous-total, total tva, ht, base ht,"
        " tva 20 %",
        "vat_number": "siret, siren, n° tva, tva intracommunautaire, rcs, tva fr, n° tva intracommunautaire, n° siret",
        "bank_details": "iban, bic, rib, domiciliation, coordonnées bancaires",
        "cash": "espèces, rendu, cb, carte bancaire, monnaie rendue, rendu monnaie, reçu, paiement cb, carte bleue,"
        " a rendre, chèque, monnaie, especes, carte",
        "till": "caisse, caissier, caissière, table, couverts, ticket, serveur, ticket n, vendeur, hôtesse, pompe,"
        " serveuse, dont tva, opérateur, nb articles, articles",
        "card_slip": "n° autorisation, autorisation, débit, sans contact, commerçant, no auto, ticket client,"
        " paiement accepté, terminal, aid, montant, n° de terminal, transaction acceptée, porteur, no autorisation",
        "received_sum": "reçu de, la somme de, pour loyer, loyer, provision pour charges, provisions pour charges,"
        " en règlement de, montant reçu, locataire, bailleur, charges, propriétaire, somme reçue, objet du paiement,"
        " adresse de la location",
        "credit_sum": "montant à déduire, total avoir, net à déduire, à rembourser, montant de l'avoir,"
        " total de l'avoir, solde en votre faveur, net en votre faveur, total à rembourser, montant remboursé,"
        " montant à rembourser, remboursement",
        "corrects_invoice": "sur facture, facture d'origine, réf. facture, annule la facture, relatif à la facture,"
        " avoir sur facture, facture concernée, rectifie la facture, concerne la facture, annule et remplace",
        "credit_reason": "motif, retour, motif de l'avoir, retour marchandise",
        "wanted_by": "livraison souhaitée, date de livraison, délai de livraison, livraison demandée, à livrer le,"
        " livraison prévue, date de livraison souhaitée, délai, livraison, à livrer avant, expédition prévue",
        "order_party": "fournisseur, acheteur, commandé par, demandeur, approuvé par, service demandeur,"
        " donneur d'ordre, votre commande, code fournisseur, bon pour accord, imputation",
        "order_sum": "total commande, montant de la commande, total ht de la commande, total de la commande,"
        " montant commande",
        "delivered": "qté livrée, qté commandée, livré, livrée, commandé, commandée, reliquat, qté cdée,"
        " quantité livrée, quantité commandée, reste à livrer, expédié, cdé, qté expédiée, qté liv, manquant",
        "carriage": "transporteur, colis, poids, poids brut, palettes, date d'expédition, chauffeur,"
        " nombre de colis, expéditeur, destinataire, immatriculation, livreur, poids total, mode d'expédition,"
        " cartons, préparé par, nb colis, enlèvement, véhicule, n° de suivi",
        "goods_received": "reçu le, reçu conforme, signature du destinataire, bon pour réception,"
        " marchandise reçue, réceptionné par, signature et cachet, nom et signature, signature du client,"
        " visa du réceptionnaire, reçu en bon état",
        "deliver_to": "adresse de livraison, livrer à, lieu de livraison, livré à, destinataire, livraison à",
        "balances": "ancien solde, nouveau solde, solde initial, solde final, solde, solde précédent,"
        " solde créditeur, solde débiteur, report, solde au, solde en fin, solde à nouveau, solde dû",
        "account": "titulaire, période, n° de compte, compte n, date valeur, date d'opération, libellé, valeur,"
        " total des opérations, relevé n, opération, agence, titulaire du compte, découvert autorisé,"
        " nature de l'opération, date opération",
        "debit_credit": "débit, crédit, débits, crédits, prélèvement, virement, versement",
        "ageing": "non échu, 0-30 jours, 30 jours, 60 jours, 90 jours, plus de 90 jours, échu, 31-60 jours, 1-30 jours",
        "net_pay": "net payé, net à payer avant impôt, net imposable, net à payer, salaire net, net social,"
        " montant net social, net à payer au salarié, net versé, net à payer avant impôt sur le revenu",
        "gross_pay": "salaire de base, salaire brut, heures supplémentaires, heures suppl, prime, total brut,"
        " rémunération brute, brut, prime d'ancienneté, indemnité, salaire mensuel",
        "deductions": "csg, crds, cotisations, retenues, retenue, sécurité sociale, retraite,"
        " prélèvement à la source, impôt sur le revenu, mutuelle, assurance chômage, cotisations salariales,"
        " retraite complémentaire, part salariale, csg/crds, maladie, total cotisations, santé, total des retenues,"
        " vieillesse, prévoyance, csg déductible, cotisations retraite, avs",
        "employee": "salarié, employeur, matricule, emploi, convention collective, code ape, période de paie,"
        " salariée, qualification, ape, n° sécu, n° ss, entrée, convention, ancienneté, coefficient,"
        " n° de sécurité sociale, urssaf, congés payés, heures, classification, naf, date d'entrée",
        "subject": "objet, vos réf, nos réf, réf, n/réf, v/réf, pièce jointe, pièces jointes, pj, p.j",
        "mail_header": "de, à, envoyé, objet, cc, message transféré, pièce jointe, pièces jointes",
        "form_blank": "nom, prénom, adresse, code postal, téléphone, courriel, date de naissance, signature, date,"
        " ville, nom et prénom, nom de naissance, fait à, profession, nationalité, lieu de naissance, iban, le,"
        " n° de sécurité sociale, e-mail, nom prénom",
        "report_heads": "résumé, synthèse, conclusion, conclusions, recommandations, introduction, constats,"
        " résultats, contexte, bilan, constatations, décisions, actions, ordre du jour, observations,"
        " préconisations, analyse, objet, méthode, méthodologie, chiffres clés, perspectives,"
        " conclusions et actions, points abordés, avis, objectif, diagnostic, mesures",
        "report_by": "rédigé par, établi par, auteur, présents, absents, excusés, période, rapporteur,"
        " date de visite, inspecteur, séance du, secrétaire de séance, participants, étaient présents,"
        " président de séance, édité le, arrêté au, situation au, date de l'intervention, vérificateur, contrôleur,"
        " expert, rédacteur, date de la visite, au",
        "person": "nom, prénom, prénoms, sexe, nationalité, né le, née le, date de naissance, lieu de naissance,"
        " taille, valable jusqu'au, date d'expiration, date de délivrance, autorité, né, née, n° de passeport, à,"
        " signature du titulaire, délivré le, catégorie, expire le, nom d'usage, numéro personnel, n° du document,"
        " délivré par, date d'établissement, titulaire, couleur des yeux, domicile, date d'exp, valable",
        "offer": "validité, devis valable, offre valable, valable jusqu'au, devis n, bon pour accord,"
        " validité de l'offre, n° de devis, validité du devis, date de validité",
        "referring": "selon, suivant, conformément à, conformément au",
    },
    phrases={
        "payment_due": "à réception, pénalités de retard, jours fin de mois, règlement à, à régler,"
        " en votre aimable règlement, paiement à, escompte, indemnité forfaitaire, payable à, paiement sous",
        "till": "merci de votre visite, à bientôt, merci et à bientôt, ticket à conserver, ni repris ni échangé,"
        " merci de votre confiance, bonne journée, à conserver, au revoir, merci de votre achat",
        "received_sum": "reçu de, la somme de, dont quittance, reconnais avoir reçu, pour paiement de,"
        " certifie avoir reçu, donne quittance, déclare avoir reçu, avoir reçu de, en espèces, pour acquit,"
        " avoir reçu, la somme",
        "credit_sum": "à déduire, en votre faveur, vous sera remboursé, sera remboursé, votre crédit,"
        " vous sera crédité, porté au crédit, imputé sur, déduit de votre, sera déduit, à valoir sur,"
        " remboursement par",
        "corrects_invoice": "sur facture n, sur la facture, relatif à la facture, annule la facture,"
        " de la facture n, notre facture, annulation de la facture, rectifie la facture, sur notre facture",
        "ordering": "veuillez livrer, nous vous commandons, nous commandons, veuillez nous livrer,"
        " merci de confirmer, prière de livrer, nous vous prions de livrer, veuillez confirmer, rappeler ce numéro,"
        " merci de livrer, nous passons commande, veuillez fournir, rappeler le numéro de commande,"
        " accuser réception, pouvez-vous, merci d'envoyer, nous avons besoin, envoyez-nous, il nous faut",
        "confirms_order": "enregistré votre commande, avons reçu votre commande, bien reçu votre commande,"
        " nous confirmons votre commande, nous vous remercions de votre commande,"
        " accusons réception de votre commande, votre commande a bien, confirmons la commande,"
        " avons bien reçu votre commande, merci pour votre commande, votre commande du",
        "goods_received": "reçu conforme, en bon état, marchandises reçues, facture suivra, réserves éventuelles,"
        " la facture vous, ce bon n'est pas, sans réserve, reçu en bon état, réserves à, facture à suivre,"
        " reçu complet, facture séparée, vérifier le contenu",
        "parties": "entre les soussignés, ci-après, d'une part, d'autre part, les parties, il a été convenu,"
        " le bailleur, le preneur, le prestataire, le prêteur, l'emprunteur, l'employeur, chaque partie,"
        " chacune des parties, il est convenu, entre :, le locataire, la salariée, le salarié, entre",
        "clause_words": "résiliation, résilier, préavis, tribunal compétent, droit applicable, confidentialité,"
        " confidentielles, tacite reconduction, durée du contrat, responsabilité, force majeure, s'engage,"
        " demeurent inchangé*, prend effet, période d'essai, clause, litige, dépôt de garantie, droit français,"
        " est conclu, confidentiel*, restent inchangé*, est consenti, intérêts au taux",
        "signed_by_parties": "fait en deux exemplaires, en deux exemplaires, lu et approuvé, signature des parties,"
        " en double exemplaire, fait à * en deux, le bailleur le, autant d'exemplaires",
        "mail_header": "message transféré, message d'origine, ci-joint, veuillez trouver, en pièce jointe,"
        " je vous transfère",
        "salutation": "madame, monsieur, madame monsieur, cher *, chère *, chers *, mesdames, bonjour, bonjour *,"
        " messieurs",
        "closing": "salutations distinguées, veuillez agréer, je vous prie d'agréer, cordialement,"
        " sincères salutations, bien à vous, nous vous prions d'agréer, sentiments distingués, bien cordialement,"
        " sentiments les meilleurs, l'expression de",
        "letter_prose": "nous vous informons, votre courrier, nous vous remercions, je vous prie, j'ai l'honneur,"
        " nous avons le plaisir, vous informer, suite à votre, sauf erreur, n'avons pas reçu, demeure impayé*,"
        " reste impayé*, je souhaite, nous regrettons, nous vous prions, faute de quoi, mettons en demeure,"
        " à ce jour, je vous informe, merci de nous, malgré nos, nous vous rappelons",
        "fill_in": "à compléter, à remplir, en lettres capitales, en majuscules, à retourner, compléter en,"
        " lettres majuscules, remplir en, dûment complété, à renvoyer",
        "tick": "cocher, cochez, cocher la case, rayer la mention inutile, rayer les mentions,"
        " cases correspondantes, case à cocher",
        "office_use": "réservé à l'administration, cadre réservé, partie réservée, réservé au service,"
        " ne rien écrire, ne rien inscrire",
        "declares": "je soussigné*, je déclare, certifie exact, j'autorise, sur l'honneur, je certifie, j'atteste,"
        " je demande, vous autorisez",
        "meeting": "la séance, réunion, prochaine réunion, à l'unanimité, ordre du jour, le comité, a été décidé,"
        " le conseil, l'assemblée, séance levée, levée à, est ouverte",
        "report_prose": "ont été relevé*, ont été constaté*, a été constaté*, par rapport à, il est recommandé,"
        " nous recommandons, en hausse, en baisse, pour cent, l'inspection, ont été examiné*, au cours de,"
        " en moyenne, a été réalisé*, l'audit, l'étude, la visite, ont été mesuré*, a progressé, contrôlé*,"
        " au trimestre, ont augmenté, l'an dernier, il convient, a permis, été vérifié*",
        "offer": "devis valable, offre valable, valable jusqu'au, bon pour accord, nous vous proposons,"
        " sous réserve, devis gratuit, valable un mois, valable * jours, valable trois mois, ne vaut pas facture,"
        " n'est pas une facture, valeur pour la douane, aucun règlement, avant expédition,"
        " avons le plaisir de vous proposer, offre est valable, devis est valable, précédé* de la mention,"
        " paiement avant",
        "no_invoice": "n'est pas une facture, pas une facture, facture suivra, la facture vous sera,"
        " facture à suivre, sera facturé*",
    },
)
