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
        Exchange exchange = Exchanges.begin(HEADER);
        Sample first = entered(outer);
        Sample second = entered(inner);
        Probes.thrown(new IllegalStateException(), second);
        Sample third = entered(inner);
        Probes.exit(third);
        Probes.exit(first);
        Exchanges.exit(exchange);

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
        Exchange exchange = Exchanges.begin(HEADER);
        Sample first = entered(outer);
        entered(inner); // never exits, as after a stack overflow
        Probes.exit(first);
        Sample next = entered(inner);
        Probes.exit(next);
        Exchanges.exit(exchange);

        assertThat(next)
                .isInstanceOfSatisfying(Sample.class, s -> assertThat(s.parent).isNull());
    }

    @Test
    void outsideOfAnExchange_nothingIsHandedOver() {
        armAll();
        Probes.exit(Probes.enter(outer));

        assertThat(Samples.poll()).isNull();
    }

    @Test
    void theSameExchangeEnteredTwice_isOne() {
        Exchange exchange = Exchanges.begin(HEADER);

        assertThat(Exchanges.begin(HEADER)).isNull();

        Exchanges.exit(exchange);
        assertThat(Exchanges.current()).isNull();
    }

    @Test
    void anotherExchangeInside_bringsTheOuterBackWhenItEnds() {
        Exchange first = Exchanges.begin(HEADER);
        Exchange second = Exchanges.begin(null);
        assertThat(Exchanges.current()).isSameAs(second);

        Exchanges.thrown(new IllegalStateException(), second);
        assertThat(Exchanges.current()).isSameAs(first);
        Exchanges.exit(first);
    }

    @Test
    void theHeader_isReadAsTheStandardSays() {
        Exchange exchange = new Exchange(HEADER, null);
        assertThat(exchange.traceId()).isEqualTo(TRACE);
        assertThat(exchange.key().span()).isEqualTo(SPAN);
        assertThat(new Exchange(HEADER + "-later-version", null).traceId()).isEqualTo(TRACE);
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
            assertThat(new Exchange(value, null).traceId()).as(value).isNull();
        }
    }

    @Test
    void mutatedHeaders_neverThrow() {
        Random random = new Random(5);
        for (int round = 0; round < Fuzz.rounds(5_000); round++) {
            char[] mutated = HEADER.toCharArray();
            mutated[random.nextInt(mutated.length)] = (char) random.nextInt(0x250);
            String value = new String(mutated, 0, random.nextInt(mutated.length + 1));
            Exchange exchange = new Exchange(value, null);
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

    private static Sample entered(int probe) {
        return (Sample) Objects.requireNonNull(Probes.enter(probe));
    }

    private static Sample taken() {
        return Objects.requireNonNull(Samples.poll());
    }
}
