package dev.understudy.sidecar.suspect;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/** How much each kind of evidence counts; {@code weights.properties} says how the numbers were found. Immutable. */
final class RankingWeights {
    private static final RankingWeights LEARNED = read("weights.properties");

    private final double[] weights;

    private RankingWeights(double[] weights) {
        this.weights = weights;
    }

    /** Those of the file in this package. */
    static RankingWeights learned() {
        return LEARNED;
    }

    /**
     * These, in the order of {@link MethodEvidence#NAMES}.
     *
     * @throws IllegalArgumentException if they are too many or too few
     */
    static RankingWeights of(double... weights) {
        if (weights.length != MethodEvidence.NAMES.length) {
            throw new IllegalArgumentException(
                    weights.length + " weights (expected: " + MethodEvidence.NAMES.length + ")");
        }
        return new RankingWeights(weights.clone());
    }

    private static RankingWeights read(String name) {
        Properties properties = new Properties();
        try (InputStream in = RankingWeights.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException(name + ": missing (expected: in the sidecar's jar)");
            }
            properties.load(in);
        } catch (IOException problem) {
            throw new UncheckedIOException(problem);
        }
        double[] weights = new double[MethodEvidence.NAMES.length];
        for (int i = 0; i < weights.length; i++) {
            weights[i] = Double.parseDouble(properties.getProperty(MethodEvidence.NAMES[i], "0"));
        }
        return of(weights);
    }

    /** The weighted sum. */
    double score(MethodEvidence evidence) {
        double[] values = evidence.values();
        double sum = 0;
        for (int i = 0; i < values.length; i++) {
            sum += weights[i] * values[i];
        }
        return sum;
    }
}
