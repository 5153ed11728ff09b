package dev.understudy.agent.bootstrap;

import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.assertj.core.api.Assertions.assertThat;

@ExtendWith(AllObserved.class)
final class LeftTest {
    private static final String HEADER = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

    private final int probe = Probes.CAPACITY / 2 + 47;

    /** A queue's element remembers its exchange, and there is room for thousands of them. */
    @Test
    void whatWasObserved_isLetGoWithTheEnd() {
        Exchange exchange = Objects.requireNonNull(Exchanges.begin(HEADER));
        Probes.exit(Probes.enter(probe));
        Left left = Exchanges.leaveOpen(exchange);
        assertThat(left.own).isNotEmpty();

        left.end();

        assertThat(Objects.requireNonNull(Observations.poll()).predicates()).contains(probe * 16);
        assertThat(left.own).isEmpty();
        assertThat(Exchanges.current()).isNull();
    }
}
