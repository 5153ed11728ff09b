package dev.understudy.standin.value;

import dev.understudy.standin.value.ValueModel.NumberModel;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;

/** Learns in which range the numbers of one place lie. The ends are rounded, so that neither is one of them. */
final class NumberLearner {
    private static final int DIGITS = 2;
    private static final int MOST_DECIMALS = 9;
    /** Beyond this a number says more of its place than of its size, and would make endless texts. */
    private static final BigDecimal MOST = BigDecimal.valueOf(1e18);

    private final DistinctValues distinct = new DistinctValues();
    private BigDecimal least = MOST;
    private BigDecimal largest = MOST.negate();
    private int decimals;

    void add(BigDecimal number) {
        BigDecimal bounded = number.min(MOST).max(MOST.negate());
        least = least.min(bounded);
        largest = largest.max(bounded);
        if (bounded.scale() > decimals) {
            decimals = Math.min(
                    MOST_DECIMALS, Math.max(0, bounded.stripTrailingZeros().scale()));
        }
        distinct.add(bounded.hashCode());
    }

    void addAll(NumberLearner other) {
        least = least.min(other.least);
        largest = largest.max(other.largest);
        decimals = Math.max(decimals, other.decimals);
        distinct.addAll(other.distinct);
    }

    NumberModel model() {
        if (least.compareTo(largest) > 0) {
            return new NumberModel(0, 0, 0, 1);
        }
        return new NumberModel(
                least.round(new MathContext(DIGITS, RoundingMode.FLOOR)).doubleValue(),
                largest.round(new MathContext(DIGITS, RoundingMode.CEILING)).doubleValue(),
                decimals,
                distinct.count());
    }
}
