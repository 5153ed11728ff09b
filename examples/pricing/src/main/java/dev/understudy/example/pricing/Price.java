package dev.understudy.example.pricing;

import java.math.BigDecimal;
import java.math.RoundingMode;

/** What a quantity costs, in the smallest unit of the currency; rounded once, at the end. */
record Price(String sku, int quantity, Currency currency, long unit, int discountPercent, long total) {
    private static final BigDecimal HUNDRED = BigDecimal.valueOf(100);

    static Price of(String sku, long unitCents, int quantity, Currency currency) {
        int percent = Tier.of(quantity).percent();
        BigDecimal exactUnit = BigDecimal.valueOf(unitCents).multiply(currency.rate());
        BigDecimal exactTotal = exactUnit
                .multiply(BigDecimal.valueOf(quantity))
                .multiply(BigDecimal.valueOf(100L - percent))
                .divide(HUNDRED);
        return new Price(sku, quantity, currency, rounded(exactUnit), percent, rounded(exactTotal));
    }

    private static long rounded(BigDecimal amount) {
        return amount.setScale(0, RoundingMode.HALF_UP).longValueExact();
    }

    String json() {
        return String.format(
                "{\"sku\":%s,\"quantity\":%d,\"currency\":\"%s\",\"unit\":%d,\"discountPercent\":%d,\"total\":%d}",
                Json.quoted(sku), quantity, currency, unit, discountPercent, total);
    }
}
