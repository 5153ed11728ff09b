package dev.understudy.agent.bootstrap;

import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Objects;
import java.util.stream.Stream;
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
        ServedExchange exchange = Objects.requireNonNull(ServedExchanges.begin(HEADER));
        Probes.exit(Probes.enter(probe));
        AsyncExchange left = ServedExchanges.leaveOpen(exchange);
        assertThat(left.own).isNotEmpty();

        left.end();

        assertThat(Objects.requireNonNull(Observations.poll()).predicates()).contains(probe * 16);
        assertThat(left.own).isEmpty();
        assertThat(ServedExchanges.current()).isNull();
    }

    /** Objects of other classes would be counted among the application's, when leaks are looked for. */
    @Test
    void whatIsRememberedOfAnExchange_ownsNothingButObjectsOfOurs() {
        Stream<Class<?>> remembered =
                Stream.of(ServedExchange.class, AsyncExchange.class, Pieces.class, Pieces.Piece.class);

        assertThat(remembered
                        .flatMap(type -> Arrays.stream(type.getDeclaredFields()))
                        .filter(field -> !Modifier.isStatic(field.getModifiers())))
                .isNotEmpty()
                .noneMatch(field -> field.getType().getName().startsWith("java.util."));
    }
}
