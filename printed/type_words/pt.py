"""Portuguese words by which types of documents are told."""

from printed.type_words.table import TypeWords

WORDS = TypeWords(
    titles={
        "invoice": "fatura, factura, nota fiscal, fatura-recibo, nota fiscal eletrónica, nota fiscal eletrônica,"
        " nota fiscal de serviços, nfs-e, nf-e, danfe, conta de luz, conta de água, fatura de eletricidade,"
        " nota de honorários, fatura final, faturas, fatura de serviços",
        "receipt": "recibo, talão, fatura simplificada, factura simplificada, cupom fiscal, recibo de renda,"
        " recibo de aluguel, comprovativo de pagamento, comprovante, comprovante de pagamento, talão de venda,"
        " cópia cliente, recibo de pagamento, venda a dinheiro, via do cliente, recibo de táxi",
        "credit note": "nota de crédito, nota crédito, nota de devolução, fatura retificativa, fatura de anulação",
        "order": "encomenda, nota de encomenda, ordem de compra, pedido, pedido de compra,"
        " confirmação de encomenda, confirmação de pedido, ordem de serviço, requisição, ordem de trabalho,"
        " requisição de compra, confirmação do pedido",
        "delivery note": "guia de remessa, guia de transporte, nota de entrega, guia de entrega, romaneio,"
        " lista de embalagem, conhecimento de transporte, packing list, guia de devolução, declaração de expedição,"
        " cmr",
        "contract": "contrato, contrato de arrendamento, contrato de trabalho, contrato de prestação de serviços,"
        " contrato de compra e venda, acordo, acordo de confidencialidade, contrato de locação,"
        " contrato de empréstimo, contrato de mútuo, aditamento, termo aditivo, adenda, contrato de fornecimento,"
        " contrato de aluguel, contrato de manutenção, contrato-promessa, acordo de parceria, contrato de licença,"
        " contrato de empreitada, termo de compromisso",
        "statement": "extrato, extrato bancário, extrato de conta, extrato de conta corrente, extrato do cartão,"
        " extracto, extracto bancário, extrato combinado, movimentos da conta, extrato integrado, conta corrente,"
        " extrato de cliente",
        "payslip": "recibo de vencimento, recibo de salário, holerite, contracheque, recibo de remuneração,"
        " folha de vencimento, demonstrativo de pagamento, recibo de ordenado",
        "letter": "aviso de pagamento em atraso, lembrete, aviso de cobrança, carta, carta de cobrança,"
        " segundo aviso, interpelação, notificação extrajudicial, rescisão, denúncia do contrato, primeiro aviso,"
        " último aviso, reencaminhado, encaminhada, memorando, carta de apresentação",
        "form": "formulário, requerimento, pedido de adesão, ficha de inscrição, boletim de inscrição, declaração,"
        " autorização de débito, autorização de débito direto, procuração, questionário, participação de sinistro,"
        " declaração de rendimentos, modelo 3, ficha de cliente, formulário de reclamação, mandato sepa,"
        " formulário de candidatura, inscrição, declaração de irs, pedido de férias,"
        " autorização de débito direto sepa, candidatura",
        "report": "relatório, ata, acta, ata da reunião, ata de reunião, relatório anual, lista, mapa, inventário,"
        " balancete, listagem, listagem de faturas, registo de faturas, registo, diário, relatório de inspeção,"
        " relatório de ensaio, relatório de vistoria, auto de vistoria, análise, mapa de compras, parecer,"
        " relatório técnico, laudo, laudo técnico, contas a pagar, contas a receber, boletim de análise,"
        " mapa de férias, relação de faturas",
        "identity paper": "cartão de cidadão, bilhete de identidade, passaporte, carta de condução,"
        " título de residência, autorização de residência, carteira de identidade, carteira nacional de habilitação,"
        " cédula de identidade, certidão de nascimento, documento de viagem, registro geral",
        "other": "orçamento, proposta, fatura proforma, fatura pró-forma, fatura pro forma, proforma, cotação,"
        " ementa, menu, menu do dia, cardápio, receita, lista de preços, tabela de preços, certificado, diploma,"
        " curriculum vitae, currículo, convite, programa, horário, manual, instruções, cartão de embarque, bilhete,"
        " vale de oferta, regulamento, aviso, garantia, regras do jogo, proposta comercial, prato do dia,"
        " convocatória, folheto",
    },
    labels={
        "ordinal_clause": "cláusula primeira, primeira, cláusula segunda, segunda, terceira",
        "party_column": "fornecedor, cliente, devedor, credor, entidade, empresa",
        "referring": "conforme, segundo, de acordo com, ao abrigo, nos termos, referente",
        "invoice_number": "fatura n, fatura nº, número da fatura, nº da fatura, n.º fatura, fatura número,"
        " número da nota, nº documento, n.º documento, nº fatura",
        "payment_due": "vencimento, data de vencimento, data limite de pagamento, pagar até, prazo de pagamento,"
        " condições de pagamento, data limite, pagamento até, vence em, débito em",
        "bill_to": "faturar a, faturado a, exmo, exmos, exmo. sr, tomador do serviço, destinatário, adquirente,"
        " exmos. senhores",
        "amount_due": "total a pagar, valor a pagar, total da fatura, total fatura, valor total da nota,"
        " total documento, valor total, montante a pagar, total geral, saldo a pagar",
        "vat_sums": "iva, base tributável, incidência, subtotal, total ilíquido, total iva, base de incidência,"
        " icms, iss, total líquido, taxa de iva, valor do iva, base",
        "vat_number": "nif, nipc, contribuinte, contribuinte n, cnpj, cpf, nif n",
        "bank_details": "iban, nib, bic, banco, conta bancária, transferência, dados bancários, entidade,"
        " referência, agência, pix, transferência para",
        "cash": "numerário, dinheiro, troco, multibanco, cartão, pago em dinheiro, entregue, débito,"
        " valor entregue, cartão de débito, cartão de crédito, mb way, valor recebido",
        "till": "caixa, operador, mesa, empregado, talão n, loja, bomba, atendido por, funcionário, nº talão,"
        " garçom, pdv",
        "card_slip": "terminal, comerciante, autorização, aut, cod. aut, compra, período, id. estab, aid,"
        " estabelecimento, tpa, transação aprovada",
        "received_sum": "recebi de, recebemos de, a quantia de, a importância de, renda de, senhorio, inquilino,"
        " locador, locatário, valor recebido, pago por, renda do mês, aluguel de, referente ao aluguel, renda",
        "credit_sum": "total a creditar, valor creditado, total do crédito, a seu favor, a devolver,"
        " valor a devolver, total a devolver, reembolso, total a seu favor, valor a creditar, total creditado,"
        " a reembolsar",
        "corrects_invoice": "referente à fatura, ref. fatura, fatura de origem, documento de origem,"
        " anula a fatura, retifica a fatura, regularização da fatura, nossa fatura, fatura original,"
        " relativo à fatura",
        "credit_reason": "motivo, devolução, motivo da devolução, mercadoria devolvida, razão, causa",
        "wanted_by": "entregar até, data de entrega, entrega prevista, prazo de entrega, entrega até,"
        " data pretendida, entrega pretendida, entrega, previsão de entrega",
        "order_party": "fornecedor, comprador, requisitante, encomendado por, solicitante, centro de custo,"
        " aprovado por, autorizado por, departamento, requisitado por",
        "order_sum": "total da encomenda, valor da encomenda, total do pedido, valor do pedido, total encomenda",
        "delivered": "encomendado, entregue, enviado, pendente, em falta, qtd entregue, qtd encomendada, expedido,"
        " por entregar, pedida, entregue em, qtd. entregue",
        "carriage": "transportador, transportadora, volumes, peso bruto, peso líquido, peso, paletes, caixas,"
        " motorista, matrícula, local de carga, local de descarga, expedidor, destinatário, carga, descarga,"
        " viatura, nº de volumes, placa, hora de carga, remetente",
        "goods_received": "recebido por, assinatura do destinatário, recebi em boas condições, mercadoria recebida,"
        " assinatura de quem recebe, recebido em, recebi a mercadoria, assinatura do cliente",
        "deliver_to": "entregar em, local de entrega, morada de entrega, endereço de entrega, local de descarga,"
        " entregar a",
        "balances": "saldo inicial, saldo final, saldo anterior, saldo, saldo contabilístico, saldo disponível,"
        " novo saldo, a transportar, saldo atual",
        "account": "titular, conta, nº de conta, período, data mov, data valor, débitos, créditos, movimentos,"
        " agência, data do extrato, número da conta, data-valor",
        "debit_credit": "débito, crédito, débitos, créditos, d/c",
        "ageing": "30 dias, 60 dias, 90 dias, mais de 90 dias, vencido, a vencer",
        "net_pay": "líquido a receber, total líquido, valor líquido, vencimento líquido, salário líquido, líquido,"
        " total a receber, líquido a pagar",
        "gross_pay": "vencimento base, salário base, remuneração base, subsídio de alimentação, horas extra,"
        " horas extras, total ilíquido, total bruto, vencimento, abonos, total de abonos, diuturnidades,"
        " total de vencimentos, subsídio de férias, remunerações, total remunerações",
        "deductions": "descontos, total de descontos, segurança social, irs, inss, irrf, retenção irs,"
        " retenção na fonte, quota sindical, desconto, taxa social, vale transporte, fgts, total descontos",
        "employee": "trabalhador, funcionário, categoria, nº mecanográfico, mês, nº segurança social,"
        " data de admissão, entidade patronal, empregador, empregado, cargo, dias úteis, niss, mês de processamento,"
        " matrícula",
        "subject": "assunto, n/ref, v/ref, nossa referência, vossa referência, anexo, anexos, ref",
        "mail_header": "de, para, enviado, assunto, cc, data, enviada, anexo",
        "form_blank": "nome, apelido, morada, endereço, código postal, localidade, telefone, e-mail, assinatura,"
        " data de nascimento, data, local e data, profissão, estado civil, nome completo, telemóvel, cep, sobrenome,"
        " freguesia",
        "report_heads": "resumo, conclusão, conclusões, resultados, resultado, recomendações, introdução, objetivo,"
        " observações, deliberações, metodologia, constatações, apreciação, síntese, próximos passos, medidas,"
        " avaliação, enquadramento",
        "report_by": "elaborado por, autor, inspetor, técnico, presentes, ausentes, secretário, presidente,"
        " data da visita, data da vistoria, período de referência, participantes, relator, emitido em, à data de,"
        " impresso em, requerente, responsável",
        "person": "apelido, nome, nacionalidade, data de nascimento, naturalidade, sexo, altura, validade,"
        " data de emissão, data de validade, emitido por, entidade emissora, nº documento, local de nascimento,"
        " nomes próprios, local de emissão, filiação, válido até, assinatura do titular, n.º de documento, apelidos",
        "offer": "validade da proposta, válido até, orçamento n, proposta n, validade, validade do orçamento,"
        " proposta válida, orçamento nº, proposta nº",
    },
    phrases={
        "payment_due": "no prazo de * dias, a * dias, pagamento a, por transferência, referência multibanco,"
        " data limite, débito direto em, pronto pagamento",
        "till": "obrigado pela sua visita, obrigado e volte sempre, volte sempre, obrigado pela preferência,"
        " guarde este talão, obrigado pela visita",
        "received_sum": "recebi de, recebi do, recebi da, a quantia de, a importância de, em numerário,"
        " em dinheiro, dou quitação, declaro ter recebido, declara ter recebido, de que dou, relativa à renda,"
        " referente à renda, dá quitação",
        "credit_sum": "a seu favor, será creditado, será devolvido, será reembolsado, a vosso favor, creditamos,"
        " será abatido, será descontado, será deduzido, vamos creditar, próxima fatura",
        "corrects_invoice": "referente à fatura, da fatura, nossa fatura, retificação da fatura,"
        " anulação da fatura, à fatura, respeitante à fatura, sobre a fatura",
        "invoice_prose": "serviços prestados no mês, vimos faturar, pelos serviços prestados",
        "ordering": "agradecemos o envio, solicitamos o fornecimento, queiram fornecer, encomendamos,"
        " agradecemos que nos enviem, vimos encomendar, solicitamos o envio, queira confirmar,"
        " indicar o nosso número, agradecemos confirmação, precisamos de, podem enviar, gostaríamos de encomendar,"
        " favor entregar, favor fornecer, mandem-nos",
        "confirms_order": "confirmamos a sua encomenda, recebemos a sua encomenda, obrigado pela sua encomenda,"
        " recebemos o seu pedido, confirmamos o seu pedido, a sua encomenda foi, seu pedido foi,"
        " confirmamos a receção da sua encomenda, obrigado pela sua compra, confirmamos a vossa encomenda,"
        " registámos a sua encomenda",
        "goods_received": "recebi em boas condições, em bom estado, recebi conforme, mercadoria conferida,"
        " não serve de fatura, fatura segue, a fatura será, recebido em boas condições, não é fatura",
        "no_invoice": "não serve de fatura, este documento não serve de fatura, a fatura será, fatura segue,"
        " não é fatura, não é uma fatura, fatura será enviada, não constitui fatura, sem valor fiscal,"
        " não válido como fatura",
        "parties": "adiante designad*, doravante, as partes, primeiro outorgante, segundo outorgante, o senhorio,"
        " o arrendatário, o inquilino, o locador, o locatário, o contratante, o contratado, a entidade empregadora,"
        " o trabalhador, entre as partes, é celebrado, é acordado, contraentes, o mutuante, o mutuário, o vendedor,"
        " o comprador, outorgantes, primeira outorgante, a contratada, a contratante",
        "clause_words": "cláusula, foro, rescisão, denúncia, prazo, pré-aviso, aviso prévio, confidencial*,"
        " obriga-se, compromete-se, renova-se, renovável, lei aplicável, força maior, caução, por escrito,"
        " incumprimento, penalização, mantêm-se inalteradas, período experimental, lei portuguesa, tribunal,"
        " vigência, entra em vigor",
        "signed_by_parties": "em duplicado, assinado em duplicado, assinam as partes, feito em duas vias,"
        " em duas vias, feito em duplicado, o primeiro outorgante, por estarem de acordo, ambas as partes assinam",
        "mail_header": "mensagem original, mensagem reencaminhada, em anexo, segue em anexo, encaminhada,"
        " reencaminho, anexo envio",
        "salutation": "caro *, cara *, exmo. senhor, exma. senhora, exmos. senhores, prezado *, prezada *, bom dia,"
        " olá *, boa tarde, prezados *, estimado *, estimada *, caros *",
        "closing": "com os melhores cumprimentos, melhores cumprimentos, atenciosamente, cumprimentos,"
        " cordialmente, com os nossos cumprimentos, respeitosamente, um abraço, obrigado, sem outro assunto",
        "letter_prose": "vimos por este meio, informamos que, na sequência, em resposta à, serve a presente,"
        " venho por este meio, lamentamos, agradecemos desde já, não recebemos, continua por liquidar,"
        " encontra-se por, por regularizar, solicitamos que, ficamos ao dispor, recordamos que, lembramos que,"
        " ainda não foi, até à data, comunicamos, em aberto",
        "fill_in": "preencher, letra de imprensa, em maiúsculas, a preencher, preencha, letra legível,"
        " letras maiúsculas",
        "tick": "assinale, assinalar com, marque com, riscar o que não, assinale com, marcar com",
        "office_use": "a preencher pelos serviços, reservado aos serviços, uso interno, espaço reservado,"
        " uso exclusivo, não preencher",
        "declares": "declaro, autorizo, abaixo assinado, requeiro, solicito, sob compromisso de honra, consinto,"
        " vem requerer, declaro que, tomei conhecimento",
        "meeting": "a reunião, próxima reunião, por unanimidade, ordem de trabalhos, a assembleia, deliberou,"
        " foi decidido, foi deliberado, encerrada a, a sessão, foi aprovado, foi aprovada",
        "report_prose": "verificou-se, foram detetad*, foram observad*, recomenda-se, em comparação, por cento,"
        " foi realizada, constatou-se, em média, face ao, foram medid*, foram analisad*, aumentou, diminuiu,"
        " durante a vistoria, no período, observou-se, trimestre anterior, ano anterior, não foram, subiu, desceu,"
        " encontra-se conforme",
        "offer": "válida por, proposta válida, orçamento válido, temos o prazer de apresentar, sem compromisso,"
        " validade da proposta, esta proposta, este orçamento, válido por, para efeitos aduaneiros,"
        " pagamento antecipado, pré-pagamento, após adjudicação, aceitação da proposta, preços válidos,"
        " para aceitação",
    },
)
