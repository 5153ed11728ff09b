package dev.understudy.agent.leak;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class SurvivorsBoundsTest {
    private final List<Object> kept = new ArrayList<>();
    private final Survivors survivors =
            new Survivors(Object.class.getName(), Paths.class::equals, type -> false, new ThreadGroup("a"));

    @Test
    void beyondAThousandSites_noneIsToldFromTheOthers() {
        for (String path : paths(Survivors.MOST_ORIGINS)) {
            along(path, this::keep);
        }
        for (int i = 0; i < Origin.FRESH; i++) {
            along("9876543", this::keep);
        }
        count(4);

        UseSite first = survivors.sites().get(0);
        assertThat(first.survived()).isEqualTo(Origin.FRESH);
        assertThat(first.methods()).isEmpty();
    }

    @Test
    void sitesOfWhichNothingIsLeft_makeRoom() {
        for (String path : paths(Survivors.MOST_ORIGINS)) {
            along(path, this::drop);
        }
        collect();
        survivors.counted();
        along("9876543", this::keep);
        count(4);

        assertThat(survivors.sites())
                .singleElement()
                .satisfies(site -> assertThat(site.methods()).isNotEmpty());
    }

    private static List<String> paths(int count) {
        return IntStream.range(1000, 10_000)
                .mapToObj(String::valueOf)
                .filter(path -> path.chars().distinct().count() == path.length())
                .limit(count)
                .toList();
    }

    @Test
    void beyondSomeObjectsOfASite_theEldestAreFollowedNoLonger_andStayAsTheyWereJudged() {
        int counts = 12;
        for (int count = 0; count < counts; count++) {
            for (int i = 0; i < Origin.FRESH; i++) {
                along("0", this::keep);
            }
            survivors.counted();
        }
        assertThat(survivors.sites().get(0).survived())
                .as("all but the last two counts', of which nobody knows")
                .isEqualTo((counts - 2L) * Origin.FRESH);
        kept.clear();
        collect();
        survivors.counted();

        assertThat(survivors.sites())
                .singleElement()
                .satisfies(
                        site -> assertThat(site.survived()).isEqualTo((long) counts * Origin.FRESH - Origin.FOLLOWED));
    }

    @Test
    void ofManyMethods_fiveMakeASite_andOfManyFramesFourteenAreTold() {
        along("0123456789", this::keep);
        count(4);

        UseSite site = survivors.sites().get(0);
        assertThat(site.methods()).hasSize(5).first().isEqualTo(Paths.class.getName() + "#nine");
        assertThat(site.stack()).hasSize(14);
    }

    @Test
    void whatIsFarBelowTheConstructor_isNotLookedAt() {
        along("0", () -> deep(80, this::keep));
        count(4);

        assertThat(survivors.sites())
                .singleElement()
                .satisfies(site -> assertThat(site.methods()).isEmpty());
    }

    @Test
    void onceThereAreEnoughStacks_fewerObjectsAreLookedAt() {
        double before = distance();
        for (int i = 0; i < Survivors.MOST_LOOKS; i++) {
            drop();
        }

        assertThat(distance()).isGreaterThan(8 * before);
    }

    @Test
    void howeverManyAreMade_someAreLookedAt() {
        for (int count = 0; count < 4; count++) {
            for (int i = 0; i < 100_000; i++) {
                drop();
            }
            survivors.counted();
        }

        assertThat(distance()).isBetween(0.5 * Survivors.LONGEST_PERIOD, 1.5 * Survivors.LONGEST_PERIOD);
    }

    private double distance() {
        return IntStream.range(0, 2000).map(i -> survivors.next()).average().orElse(0);
    }

    private void count(int times) {
        for (int i = 0; i < times; i++) {
            survivors.counted();
        }
    }

    private void keep() {
        Object made = new Object();
        kept.add(made);
        survivors.made(made);
    }

    private void drop() {
        survivors.made(new Object());
    }

    private static void deep(int more, Runnable end) {
        if (more > 0) {
            deep(more - 1, end);
        } else {
            end.run();
        }
    }

    private static void along(String path, Runnable end) {
        if (path.isEmpty()) {
            end.run();
        } else {
            Paths.ALL.get(path.charAt(0) - '0').accept(() -> along(path.substring(1), end));
        }
    }

    private static void collect() {
        WeakReference<Object> gone = new WeakReference<>(new Object());
        do {
            System.gc(); // once at least: what isn't old may go before what is
        } while (gone.get() != null);
    }

    /** The application, with a method for each digit. */
    private static final class Paths {
        static final List<Consumer<Runnable>> ALL = List.of(
                Paths::zero,
                Paths::one,
                Paths::two,
                Paths::three,
                Paths::four,
                Paths::five,
                Paths::six,
                Paths::seven,
                Paths::eight,
                Paths::nine);

        static void zero(Runnable next) {
            next.run();
        }

        static void one(Runnable next) {
            next.run();
        }

        static void two(Runnable next) {
            next.run();
        }

        static void three(Runnable next) {
            next.run();
        }

        static void four(Runnable next) {
            next.run();
        }

        static void five(Runnable next) {
            next.run();
        }

        static void six(Runnable next) {
            next.run();
        }

        static void seven(Runnable next) {
            next.run();
        }

        static void eight(Runnable next) {
            next.run();
        }

        static void nine(Runnable next) {
            next.run();
        }
    }
}
