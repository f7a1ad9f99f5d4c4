"""Portuguese."""

from printed.language import Language

LANGUAGE = Language(
    code="pt",
    months="jan janeiro, fev fevereiro, mar marco, abr abril, mai maio, jun junho, jul julho, ago agosto, setembro"
    " set, outubro, nov novembro, dez dezembro",
    weekdays="segunda-feira, terça-feira, quarta-feira, quinta-feira, sexta-feira, sábado, domingo",
    date_joiners="de",
    ordinals="º",
    numbers="1 um uma, 2 dois duas, 4 quatro, 5 cinco, 6 seis, 7 sete, 8 oito, 9 nove, 10 dez, 12 doze, 15 quinze, 18"
    " dezoito, 20 vinte, 30 trinta, 40 quarenta, 50 cinquenta, 60 sessenta, 90 noventa, 100 cem",
    positions="1 primeiro primeira, 2 segundo segunda, 3 terceiro terceira, 4 quarto quarta, 5 quinto quinta",
    latest="último última mais_recente",
    earliest="mais_antigo mais_antiga",
    pointers="este esta esse essa aquele aquela",
    definitions="schema esquema esquemas, prompt prompt, tag etiqueta etiquetas",
    scales="thousand mil, million milhões",
    currencies="EUR euro euros",
    units="% por_cento, day dia dias, week semana semanas, month mes meses, year ano anos, hour hora horas, minute"
    " minutos, m metros, l litros",
    each="por",
    stopwords="o as os é são e de da do dos uma um por com para não qual quais quem onde em ao",
    yes="sim",
    no="não nao",
    negations="não nenhum nenhuma sem",
    titles="senhor senhora",
    approved="assinado assinada aprovado aprovada",
    approves="assinou aprovou",
    by="por",
    asks="pergunte contacte ligue consulte informe fale_com",
    reports="segundo ascende indica indicam indicado menciona figura diz mostra contém custa custam valor número"
    " texto palavra palavras frase também aqui em no na nos nas ao aos à às seu sua seus suas este esta"
    " isto esse essa foi foram ser está estão entre dentro durante mesmo mesma mais muito se já mas porque"
    " que tem têm",
    mentions="menciona nomeia indica contém prevê cita",
    parties="tenant inquilino locatário arrendatário, landlord senhorio locador arrendador, buyer comprador,"
    " seller vendedor, employer empregador, employee empregado trabalhador, customer cliente clientes,"
    " supplier fornecedor fornecedores, insurer seguradora, bank banco, recipient destinatário, sender"
    " remetente",
    meanings="total soma juntos juntas, rent aluguel aluguer renda, deposit caução depósito, pay paga pagam pagar"
    " pago pagamento, sign assinado assinatura assinou, deliver entrega entregue, deadline prazo, interest"
    " juros, penalty multa, roof telhado, damage dano danos, insurance seguro, warranty garantia, heating"
    " aquecimento, loan empréstimo",
    directions="por desde pelo pela de do da a ao para contra com que",
    before="antes até",
    after="depois após",
    universals="todos todas todo toda cada sempre só somente ambos",
    permits="pode podem poderá",
    obliges="deve devem deverá obrigado",
    conditions="caso salvo sem consentimento",
    plans="promete prevê propõe oferece solicita pede",
    derived="o a os as ou ado ada ados adas ar ção ções mento ável",
    terms="líquido pagamento* pagar prazo* vencimento* vence*",
    pages="página",
    rows="linha linhas item itens posição",
    beside_rows="abaixo_de acima_de depois_de seguinte",
    row_joiners="a até",
    list_joiners="e",
    page_joiners="de",
    documents="documento documentos fatura faturas contrato contratos",
    sources="fonte ver",
    offers="devo posso quer queres deseja",
    suggestions="posso poderia pode podemos poderíamos podes sugiro proponho se_quiser se_desejar",
    examples="como por_exemplo p.ex chamado chamada",
    columns={
        "position": "linha, pos, n",
        "sku": "código, cód, referência, ref, artigo n, código do produto, código do artigo",
        "description": "descrição, designação, artigo, produto, produtos, serviço, descrição do produto,"
        " discriminação, item",
        "quantity": "quantidade, quant, qtd, qtde, qt, horas",
        "unit": "unidade, un, uni, unid",
        "unit_price": "preço unitário, preço unit, p unitário, pr unitário, valor unitário, valor unit, vl"
        " unitário, preço, p unit, pr unit, vl unit, vlr unit, preço por unidade, preço líquido,"
        " tarifa",
        "discount": "desconto, desc, desc %, dto",
        "tax_code": "taxa iva, iva, iva %, taxa, taxa de iva, imposto",
        "tax": "valor iva",
        "amount": "valor total, total líquido, preço total, montante, valor, total, importância, vl total,"
        " total ilíquido, vlr total, preço com iva, subtotal",
    },
    passed_labels={
        "customer": r"\bn\W|\bno\b|numero|codigo|\bcod|apoio|atendimento|nif|contribuinte",
        "invoice_number": r"\bdata|total|valor|vencim|original|referente",
        "invoice_date": r"vencimento|entrega|encomenda|pedido|pagamento|limite|nascimento|saida|carga",
        "date": r"vencimento|entrega|encomenda|pedido|pagamento|limite|nascimento",
        "tax": r"sem iva|incluido|isento|base|incidencia|contribuinte|com iva|\bregime",
        "tax_rate": r"isento|regime",
        "total": r"sub\W*total|iliquido|total liquido|sem iva|total\W*(de )?iva\b|desconto|incidencia|base|"
        r"produtos|mercadoria|servicos|impostos|tributos",
        "tax_id": r"cliente|adquirente|v\W*contribuinte",
    },
    clauses="artigo cláusula anexo",
    fields={
        "vendor": "fornecedor, vendedor, emitente, prestador, prestador de serviços",
        "address": "endereço, morada",
        "customer": "faturar a, faturado a, exmo sr, exmos srs, exmo(s) sr(s), cliente, destinatário,"
        " adquirente, comprador, tomador",
        "invoice_number": "número da fatura, n da fatura, no da fatura, fatura número, fatura n, fatura no,"
        " fatura recibo n, nota fiscal n, nota fiscal no, nº nota fiscal, factura n,"
        " factura no, documento n, documento no; fatura, factura, nota fiscal",
        "receipt_number": "recibo n, recibo no, talão n",
        "credit_note_number": "nota de crédito n, nota de crédito no; nota de crédito",
        "invoice_date": "data da fatura, data de emissão, data da emissão, data emissão, data fatura, emitida"
        " em, emitido em; data",
        "date": "data de emissão, data",
        "due_date": "data de vencimento, data vencimento, data do vencimento, data limite de pagamento, pagar"
        " até, vence em, pagamento até, vencimento",
        "delivery_date": "data de entrega, data da entrega",
        "order_date": "data da encomenda, data do pedido",
        "po_number": "número do pedido, n do pedido, número da encomenda, n encomenda, no encomenda,"
        " encomenda n, ordem de compra, vossa encomenda, v encomenda, pedido n, encomenda",
        "customer_number": "número de cliente, número do cliente, n cliente, no cliente, código do cliente,"
        " cód cliente, cliente n",
        "tax_id": "número de contribuinte, n contribuinte, no contribuinte, contribuinte n, contribuinte,"
        " nipc, nif, cnpj, n de identificação fiscal",
        "registration_number": "matrícula, conservatória do registo comercial",
        "currency": "moeda",
        "subtotal": "total ilíquido, base tributável, valor líquido, total líquido, total sem iva, base de"
        " incidência, incidência, valor sem iva, total dos produtos, total mercadoria",
        "tax_rate": "taxa de iva, taxa iva, taxa, iva",
        "tax": "valor do iva, valor iva, total iva, total de iva, montante de iva, imposto, iva",
        "discount": "desconto, descontos",
        "shipping": "portes, portes de envio, frete, valor do frete",
        "total": "total a pagar, valor a pagar, a pagar, total da fatura, total do documento, total com iva,"
        " valor total da nota, valor total, total geral, montante total, total documento; total eur;"
        " total",
        "amount_paid": "pago, valor pago, adiantamento",
        "payment_method": "forma de pagamento, meio de pagamento, modo de pagamento, método de pagamento",
        "payment_terms": "condições de pagamento, condição de pagamento, cond pagamento",
        "cashier": "operador, caixa",
        "email": "correio eletrónico",
        "phone": "telefone",
    },
    kinds={
        "Credit note": "nota de crédito",
        "Invoice": "fatura, factura, nota fiscal",
        "Purchase order": "nota de encomenda",
        "Delivery note": "guia de remessa",
        "Quote": "orçamento",
        "Statement": "extrato",
        "Contract": "contrato",
    },
    label_words="currency moeda",
    table_ends="total* subtotal* iva base_tributavel* valor_total*",
    streets="rua avenida av praça travessa estrada",
    company_forms="lda ltda sa unipessoal",
)
