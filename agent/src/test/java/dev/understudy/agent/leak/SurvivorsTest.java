package dev.understudy.agent.leak;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

final class SurvivorsTest {
    private final List<Object> kept = new ArrayList<>();

    @Test
    void objectsThatStay_tellWhereTheyAreMade_thoseThatGoDont() {
        Survivors survivors = survivors();
        for (int count = 0; count < 4; count++) {
            for (int i = 0; i < 300; i++) {
                keep(survivors);
                drop(survivors);
                drop(survivors);
                drop(survivors);
            }
            collect();
            survivors.counted();
            assertThat(survivors.sites()).as("count %s", count).hasSize(count < 2 ? 0 : 1);
        }
        UseSite site = survivors.sites().get(0);
        assertThat(site.methods().get(0)).isEqualTo(SurvivorsTest.class.getName() + "#keep");
        assertThat(site.part()).isEqualTo(1);
        assertThat(site.sampled()).isEqualTo(4 * Origin.FRESH);
        assertThat(site.survived()).as("of the last two nobody knows").isEqualTo(2 * Origin.FRESH);
        assertThat(site.stack().get(0)).contains("SurvivorsTest.keep(SurvivorsTest.java:");

        kept.clear();
        collect();
        survivors.counted();
        assertThat(survivors.sites()).as("what goes later is none that stays").isEmpty();
    }

    @Test
    void aSite_hasThePartThatItsSamplesStandFor_howeverManyWereTaken() {
        Survivors survivors = survivors();
        for (int i = 0; i < 128; i++) {
            keep(survivors); // one in four is told at first, and then each, since those are few
        }
        survivors.counted();
        for (int i = 0; i < Survivors.MOST_LOOKS; i++) {
            keepMore(survivors);
        }
        for (int i = 0; i < 100; i++) {
            keep(survivors); // too many, each of them for 16, so that those before stand for them
        }
        survivors.counted();
        survivors.counted();
        survivors.counted();

        List<UseSite> sites = survivors.sites();
        assertThat(sites)
                .extracting(site -> site.methods().get(0))
                .containsExactly(SurvivorsTest.class.getName() + "#keepMore", SurvivorsTest.class.getName() + "#keep");
        double more = Survivors.MOST_LOOKS + 16 * 100;
        assertThat(sites.get(1).part())
                .isCloseTo(128.0 * Survivors.FIRST_PERIOD / (128 * Survivors.FIRST_PERIOD + more), within(1e-9));
        assertThat(sites.get(1).sampled()).isEqualTo(Origin.FRESH);
    }

    @Test
    void aPlaceThatMakesOneObjectInAThousand_isFoundIfThoseStay() {
        Survivors survivors = survivors();
        for (int count = 0; count < 5; count++) {
            for (int i = 0; i < 4000; i++) {
                drop(survivors);
                if (i % 1000 == 0) {
                    keep(survivors);
                }
            }
            collect();
            survivors.counted();
        }

        assertThat(survivors.sites()).singleElement().satisfies(site -> {
            assertThat(site.methods().get(0)).isEqualTo(SurvivorsTest.class.getName() + "#keep");
            assertThat(site.survived()).isEqualTo(3 * 4);
            assertThat(site.sampled()).isEqualTo(5 * 4);
        });
    }

    @Test
    void whatGoesSoon_takesNothingFromWhatStays() {
        Survivors survivors = survivors();
        for (int i = 0; i < 10; i++) {
            keep(survivors);
        }
        survivors.counted();
        kept.clear();
        collect();
        for (int i = 0; i < 10; i++) {
            keep(survivors);
        }
        for (int count = 0; count < 4; count++) {
            survivors.counted();
        }

        assertThat(survivors.sites())
                .singleElement()
                .satisfies(site -> assertThat(site.survived()).isEqualTo(10));
    }

    @Test
    void ofManySites_thoseWithTheMostAreTold() {
        Survivors survivors = survivors();
        List<Runnable> places =
                List.of(() -> keep(survivors), () -> keep(survivors), () -> keep(survivors), () -> keep(survivors));
        for (int place = 0; place < places.size(); place++) {
            for (int i = 0; i < 8 * (place + 1); i++) {
                places.get(place).run();
            }
        }
        for (int count = 0; count < 4; count++) {
            survivors.counted();
        }

        assertThat(survivors.sites()).extracting(UseSite::survived).containsExactly(32L, 24L, 16L);
    }

    @Test
    void aSite_isWhoeverCalledTheConstructor() {
        Survivors survivors = new Survivors(
                Telling.class.getName(),
                type -> type == SurvivorsTest.class || type == Telling.class,
                type -> false,
                new ThreadGroup("agent"));
        kept.add(new Telling(survivors));
        for (int count = 0; count < 4; count++) {
            survivors.counted();
        }

        assertThat(survivors.sites())
                .singleElement()
                .satisfies(site -> assertThat(site.methods())
                        .containsExactly(SurvivorsTest.class.getName() + "#aSite_isWhoeverCalledTheConstructor"));
    }

    @Test
    void whatTheAgentMakes_isNotItsCallers() {
        Survivors survivors = survivors();
        for (int i = 0; i < 3; i++) {
            Agents.make(survivors, kept);
            keep(survivors);
        }
        for (int count = 0; count < 4; count++) {
            survivors.counted();
        }

        assertThat(survivors.sites())
                .allSatisfy(site -> assertThat(site.part()).isEqualTo(0.5))
                .extracting(UseSite::methods)
                .containsExactlyInAnyOrder(
                        List.of(),
                        List.of(
                                SurvivorsTest.class.getName() + "#keep",
                                SurvivorsTest.class.getName() + "#whatTheAgentMakes_isNotItsCallers"));
    }

    private static Survivors survivors() {
        return new Survivors(
                Thing.class.getName(), SurvivorsTest.class::equals, Agents.class::equals, new ThreadGroup("agent"));
    }

    @Test
    void subclasses_andTheAgentsOwnThreads_dontCount() throws Exception {
        Survivors survivors = survivors();
        Survivors own = new Survivors(
                Thing.class.getName(),
                SurvivorsTest.class::equals,
                Agents.class::equals,
                Objects.requireNonNull(Thread.currentThread().getThreadGroup()));
        for (int count = 0; count < 4; count++) {
            for (int i = 0; i < 10; i++) {
                kept.add(new Thing() {});
                survivors.made(kept.get(kept.size() - 1));
                kept.add(new Thing());
                own.made(kept.get(kept.size() - 1));
            }
            survivors.counted();
            own.counted();
        }
        assertThat(survivors.sites()).isEmpty();
        assertThat(own.sites()).isEmpty();
    }

    private void keep(Survivors survivors) {
        Thing thing = new Thing();
        kept.add(thing);
        survivors.made(thing);
    }

    private void keepMore(Survivors survivors) {
        Thing thing = new Thing();
        kept.add(thing);
        survivors.made(thing);
    }

    private static void drop(Survivors survivors) {
        survivors.made(new Thing());
    }

    private static void collect() {
        WeakReference<Object> gone = new WeakReference<>(new Object());
        do {
            System.gc(); // once at least: what isn't old may go before what is
        } while (gone.get() != null);
    }

    /** What is made. */
    private static class Thing {}

    /** Classes of the agent. */
    private static final class Agents {
        static void make(Survivors survivors, List<Object> kept) {
            Thing thing = new Thing();
            kept.add(thing);
            survivors.made(thing);
        }
    }

    /** Tells of itself, as if woven. */
    private static final class Telling {
        Telling(Survivors survivors) {
            survivors.made(this);
        }
    }
}
