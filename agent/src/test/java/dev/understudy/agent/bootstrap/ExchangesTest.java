package dev.understudy.agent.bootstrap;

import dev.understudy.agent.Fuzz;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class ExchangesTest {
    private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";
    private static final String SPAN = "b7ad6b7169203331";
    private static final String HEADER = "00-" + TRACE + "-" + SPAN + "-01";

    private final int outer = Probes.CAPACITY / 2 + 1;
    private final int inner = Probes.CAPACITY / 2 + 2;

    @AfterEach
    void drain() {
        while (Samples.poll() != null) {
            // of other tests
        }
    }

    @Test
    void samplesOfATracedExchange_areNestedAndHandedOver() {
        armAll();
        ServedExchange exchange = ServedExchanges.begin(HEADER);
        CallSample first = entered(outer);
        CallSample second = entered(inner);
        Probes.thrown(new IllegalStateException(), second);
        CallSample third = entered(inner);
        Probes.exit(third);
        Probes.exit(first);
        ServedExchanges.exit(exchange);

        assertThat(List.of(taken(), taken(), taken())).containsExactly(second, third, first);
        assertThat(second.parent).isSameAs(first);
        assertThat(second.thrown()).isEqualTo("java.lang.IllegalStateException");
        assertThat(third.parent).isSameAs(first);
        assertThat(first.parent).isNull();
        assertThat(first.exchange).isSameAs(exchange);
    }

    @Test
    void aSampleWithoutItsExit_doesNotMisplaceLaterOnes() {
        armAll();
        ServedExchange exchange = ServedExchanges.begin(HEADER);
        CallSample first = entered(outer);
        entered(inner); // never exits, as after a stack overflow
        Probes.exit(first);
        CallSample next = entered(inner);
        Probes.exit(next);
        ServedExchanges.exit(exchange);

        assertThat(next)
                .isInstanceOfSatisfying(
                        CallSample.class, s -> assertThat(s.parent).isNull());
    }

    @Test
    void outsideOfAnExchange_nothingIsHandedOver() {
        armAll();
        Probes.exit(Probes.enter(outer));

        assertThat(Samples.poll()).isNull();
    }

    @Test
    void theSameExchangeEnteredTwice_isOne() {
        ServedExchange exchange = ServedExchanges.begin(HEADER);

        assertThat(ServedExchanges.begin(HEADER)).isNull();

        ServedExchanges.exit(exchange);
        assertThat(ServedExchanges.current()).isNull();
    }

    @Test
    void anotherExchangeInside_bringsTheOuterBackWhenItEnds() {
        ServedExchange first = ServedExchanges.begin(HEADER);
        ServedExchange second = ServedExchanges.begin(null);
        assertThat(ServedExchanges.current()).isSameAs(second);

        ServedExchanges.thrown(new IllegalStateException(), second);
        assertThat(ServedExchanges.current()).isSameAs(first);
        ServedExchanges.exit(first);
    }

    @Test
    void theHeader_isReadAsTheStandardSays() {
        ServedExchange exchange = new ServedExchange(HEADER, null);
        assertThat(exchange.traceId()).isEqualTo(TRACE);
        assertThat(exchange.key().span()).isEqualTo(SPAN);
        assertThat(new ServedExchange(HEADER + "-later-version", null).traceId())
                .isEqualTo(TRACE);
        List<String> untraced = new ArrayList<>(List.of(
                "",
                HEADER.substring(1),
                HEADER.replace('-', '_'),
                HEADER.toUpperCase(java.util.Locale.ROOT),
                "ff" + HEADER.substring(2),
                HEADER.replace("-01", "-00"),
                "00-" + "0".repeat(32) + "-" + SPAN + "-01",
                "00-" + TRACE + "-" + "0".repeat(16) + "-01"));
        for (String value : untraced) {
            assertThat(new ServedExchange(value, null).traceId()).as(value).isNull();
        }
    }

    @Test
    void mutatedHeaders_neverThrow() {
        Random random = new Random(5);
        for (int round = 0; round < Fuzz.rounds(5_000); round++) {
            char[] mutated = HEADER.toCharArray();
            mutated[random.nextInt(mutated.length)] = (char) random.nextInt(0x250);
            String value = new String(mutated, 0, random.nextInt(mutated.length + 1));
            ServedExchange exchange = new ServedExchange(value, null);
            assertThat(exchange.traceId() == null)
                    .as(value)
                    .isEqualTo(exchange.key().span().isEmpty());
        }
    }

    private void armAll() {
        Probes.arm(outer, 1);
        Probes.arm(inner, 1);
        Credit.set(1000);
    }

    private static CallSample entered(int probe) {
        return (CallSample) Objects.requireNonNull(Probes.enter(probe));
    }

    private static CallSample taken() {
        return Objects.requireNonNull(Samples.poll());
    }
}
