package dev.understudy.example.orders.quote;

/** What pricing answered; amounts are in the smallest unit of the currency. */
record Quote(String sku, int quantity, String currency, long unit, int discountPercent, long total) {}
