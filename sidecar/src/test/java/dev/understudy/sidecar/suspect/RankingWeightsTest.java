package dev.understudy.sidecar.suspect;

import java.io.InputStream;
import java.util.Arrays;
import java.util.Properties;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class RankingWeightsTest {
    @Test
    void theFileHasAWeightForEachEvidence_andNoOther() throws Exception {
        Properties properties = new Properties();
        try (InputStream in = RankingWeights.class.getResourceAsStream("weights.properties")) {
            properties.load(in);
        }

        assertThat(properties.stringPropertyNames()).containsExactlyInAnyOrder(MethodEvidence.NAMES);
    }

    @Test
    void theScoreIsTheWeightedSum() {
        double[] weights = new double[MethodEvidence.NAMES.length];
        weights[0] = 2;
        weights[weights.length - 1] = -1;
        MethodEvidence evidence = new MethodEvidence(0.5, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0.25);

        assertThat(RankingWeights.of(weights).score(evidence)).isEqualTo(0.75);
        assertThat(evidence.values()).hasSameSizeAs(MethodEvidence.NAMES);
        assertThatThrownBy(() -> RankingWeights.of(Arrays.copyOf(weights, 3)))
                .hasMessageContaining("3 weights (expected: 13)");
    }
}
