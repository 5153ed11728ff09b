package dev.understudy.example.pricing;

import java.math.BigDecimal;

/** A currency that we sell in, with what one euro buys of it. */
enum Currency {
    EUR("1"),
    USD("1.0825"),
    GBP("0.8560"),
    CHF("0.9430");

    private final BigDecimal rate;

    Currency(String rate) {
        this.rate = new BigDecimal(rate);
    }

    BigDecimal rate() {
        return rate;
    }
}
