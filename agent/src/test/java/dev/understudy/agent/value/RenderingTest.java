package dev.understudy.agent.value;

import dev.understudy.agent.Fuzz;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.AtomicStampedReference;
import java.util.concurrent.atomic.DoubleAdder;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

@SuppressWarnings({"JdkObsolete", "UnnecessaryStringBuilder"}) // buffers are what is read
final class RenderingTest {
    private final Rendering rendering = new Rendering(new Fields(closed -> {}), new Secrets(List.of()));

    @Test
    void objectsShowTheirFields_withoutAnyOfTheirCode_andWithoutSecrets() {
        Hostile.CALLED.clear();
        String text = rendering.text(new Hostile());
        assertThat(text)
                .startsWith("Hostile{id=7, name=\"tea\", apiToken=[masked], items=[\"one\", 2, \"c\"], map={")
                .contains("\"a\"=1", "\"password\"=[masked]", "own=Hostile$Size{}", "colour=RED")
                .endsWith("self=Hostile{its own part}}")
                .doesNotContain("s3cr3t");
        rendering.text(List.of(new Hostile(), new Hostile.Problem()));
        assertThat(Hostile.CALLED).isEmpty();
    }

    @Test
    void valuesOfTheJdk_areWritten_asFarAsTheyAreKnown() {
        UUID id = new UUID(1, 2);
        assertThat(rendering.text(new Object[] {1, 2.5f, true, null, 'x', new BigDecimal("1.10"), id, new int[3]}))
                .isEqualTo("[1, 2.5, true, null, \"x\", 1.10, " + id + ", int[3]]");
        assertThat(rendering.text(new AtomicInteger(5))).isEqualTo("5");
        assertThat(rendering.text(new Thread())).isEqualTo("Thread{…}");
        assertThat(rendering.text(new IllegalStateException("late")))
                .as("an exception")
                .isEqualTo("IllegalStateException{\"late\"}");
        assertThat(rendering.text(new Hostile.Problem())).contains("makes its message itself");
        assertThat(rendering.text(Collections.unmodifiableList(new ArrayList<>())))
                .as("what may hide a list of the application")
                .isEqualTo("Collections$UnmodifiableRandomAccessList{…}");
        assertThat(rendering.text(new BigDecimal("1e999999"))).isEqualTo("BigDecimal{…}");
    }

    @Test
    void textsThatAreBuilt_areShown_whateverTheirCharacters_andCutLikeOthers() {
        assertThat(rendering.text(new StringBuilder("tea"))).isEqualTo("tea");
        assertThat(rendering.text(List.of(new StringBuffer("tea"), new StringBuilder("茶 and ü"), new StringBuilder())))
                .isEqualTo("[\"tea\", \"茶 and ü\", \"\"]");
        StringBuilder emptied = new StringBuilder("long ago");
        emptied.setLength(4);
        assertThat(rendering.text(emptied)).isEqualTo("long");
        assertThat(rendering.text(new StringBuilder("x".repeat(100_000)))).hasSize(Rendering.LONGEST + 1);
        assertThat(rendering.text(List.of(new StringBuffer("ü".repeat(100_000)))))
                .isEqualTo("[\"" + "ü".repeat(Rendering.LONGEST_TEXT) + "…\"]");
        assertThat(rendering.text(new StringBuilder("user=anna&password=hunter2")))
                .doesNotContain("hunter2");
    }

    @Test
    @Timeout(60)
    void aBufferThatAnotherThreadHasLocked_isShownWithoutWaiting() throws Exception {
        StringBuffer buffer = new StringBuffer("tea");
        CountDownLatch held = new CountDownLatch(1);
        CountDownLatch shown = new CountDownLatch(1);
        Thread holder = new Thread(() -> {
            synchronized (buffer) {
                held.countDown();
                try {
                    shown.await();
                } catch (InterruptedException stop) {
                    Thread.currentThread().interrupt();
                }
            }
        });
        holder.setDaemon(true);
        holder.start();
        held.await();
        assertThat(rendering.text(buffer)).isEqualTo("tea");
        shown.countDown();
        holder.join();
    }

    @Test
    void whatAJvmKeepsToItself_isNotGuessed() {
        assertThat(new TextBuffers(closed -> {}).text(new Object(), 5))
                .hasToString("<this JVM keeps what a Object holds to itself>");
    }

    @Test
    void atomicsAndOptionals_showWhatTheyHold_butNotWhatWouldCallTheApplication() {
        LongAdder adder = new LongAdder();
        adder.add(42);
        DoubleAdder sum = new DoubleAdder();
        sum.add(1.5);
        AtomicReference<Object> own = new AtomicReference<>();
        own.set(own);
        Object[] all = {
            new AtomicLong(7),
            new AtomicBoolean(true),
            adder,
            sum,
            new AtomicReference<>("tea"),
            new AtomicReference<>(),
            own,
            new AtomicStampedReference<>(8, 3),
            new AtomicIntegerArray(new int[] {1, 2})
        };
        assertThat(rendering.text(all))
                .isEqualTo("[7, true, 42, 1.5, AtomicReference{\"tea\"}, AtomicReference{null},"
                        + " AtomicReference{AtomicReference{its own part}}, AtomicStampedReference{8}, [1, 2]]");
        assertThat(rendering.text(List.of(
                        Optional.of("tea"),
                        Optional.empty(),
                        OptionalInt.of(0),
                        new AtomicReferenceArray<>(new String[] {"a", null}),
                        new AtomicLongArray(20))))
                .isEqualTo("[Optional{\"tea\"}, Optional{}, OptionalInt{0}, [\"a\", null],"
                        + " [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, … of 20]]");

        Hostile.CALLED.clear();
        assertThat(rendering.text(new LongAccumulator(
                        (one, other) -> {
                            Hostile.CALLED.add("accumulate");
                            return one;
                        },
                        5)))
                .isEqualTo("LongAccumulator{…}");
        assertThat(rendering.text(new AtomicReference<>(new Hostile()))).startsWith("AtomicReference{Hostile{id=7,");
        assertThat(rendering.text(new Own())).isEqualTo("RenderingTest$Own{}");
        assertThat(Hostile.CALLED).isEmpty();
    }

    /** The application's own atomic number answers by its own code. */
    private static final class Own extends AtomicInteger {
        private static final long serialVersionUID = 1;

        @Override
        public long longValue() {
            Hostile.CALLED.add("longValue");
            return super.longValue();
        }
    }

    @Test
    void chosenNames_areMasked_asFieldsKeysAndInTexts() {
        Secrets secrets = new Secrets(List.of("page"));
        Rendering chosen = new Rendering(new Fields(closed -> {}), secrets);
        Visit visit = new Visit();
        assertThat(chosen.text(visit)).contains("mainDiagnosis=\"flu\"", "pages=12", "{\"page\"=[masked]}");

        secrets.choose(List.of("diagnosis", "homeAddress"));
        assertThat(chosen.text(visit))
                .isEqualTo("RenderingTest$Visit{mainDiagnosis=[masked], home_address=[masked], pages=12,"
                        + " notes={\"page\"=[masked]}}");
        assertThat(chosen.text("{\"diagnosis\":[\"flu\",\"}\"],\"ward\":4}"))
                .isEqualTo("{\"diagnosis\":[masked],\"ward\":4}");
        assertThat(chosen.text(List.of("Visit{diagnosis=flu}", "home-address: 'it''s here'")))
                .isEqualTo("[\"Visit{diagnosis=[masked]}\", \"home-address: [masked]\"]");

        secrets.choose(List.of());
        assertThat(chosen.text(visit)).contains("flu", "{\"page\"=[masked]}");
    }

    @Test
    void anyText_isMaskedToItsEnd() {
        String[] pieces = {
            "\"", "'", "\\", "{", "}", "[", "]", "=", ":", " ", "diagnosis", "Home", "_", "x", "5", "\ud83d"
        };
        Rendering chosen = new Rendering(new Fields(closed -> {}), new Secrets(List.of("diagnosis")));
        for (long seed = 0; seed < Fuzz.rounds(3_000); seed++) {
            Random random = new Random(seed);
            StringBuilder text = new StringBuilder();
            for (int i = random.nextInt(60); i > 0; i--) {
                text.append(pieces[random.nextInt(pieces.length)]);
            }
            assertThat(chosen.text(text + "\ndiagnosis=hunter"))
                    .as("seed %d", seed)
                    .doesNotContain("hunter");
        }
    }

    @Test
    void textsThatLookLikeCredentials_areMasked() {
        assertThat(rendering.text("Authorization: Bearer abcdefgh")).doesNotContain("abcdefgh");
        assertThat(rendering.text(List.of("user=anna&password=hunter2")))
                .contains("anna")
                .doesNotContain("hunter2");
    }

    @Test
    void whatIsLarge_deep_orRefersToItself_isCut() {
        List<Integer> many = IntStream.range(0, 1000).boxed().toList();
        assertThat(rendering.text(new ArrayList<>(many))).isEqualTo("[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, … of 1000]");
        List<Object> cycle = new ArrayList<>();
        cycle.add(cycle);
        assertThat(rendering.text(cycle)).isEqualTo("[ArrayList{its own part}]");
        assertThat(rendering.text("x".repeat(100_000))).hasSize(Rendering.LONGEST + 1);
        Chain chain = null;
        for (int i = 0; i < 10_000; i++) {
            chain = new Chain(chain);
        }
        assertThat(rendering.text(chain))
                .isEqualTo("RenderingTest$Chain{next=RenderingTest$Chain{next="
                        + "RenderingTest$Chain{next=RenderingTest$Chain{…}}}}");
        TreeMap<String, Object> wide = new TreeMap<>();
        for (int i = 0; i < 10; i++) {
            wide.put(
                    "k" + i,
                    IntStream.range(0, 10).mapToObj(n -> "y".repeat(500)).toList());
        }
        assertThat(rendering.text(wide)).hasSizeLessThan(2 * Rendering.LONGEST);
    }

    @SuppressWarnings("unused")
    private static final class Visit {
        private final String mainDiagnosis = "flu";
        private final Chain home_address = new Chain(null);
        private final int pages = 12;
        private final TreeMap<String, Object> notes = new TreeMap<>(Map.of("page", "flu again"));
    }

    private static final class Chain {
        @SuppressWarnings("unused")
        private final @Nullable Chain next;

        Chain(@Nullable Chain next) {
            this.next = next;
        }
    }
}
