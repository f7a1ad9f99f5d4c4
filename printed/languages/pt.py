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
    parties="tenant inquilino locatário arrendatário, landlord senhorio locador arrendador, buyer comprador, seller"
    " vendedor, employer empregador, employee empregado trabalhador, customer cliente clientes, supplier"
    " fornecedor fornecedores, insurer seguradora, bank banco, recipient destinatário, sender remetente",
    meanings="total soma, rent aluguel aluguer renda, deposit caução depósito, pay paga pagam pagar pago pagamento,"
    " sign assinado assinatura assinou, deliver entrega entregue, deadline prazo, interest juros, penalty"
    " multa, roof telhado, damage dano danos, insurance seguro, warranty garantia, heating aquecimento, loan"
    " empréstimo",
    directions="por desde pelo pela de do da a ao para contra com que",
    before="antes até",
    after="depois após",
    universals="todos todas todo toda cada sempre só somente ambos",
    permits="pode podem poderá",
    obliges="deve devem deverá obrigado",
    conditions="caso salvo sem",
    derived="o a os as ou ado ada ados adas ar ção ções mento ável",
    pages="página",
    page_joiners="de",
    documents="documento documentos fatura faturas contrato contratos",
    sources="fonte ver",
    columns={
        "sku": "código, referência, ref, código do artigo, código do produto",
        "description": "descrição, designação, artigo, produto, serviço, item, discriminação",
        "quantity": "quantidade, qtd, qtde, quant, horas",
        "unit": "unidade, un, unid",
        "unit_price": "preço unitário, preço unit, valor unitário, vl unit, vlr unit, preço por unidade, p"
        " unitário, pr unit, preço líquido, tarifa, preço",
        "tax_code": "iva, taxa iva, taxa de iva, imposto",
        "amount": "valor, valor total, total, montante, importância, preço total, total líquido, total"
        " ilíquido, vl total, vlr total, preço com iva, subtotal",
    },
    label_words="currency moeda",
)
