package dev.understudy.example.pricing;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.stream.Collectors;

/** List prices in euro cents by stock keeping unit. */
final class PriceBook {
    private final Map<String, Long> cents;

    PriceBook(Map<String, Long> cents) {
        this.cents = Map.copyOf(cents);
    }

    /** The price list inside the jar: lines of {@code sku,cents}. */
    static PriceBook bundled() {
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(
                Objects.requireNonNull(PriceBook.class.getResourceAsStream("prices.csv")), StandardCharsets.UTF_8))) {
            return new PriceBook(lines.lines()
                    .skip(1)
                    .map(line -> line.split(",", -1))
                    .collect(Collectors.toMap(cells -> cells[0], cells -> Long.parseLong(cells[1]))));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    OptionalLong cents(String sku) {
        Long price = cents.get(sku);
        return price == null ? OptionalLong.empty() : OptionalLong.of(price);
    }
}
