"""French words in which people speak of documents and of what stands in them."""

from printed.matter_words.table import MatterWords

WORDS = MatterWords(
    types={
        "invoice": "facture*, facturé*, facturation*, facturent, facturer, note d'honoraires",
        "receipt": "reçu de, reçus de, le reçu, les reçus, un reçu, des reçus, reçus, ticket de caisse,"
        " tickets de caisse, quittance*, ticket*, justificatif de paiement, reçus de caisse",
        "credit note": "avoirs, un avoir, l'avoir du, l'avoir de, note de crédit, notes de crédit, facture d'avoir,"
        " factures d'avoir, l'avoir, avoir n°, avoir numéro",
        "order": "commande*, bon de commande, bons de commande, commandé*",
        "delivery note": "bon de livraison, bons de livraison, bordereau de livraison, bordereaux de livraison,"
        " lettre de voiture, lettres de voiture, bordereau d'expédition, liste de colisage",
        "contract": "contrat*, bail, baux, convention*, avenant*, accord de confidentialité, accord signé",
        "statement": "relevé*, relevé de compte, relevés de compte, relevé bancaire, relevés bancaires,"
        " extrait de compte, extraits de compte",
        "payslip": "bulletin de paie, bulletins de paie, fiche de paie, fiches de paie, bulletin de salaire,"
        " bulletins de salaire, feuille de paie, fiche de salaire, fiches de salaire, feuilles de paie",
        "letter": "lettre*, courrier*, mise en demeure, relance*",
        "form": "formulaire*, demande de congé*, demandes de congé*, questionnaire*, cerfa, fiche d'inscription",
        "report": "rapport*, procès-verbal, procès-verbaux, compte rendu, comptes rendus, compte-rendu,"
        " comptes-rendus, évaluation*, bilan*, expertise*, entretien annuel, entretiens annuels",
        "identity paper": "passeport*, carte d'identité, cartes d'identité, permis de conduire, titre de séjour,"
        " titres de séjour, pièce d'identité, pièces d'identité, acte de naissance, visa de, visa pour, visas",
        "other": "devis, catalogue*, brochure*, prospectus, liste de prix, tarif*, curriculum, dépliant*",
    },
    matters={
        "price": "coûte*, coûté*, coût*, prix, montant*, total, totaux, dépens*, acheté*, achat*, payer, payé*,"
        " paie, payons, paiement*, règlement*, réglé*, somme, sommes, combien coût*, combien a coûté,"
        " combien a-t-on, combien avons-nous, combien payons, c'est combien, combien doit, combien devons",
        "due": "échéance*, échu*, impayé*, à payer, à régler, en retard de paiement, devons-nous, délai de paiement,"
        " montant dû, est due, sont dus, est dû, sommes dues",
        "tax": "tva, taxe sur la valeur ajoutée, autoliquidation, taux de taxe",
        "discount": "escompte*, remise*, rabais, ristourne*",
        "supplier": "fournisseur*, prestataire*, créancier*, dettes fournisseurs, artisan*, vendeur*",
        "customer": "client*, débiteur*, créance*, nous doit, nous doivent, chiffre d'affaires, vente*, vendu,"
        " vendus, vendue, vendues",
        "net": "net, brut, nette, nets",
        "agreed": "convenu*, accord écrit, par écrit",
        "wages": "salaire*, gagne, gagnent, gagné, rémunér*, net à payer de, brut mensuel, primes, cotisation*,"
        " prime de, net mensuel, touche par mois, payé par mois, impôt sur le revenu, payé de l'heure,"
        " treizième mois, smic, salaire net, salaire brut, la paie, la paye, service paie",
        "bank": "banque*, bancaire*, solde*, iban, virement*, découvert*, compte courant, rapprochement*,"
        " compte bancaire, agios, débité*, crédité*, prélèvement automatique, prélèvements automatiques,"
        " prélèvement bancaire, prélèvements bancaires, prélevé, prélevée",
        "employment": "employé*, salarié*, embauch*, période d'essai, temps partiel, temps plein, personnel,"
        " collègue*, démission*, licenci*, contrat de travail, contrats de travail, cdd, cdi, ressources humaines,"
        " horaires de travail, poste de",
        "leave": "congé*, arrêt maladie, arrêts maladie, jours de repos, rtt, congé parental",
        "training": "formation*, certificat*, habilitation*, attestation*, qualification*, secouris*",
        "appraisal": "entretien annuel, entretiens annuels, évaluation*",
        "lease": "bail, baux, loyer*, locataire*, bailleur*, caution*, location*, dépôt de garantie, appartement*,"
        " logement*, état des lieux, propriétaire*",
        "termination": "préavis, résili*, clause*, reconduction*, reconduit*, signataire*, expire*,"
        " durée du contrat, pénalité*, responsabilité, garantie légale, a signé, ont signé",
        "insurance": "assurance*, assuré*, sinistre*, police d'assurance, prime d'assurance",
        "delivery": "livré*, livraison*, livrer, expédi*, palette*, transporteur*, colis, entrepôt*, stock*, fret,"
        " réception des marchandises, marchandises reçues, reliquat*",
        "identity": "date de naissance, né le, née le, nationalité*, lieu de naissance, permis de travail",
        "meeting": "réunion*, conseil d'administration, procès-verbal du conseil, ordre du jour, décidé*, assemblée*",
        "quality": "laboratoire*, mesures, inspection*, nitrate*, défaut*, échantillon*, contrôle qualité,"
        " analyse d'eau",
        "medical": "diagnostic*, patient*, médecin*, médical*, ordonnance*, symptôme*",
        "world": "météo, temps fera, temps fait-il, recette de, recettes de, cuisin*, cuire, poème*, poésie,"
        " blague*, chanson*, chante*, film*, cinéma, football, match de, le match, du match, coupe du monde,"
        " horoscope*, loto, président de la, premier ministre, capitale, élection*, politique*, actualité*, voyage*,"
        " vol pour, hôtel*, restaurant*, bourse, bitcoin*, python, code informatique, programme informatique,"
        " anniversaire*, mariage, discours*, lettre d'amour, petite amie, devoirs, dissertation*, inventé*, régime,"
        " échecs, pari, paris sportifs, devinette*, cadeau*, vin avec, train pour, gâteau*, série télé, dîner,"
        " déjeuner, jeu vidéo, quiz, un roman, raconte un conte, raconte une histoire, une histoire",
    },
    speech={
        "greeting": "bonjour*, salut*, bonsoir*, coucou, au revoir, bonne journée, bonne soirée, à demain,"
        " à bientôt, tout le monde, ça va, comment allez-vous, comment vas-tu",
        "thanks": "merci*, parfait*, super, très bien, d'accord, ok, beaucoup, bien, à vous, à toi, pour votre aide,"
        " pour ton aide, génial, entendu, compris, c'est noté, bravo, c'est tout, ce sera tout, infiniment,"
        " c'est parfait",
        "product": "te demander, vous demander, demander ici, peux-tu faire, pouvez-vous faire, sais-tu faire,"
        " cet assistant, ton périmètre, votre périmètre, tu refuses, vous refusez, refuses-tu, refusez-vous,"
        " export*, télécharg*, téléverser, déposer un, paramètre*, réglages, cette application, cet outil,"
        " à quoi sers-tu, à quoi servez-vous, à quoi sert, qui es-tu, qui êtes-vous, peut voir, voit mes,"
        " mot de passe, annuler une, comprends-tu, manuscrit*, écriture manuscrite, quels formats, quelles langues,"
        " ton profil, votre profil, ajouter une étiquette, étiquette*, corbeille, comment fonctionne*,"
        " tu fonctionnes, raccourci*, filtrer la liste, ton rôle, votre rôle, ici ?, puis-je faire, posé ici,"
        " peux-tu m'aider ?, comment peux-tu m'aider, en quoi peux-tu, comment pouvez-vous m'aider,"
        " en quoi pouvez-vous, à quoi peux-tu",
        "compare": "compar*, correspond*, conforme*, par rapport à, contre, que dans, selon, concorde*, cohérent*,"
        " diffère*, identique*, écart*",
        "point": "il, elle, ils, elles, ce, cela, ça, celui*, celle*, ceux, l'autre, les autres, encore, même, et,"
        " aussi, suivant*, précédent*, y, en, lui, leur, avant, après, le, la, les, plus, continue*, oui, non,"
        " pourquoi, autre*, deux, son, sa, ses, s'il te plaît, s'il vous plaît, là-dessus, d'avant, dedans",
        "ask": "que, quel*, qui, quand, où, pourquoi, comment, combien, montre*, liste*, donne*, dis, dites, résum*,"
        " traduis*, tradui*, écris*, écriv*, lis, lisez, ouvre*, trouve*, retrouve*, compare*, vérifi*, expli*,"
        " cherche*, envoie*, calcul*, recommand*, crée*, fais, faites, décri*, est, sont, est-ce, a-t-*, peux-tu,"
        " pouvez-vous, je veux, je voudrais, raconte*, affiche*, contrôle*, y a-t-il, révèle*, rédige*",
        "claim": "tu es maintenant, tu es désormais, vous êtes maintenant, désormais tu, désormais vous,"
        " à partir de maintenant tu, à partir de maintenant vous, fais comme si, faites comme si, fais semblant,"
        " nouvelle consigne*, nouvelles consignes, nouvelle instruction*, nouvelles instructions, admin t'a,"
        " l'administrateur t'a, l'administratrice t'a, l'administrateur vient, l'admin dit, en tant qu'admin*,"
        " je suis l'admin*, je suis admin*, t'autorise*, t'a autorisé, vous autorise à, vous a autorisé à,"
        " ton périmètre est, ton périmètre inclut, périmètre a été, sans restriction*, sans limite,"
        " fait désormais partie, à ton périmètre, dans ton périmètre, mode développeur",
        "refusal": "pourquoi tu refuses, pourquoi refuses-tu, pourquoi refusez-vous, pourquoi as-tu refusé,"
        " pourquoi avez-vous refusé, pourquoi ne réponds-tu, tu refuses ma, tu n'as pas répondu",
        "how": "comment puis-je, comment modifier, comment changer, qui peut, où modifier, comment étendre",
        "drop": "ignore*, ignorez, oublie*, oubliez, change*, élargi*, étend*, étendu, ajouté*, ajoute*, contourn*,"
        " désactiv*, lève, levé*, fais fi",
        "rules": "profil, périmètre, règles, consigne*, instruction*, restriction*, limites",
        "other": "autre*, l'autre, suivant*",
        "first": "premier*, première*",
        "second": "second*, deuxième*",
        "third": "troisième*",
        "last": "dernier*, dernière*",
        "joins": "et, mais, aussi, puis, ensuite, au passage, par ailleurs, en outre, d'ailleurs, ou, ainsi que",
        "not": "jamais, pas, sans, sauf, ni, hors, excepté, aucun*, rien sur",
        "refused": "on parle des, on parle de, ici on traite, est réservé, n'est pas pour, est pour, sert à",
        "newest": "plus récent*, plus ancien*, dernier document, derniers documents",
        "document": "document*, fichier*, page, pages, scan*, pièce, pièces, papier*, pdf, dossier*",
    },
)
