/**
 * The example's second service: says what a quantity of a product costs in a currency.
 *
 * <pre>
 * GET /price?sku=…&amp;quantity=…&amp;currency=…  ─▶ PriceEndpoint ─▶ Price.of(PriceBook, Tier, Currency) ─▶ JSON
 * </pre>
 */
@NullMarked
package dev.understudy.example.pricing;

import org.jspecify.annotations.NullMarked;
