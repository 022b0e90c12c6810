/** Where each syntax keeps the terms of EN 16931: a path of elements in UBL, where OIOUBL differs, and in CII. */

/** A term with its paths: in UBL, where OIOUBL differs, and in CII; `a|b` are alternatives, the first that exists is read. */
export type Row = readonly [
  term: string,
  paths: { readonly ubl?: string; readonly oioubl?: string; readonly cii?: string },
];

export const DOCUMENT: readonly Row[] = [
  ["BT-1", { ubl: "ID", cii: "ExchangedDocument/ID" }],
  ["BT-2", { ubl: "IssueDate", cii: "ExchangedDocument/IssueDateTime/DateTimeString" }],
  ["BT-3", { ubl: "InvoiceTypeCode|CreditNoteTypeCode", cii: "ExchangedDocument/TypeCode" }],
  ["BT-5", { ubl: "DocumentCurrencyCode", cii: "$settlement/InvoiceCurrencyCode" }],
  ["BT-6", { ubl: "TaxCurrencyCode", cii: "$settlement/TaxCurrencyCode" }],
  [
    "BT-9",
    {
      ubl: "DueDate|PaymentMeans/PaymentDueDate",
      cii: "$settlement/SpecifiedTradePaymentTerms/DueDateDateTime/DateTimeString",
    },
  ],
  [
    "BT-10",
    {
      ubl: "BuyerReference",
      oioubl: "AccountingCustomerParty/Party/Contact/ID",
      cii: "$agreement/BuyerReference",
    },
  ],
  [
    "BT-13",
    { ubl: "OrderReference/ID", cii: "$agreement/BuyerOrderReferencedDocument/IssuerAssignedID" },
  ],
  [
    "BT-19",
    { ubl: "AccountingCost", cii: "$settlement/ReceivableSpecifiedTradeAccountingAccount/ID" },
  ],
  [
    "BT-20",
    { ubl: "PaymentTerms/Note", cii: "$settlement/SpecifiedTradePaymentTerms/Description" },
  ],
  ["BT-22", { ubl: "Note", cii: "ExchangedDocument/IncludedNote/Content" }],
  [
    "BT-23",
    {
      ubl: "ProfileID",
      cii: "ExchangedDocumentContext/BusinessProcessSpecifiedDocumentContextParameter/ID",
    },
  ],
  [
    "BT-24",
    {
      ubl: "CustomizationID",
      cii: "ExchangedDocumentContext/GuidelineSpecifiedDocumentContextParameter/ID",
    },
  ],
  [
    "BT-25",
    {
      ubl: "BillingReference/InvoiceDocumentReference/ID",
      cii: "$settlement/InvoiceReferencedDocument/IssuerAssignedID",
    },
  ],
  [
    "BT-26",
    {
      ubl: "BillingReference/InvoiceDocumentReference/IssueDate",
      cii: "$settlement/InvoiceReferencedDocument/FormattedIssueDateTime/DateTimeString",
    },
  ],
  [
    "BT-72",
    {
      ubl: "Delivery/ActualDeliveryDate",
      cii: "$delivery/ActualDeliverySupplyChainEvent/OccurrenceDateTime/DateTimeString",
    },
  ],
  [
    "BT-73",
    {
      ubl: "InvoicePeriod/StartDate",
      cii: "$settlement/BillingSpecifiedPeriod/StartDateTime/DateTimeString",
    },
  ],
  [
    "BT-74",
    {
      ubl: "InvoicePeriod/EndDate",
      cii: "$settlement/BillingSpecifiedPeriod/EndDateTime/DateTimeString",
    },
  ],
  [
    "BT-80",
    {
      ubl: "Delivery/DeliveryLocation/Address/Country/IdentificationCode",
      cii: "$delivery/ShipToTradeParty/PostalTradeAddress/CountryID",
    },
  ],
];

/** The terms of a party: number in the seller, number in the buyer, and where. */
export const PARTY: readonly (readonly [seller: string, buyer: string, paths: Row[1]])[] = [
  [
    "BT-28",
    "BT-45",
    { ubl: "PartyName/Name", cii: "SpecifiedLegalOrganization/TradingBusinessName" },
  ],
  ["BT-27", "BT-44", { ubl: "PartyLegalEntity/RegistrationName", cii: "Name" }],
  ["BT-29", "BT-46", { ubl: "PartyIdentification/ID", cii: "GlobalID|ID" }],
  ["BT-30", "BT-47", { ubl: "PartyLegalEntity/CompanyID", cii: "SpecifiedLegalOrganization/ID" }],
  ["BT-31", "BT-48", { ubl: "PartyTaxScheme/CompanyID", cii: "SpecifiedTaxRegistration/ID" }],
  ["BT-34", "BT-49", { ubl: "EndpointID", cii: "URIUniversalCommunication/URIID" }],
  ["BT-35", "BT-50", { ubl: "PostalAddress/StreetName", cii: "PostalTradeAddress/LineOne" }],
  ["BT-38", "BT-53", { ubl: "PostalAddress/PostalZone", cii: "PostalTradeAddress/PostcodeCode" }],
  ["BT-37", "BT-52", { ubl: "PostalAddress/CityName", cii: "PostalTradeAddress/CityName" }],
  [
    "BT-40",
    "BT-55",
    { ubl: "PostalAddress/Country/IdentificationCode", cii: "PostalTradeAddress/CountryID" },
  ],
  ["BT-41", "BT-56", { ubl: "Contact/Name", cii: "DefinedTradeContact/PersonName" }],
  [
    "BT-42",
    "BT-57",
    {
      ubl: "Contact/Telephone",
      cii: "DefinedTradeContact/TelephoneUniversalCommunication/CompleteNumber",
    },
  ],
  [
    "BT-43",
    "BT-58",
    {
      ubl: "Contact/ElectronicMail",
      cii: "DefinedTradeContact/EmailURIUniversalCommunication/URIID",
    },
  ],
];

export const PAYMENT: readonly Row[] = [
  [
    "BT-81",
    {
      ubl: "PaymentMeans/PaymentMeansCode",
      cii: "$settlement/SpecifiedTradeSettlementPaymentMeans/TypeCode",
    },
  ],
  [
    "BT-83",
    {
      ubl: "PaymentMeans/PaymentID",
      oioubl: "PaymentMeans/InstructionID|PaymentMeans/PaymentID",
      cii: "$settlement/PaymentReference",
    },
  ],
  [
    "BT-84",
    {
      ubl: "PaymentMeans/PayeeFinancialAccount/ID",
      oioubl: "PaymentMeans/PayeeFinancialAccount/ID|PaymentMeans/CreditAccount/AccountID",
      cii: "$account/IBANID|$account/ProprietaryID",
    },
  ],
  [
    "BT-86",
    {
      ubl: "PaymentMeans/PayeeFinancialAccount/FinancialInstitutionBranch/ID",
      oioubl:
        "PaymentMeans/PayeeFinancialAccount/FinancialInstitutionBranch/FinancialInstitution/ID|PaymentMeans/PayeeFinancialAccount/FinancialInstitutionBranch/ID",
      cii: "$settlement/SpecifiedTradeSettlementPaymentMeans/PayeeSpecifiedCreditorFinancialInstitution/BICID",
    },
  ],
];

/** OIOUBL keeps the VAT in TaxExclusiveAmount, and the net total only as the total of the lines. */
export const TOTALS: readonly Row[] = [
  ["BT-106", { ubl: "LegalMonetaryTotal/LineExtensionAmount", cii: "$sums/LineTotalAmount" }],
  [
    "BT-109",
    {
      ubl: "LegalMonetaryTotal/TaxExclusiveAmount",
      oioubl: "LegalMonetaryTotal/LineExtensionAmount",
      cii: "$sums/TaxBasisTotalAmount",
    },
  ],
  [
    "BT-110",
    {
      ubl: "TaxTotal/TaxAmount",
      oioubl: "LegalMonetaryTotal/TaxExclusiveAmount",
      cii: "$sums/TaxTotalAmount",
    },
  ],
  ["BT-112", { ubl: "LegalMonetaryTotal/TaxInclusiveAmount", cii: "$sums/GrandTotalAmount" }],
  ["BT-115", { ubl: "LegalMonetaryTotal/PayableAmount", cii: "$sums/DuePayableAmount" }],
];

export const VAT: readonly Row[] = [
  ["BT-118", { ubl: "TaxCategory/ID", cii: "CategoryCode" }],
  ["BT-119", { ubl: "TaxCategory/Percent", cii: "RateApplicablePercent" }],
  ["BT-116", { ubl: "TaxableAmount", cii: "BasisAmount" }],
  ["BT-117", { ubl: "TaxAmount", cii: "CalculatedAmount" }],
  ["BT-120", { ubl: "TaxCategory/TaxExemptionReason", cii: "ExemptionReason" }],
  ["BT-121", { ubl: "TaxCategory/TaxExemptionReasonCode", cii: "ExemptionReasonCode" }],
];

export const LINE: readonly Row[] = [
  ["BT-126", { ubl: "ID", cii: "AssociatedDocumentLineDocument/LineID" }],
  ["BT-153", { ubl: "Item/Name", cii: "SpecifiedTradeProduct/Name" }],
  ["BT-154", { ubl: "Item/Description", cii: "SpecifiedTradeProduct/Description" }],
  [
    "BT-155",
    { ubl: "Item/SellersItemIdentification/ID", cii: "SpecifiedTradeProduct/SellerAssignedID" },
  ],
  [
    "BT-129",
    { ubl: "InvoicedQuantity|CreditedQuantity", cii: "SpecifiedLineTradeDelivery/BilledQuantity" },
  ],
  [
    "BT-146",
    {
      ubl: "Price/PriceAmount",
      cii: "SpecifiedLineTradeAgreement/NetPriceProductTradePrice/ChargeAmount",
    },
  ],
  ["BT-137", { ubl: "AllowanceCharge/BaseAmount", cii: "$allowance/BasisAmount" }],
  [
    "BT-138",
    { ubl: "AllowanceCharge/MultiplierFactorNumeric", cii: "$allowance/CalculationPercent" },
  ],
  ["BT-136", { ubl: "AllowanceCharge/Amount", cii: "$allowance/ActualAmount" }],
  ["BT-131", { ubl: "LineExtensionAmount", cii: "$line/$sum/LineTotalAmount" }],
  ["BT-134", { ubl: "InvoicePeriod/StartDate", cii: "$line/$period/StartDateTime/DateTimeString" }],
  ["BT-135", { ubl: "InvoicePeriod/EndDate", cii: "$line/$period/EndDateTime/DateTimeString" }],
  [
    "BT-151",
    {
      ubl: "Item/ClassifiedTaxCategory/ID",
      oioubl: "TaxTotal/TaxSubtotal/TaxCategory/ID",
      cii: "$line/ApplicableTradeTax/CategoryCode",
    },
  ],
  [
    "BT-152",
    {
      ubl: "Item/ClassifiedTaxCategory/Percent",
      oioubl: "TaxTotal/TaxSubtotal/TaxCategory/Percent",
      cii: "$line/ApplicableTradeTax/RateApplicablePercent",
    },
  ],
];

/** The long names of CII. */
export const ABBREVIATIONS: Readonly<Record<string, string>> = {
  $agreement: "SupplyChainTradeTransaction/ApplicableHeaderTradeAgreement",
  $delivery: "SupplyChainTradeTransaction/ApplicableHeaderTradeDelivery",
  $settlement: "SupplyChainTradeTransaction/ApplicableHeaderTradeSettlement",
  $account:
    "SupplyChainTradeTransaction/ApplicableHeaderTradeSettlement/SpecifiedTradeSettlementPaymentMeans/PayeePartyCreditorFinancialAccount",
  $sums:
    "SupplyChainTradeTransaction/ApplicableHeaderTradeSettlement/SpecifiedTradeSettlementHeaderMonetarySummation",
  $allowance: "SpecifiedLineTradeSettlement/SpecifiedTradeAllowanceCharge",
  $line: "SpecifiedLineTradeSettlement",
  $sum: "SpecifiedTradeSettlementLineMonetarySummation",
  $period: "BillingSpecifiedPeriod",
};
