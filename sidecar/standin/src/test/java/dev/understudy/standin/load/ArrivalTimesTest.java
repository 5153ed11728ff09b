package dev.understudy.standin.load;

import dev.understudy.standin.model.TestModels;
import dev.understudy.standin.value.Quantiles;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class ArrivalTimesTest {
    private static double[] gapsMillis(Quantiles gaps, double perSecond, int count) {
        ArrivalTimes times = new ArrivalTimes(gaps, perSecond, count + 1, new SplittableRandom(1));
        double[] millis = new double[count];
        long last = times.next();
        assertThat(last).isZero();
        for (int i = 0; i < count; i++) {
            long next = times.next();
            millis[i] = (next - last) / 1e6;
            last = next;
        }
        return millis;
    }

    @Test
    void rate_isAsWantedAndBurstsStay() {
        double[] gaps = gapsMillis(TestModels.POISSON, 500, 999);

        assertThat(Arrays.stream(gaps).sum()).isBetween(1950.0, 2000.0);
        Arrays.sort(gaps);
        assertThat(gaps[499]).isBetween(1.2, 1.6);
        assertThat(gaps[899]).isBetween(4.0, 5.2);
    }

    @Test
    void laterBlocks_goOn() {
        assertThat(Arrays.stream(gapsMillis(TestModels.POISSON, 1000, 25_000)).sum())
                .isBetween(24_990.0, 25_010.0);
    }

    @Test
    void noGapsAtAll_areEven() {
        assertThat(gapsMillis(Quantiles.always(0), 100, 5)).containsOnly(10);
    }
}
