package dev.understudy.testing.client;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How the two replies to one request compare.
 *
 * @param exchange its number, from 1, in the order of arrival
 * @param request such as {@code GET /orders/7}
 * @param kind {@code SAME}, {@code EQUIVALENT}, {@code DIFFERENT} or {@code NOT_COMPARED}
 * @param reason why it wasn't compared; null if it was
 * @param differences those that count, without noise
 * @param calls how debug's upstream calls differ from production's
 */
public record ExchangeVerdict(
        long exchange,
        String request,
        String kind,
        @Nullable String reason,
        List<ValueDifference> differences,
        List<CallChange> calls) {
    public ExchangeVerdict {
        differences = List.copyOf(differences);
        calls = List.copyOf(calls);
    }
}
