package dev.understudy.agent.budget;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The controller beside the best fixed rate, in a service of which all is known: one request after the other, 200 a
 * second without probes, forty methods that are called between once and some thousands of times by each. No clock is
 * read.
 */
@Tag("any-jdk")
final class ControlledWindowTest {
    private static final double CAPACITY = 200;
    private static final double WINDOW = 2 * CAPACITY;
    private static final double SAMPLE = 300e-9;
    private static final double COUNT = 2e-9;
    private static final int METHODS = 40;
    private static final double TICK = 0.1;
    private static final int TICKS = 600;
    private static final int PARTS = 50;

    private final double[] calls = new double[METHODS];

    ControlledWindowTest() {
        for (int method = 0; method < METHODS; method++) {
            calls[method] = Math.pow(3, Math.floor(method / 4.0));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "constant, 0.3",
        "constant, 0.6",
        "constant, 0.9",
        "bursty, 0.3",
        "bursty, 0.6",
        "bursty, 0.9",
        "growing, 0.3",
        "growing, 0.6",
        "growing, 0.9"
    })
    void theController_keepsTheWindowOpen_andSeesNineTenthsOfWhatTheBestFixedRateDoes(String shape, double share) {
        double adaptive = run(shape, share, 0);
        double best = Double.NaN;
        int oneIn = 1;
        for (; Double.isNaN(best); oneIn *= 2) {
            best = run(shape, share, oneIn);
        }

        assertThat(oneIn).as("all calls sampled overflow").isGreaterThan(2);
        assertThat(adaptive)
                .as("not a number if it overflows; best fixed 1/%s", oneIn / 2)
                .isGreaterThan(0.9 * best);
    }

    /** What is learned, Σ log(1 + samples a second); not a number if the window overflows. */
    private double run(String shape, double share, int oneIn) {
        Random random = new Random(5);
        long now = 0;
        Controller controller = new Controller(1, now);
        WaterFilling filling = new WaterFilling();
        double[] part = new double[METHODS];
        double[] samples = new double[METHODS];
        Arrays.fill(part, oneIn == 0 ? 0 : 1.0 / oneIn);
        double pending = 0;
        double owed = 0;
        double rate = 0;
        for (int tick = 0; tick < TICKS; tick++) {
            double servedBefore = 0;
            for (int i = 0; i < PARTS; i++) {
                double step = TICK / PARTS;
                double mean = arrivals(shape, share, (tick + (double) i / PARTS) * TICK) * CAPACITY * step;
                pending += shape.equals("bursty") ? poisson(mean, random) : mean;
                if (pending > WINDOW) {
                    return Double.NaN;
                }
                owed = pending == 0 ? 0 : owed + step / seconds(part);
                double served = Math.min(pending, owed);
                owed -= served;
                pending -= served;
                servedBefore += served;
            }
            for (int method = 0; method < METHODS; method++) {
                samples[method] += servedBefore * calls[method] * part[method];
            }
            rate += 0.5 * (servedBefore / TICK - rate);
            now += (long) (TICK * 1e9);
            if (oneIn == 0) {
                controller.reading(new WindowReading(pending / WINDOW, (long) (pending * seconds(part) * 1e3)), now);
                divide(controller.budget(), rate, filling, part);
            }
        }
        double information = 0;
        for (double all : samples) {
            information += Math.log1p(all / (TICKS * TICK));
        }
        return information;
    }

    private void divide(double budget, double rate, WaterFilling filling, double[] part) {
        double[] weight = new double[METHODS];
        double[] cost = new double[METHODS];
        double[] most = new double[METHODS];
        double[] samples = new double[METHODS];
        double counting = 0;
        for (int method = 0; method < METHODS; method++) {
            weight[method] = 1;
            cost[method] = SAMPLE;
            most[method] = Math.max(1e-9, rate * calls[method]);
            counting += most[method] * COUNT;
        }
        filling.divide(METHODS, weight, cost, new double[METHODS], most, Math.max(0, budget - counting), samples);
        for (int method = 0; method < METHODS; method++) {
            part[method] = budget <= counting ? 0 : samples[method] / most[method];
        }
    }

    /** What a request takes. */
    private double seconds(double[] part) {
        double seconds = 1 / CAPACITY;
        for (int method = 0; method < METHODS; method++) {
            seconds += calls[method] * (COUNT + part[method] * SAMPLE);
        }
        return seconds;
    }

    private static double arrivals(String shape, double share, double now) {
        if (shape.equals("bursty")) {
            return share / 1.2 * (now % 4 < 3.8 ? 1 : 5);
        }
        return shape.equals("growing") ? share * (0.2 + 0.8 * now / (TICKS * TICK)) : share;
    }

    private static int poisson(double mean, Random random) {
        double left = Math.exp(-mean);
        int events = -1;
        for (double product = 1; product > left; product *= random.nextDouble()) {
            events++;
        }
        return events;
    }
}
