package dev.understudy.sidecar.suspect;

import dev.understudy.sidecar.label.ExchangeOutcome;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import static org.assertj.core.api.Assertions.assertThat;

/** Exchanges, and what an agent tells of them. */
final class TestAgent {
    private static final AtomicInteger EXCHANGES = new AtomicInteger();

    private final Suspects suspects;
    private final String names;
    private int labels;

    /** @param names what the numbers stand for, as the agent says it */
    TestAgent(Suspects suspects, String names) {
        this.suspects = suspects;
        this.names = names;
    }

    /** That edition of the rules holds from now on. */
    void under(int edition) {
        labels = edition;
    }

    /** One more exchange has ended, and these predicates held in it. */
    void exchange(boolean fails, int... held) {
        exchange(fails, List.of(), held);
    }

    /** One more exchange has ended; these methods, in turns, were called by those, and these predicates held in it. */
    void exchange(boolean fails, List<Integer> calls, int... held) {
        String span = String.format("%016x", EXCHANGES.incrementAndGet());
        suspects.ended(ending(span, fails));
        suspects.observed(batch(span, names, calls, held));
    }

    /** Sends the batch with bytes changed at random: it is taken, or refused with what was expected. */
    void damaged(String span, byte[] whole) {
        for (int seed = 0; seed < 3000; seed++) {
            Random random = new Random(seed);
            byte[] damaged = whole.clone();
            for (int i = 0; i <= random.nextInt(4); i++) {
                damaged[random.nextInt(damaged.length)] = (byte) (random.nextBoolean() ? random.nextInt(10) + '0' : 34);
            }
            suspects.ended(ending(span, seed % 2 == 0));
            try {
                suspects.observed(damaged);
            } catch (IllegalArgumentException refused) {
                assertThat(refused.getMessage()).as("seed %d", seed).contains("expected");
            }
        }
        suspects.standing();
    }

    static byte[] batch(String span, String names, int... held) {
        return batch(span, names, List.of(), held);
    }

    private static byte[] batch(String span, String names, List<Integer> calls, int... held) {
        String json = "{\"name\":\"a\",\"run\":1,\"closed\":[],\"exchanges\":[{\"span\":\"" + span
                + "\",\"whole\":true,\"held\":"
                + IntStream.of(held).boxed().toList() + ",\"calls\":" + calls + "}]," + names + "}";
        return json.getBytes(StandardCharsets.UTF_8);
    }

    private ExchangeOutcome ending(String span, boolean fails) {
        return TestEnding.of(span)
                .status(fails ? 500 : 200)
                .took(fails ? 5_000.0 : 1.0)
                .under(labels)
                .end();
    }
}
