package dev.understudy.agent.bootstrap;

import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a pool's loop calls that began before the agent was there: {@code before} and {@code idle}, but not {@code run}.
 */
@ExtendWith(AllObserved.class)
final class OldLoopsTest {
    private static final String HEADER = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

    private final AtomicReference<@Nullable ServedExchange> seen = new AtomicReference<>();
    private final Runnable task = this::look;

    @Test
    void aTaskBegins_beforeItRuns_andEndsWhenTheThreadLooksForMore() throws Exception {
        ServedExchange exchange = begun();
        Handover.handed(task);
        OtherThreads.onAnotherStripe(() -> {
            Handover.before(task);
            task.run();
            assertThat(exchange.hasParts()).isTrue();
            Handover.idle(this);
            assertThat(ServedExchanges.current()).isNull();
            assertThat(exchange.hasParts()).isFalse();
            Handover.before(task);
            assertThat(ServedExchanges.current()).as("handed over once").isNull();
        });
        assertThat(Objects.requireNonNull(seen.get()).origin).isSameAs(exchange);
        ServedExchanges.exit(exchange);
    }

    @Test
    void whereTheLoopTellsToo_itIsOneTask() throws Exception {
        ServedExchange exchange = begun();
        Handover.handed(task);
        long carried = Handover.carried();
        OtherThreads.onAnotherStripe(() -> {
            Handover.before(task);
            Handover.before(task); // a pool's own method that calls the one it overrides
            ServedExchange part = ServedExchanges.current();
            Handover.run(task);
            assertThat(seen.get()).isSameAs(part);
            assertThat(ServedExchanges.current()).isNull();
            assertThat(exchange.hasParts()).isFalse();
        });
        assertThat(Handover.carried()).isEqualTo(carried + 1);
        ServedExchanges.exit(exchange);
    }

    @Test
    void aTaskWithin_isAnotherOne() throws Exception {
        ServedExchange exchange = begun();
        Runnable inner = () -> assertThat(Objects.requireNonNull(ServedExchanges.current()).origin)
                .isNotSameAs(exchange);
        Handover.handed(task);
        OtherThreads.onAnotherStripe(() -> {
            Handover.before(task);
            Handover.run(inner);
            task.run();
            Handover.idle(this);
        });
        assertThat(Objects.requireNonNull(seen.get()).origin).isSameAs(exchange);
        ServedExchanges.exit(exchange);
    }

    @Test
    void aTaskThatIsKnownByItsMaking_beginsAsWell() throws Exception {
        ServedExchange exchange = begun();
        ForkJoinTask<?> made = ForkJoinTask.adapt(task);
        Handover.made(made);
        OtherThreads.onAnotherStripe(() -> {
            Handover.before(made);
            task.run();
            Handover.idle(this);
        });
        assertThat(Objects.requireNonNull(seen.get()).origin).isSameAs(exchange);
        ServedExchanges.exit(exchange);
    }

    @Test
    void aThreadThatServesAnExchangeAlready_staysWithIt() throws Exception {
        ServedExchange exchange = begun();
        Handover.handed(task);
        CompletableFuture<ServedExchange> served = new CompletableFuture<>();
        OtherThreads.onAnotherStripe(() -> {
            ServedExchange own = Objects.requireNonNull(ServedExchanges.begin(HEADER.replace("31-01", "32-01")));
            Handover.before(task);
            served.complete(Objects.requireNonNull(ServedExchanges.current()));
            Handover.idle(this);
            assertThat(ServedExchanges.current()).isSameAs(own);
            ServedExchanges.exit(own);
        });
        assertThat(served.join().origin).isNull();
        ServedExchanges.exit(exchange);
    }

    @Test
    void aTaskThatRunsItself_beginsUnlessALoopHasTold() throws Exception {
        ServedExchange exchange = begun();
        Handover.handed(task);
        OtherThreads.onAnotherStripe(() -> {
            Object token = Handover.own(task);
            task.run();
            Handover.end(token);
            assertThat(Handover.own(task)).isNull();
        });
        assertThat(Objects.requireNonNull(seen.get()).origin).isSameAs(exchange);
        ServedExchanges.exit(exchange);
    }

    private void look() {
        seen.set(ServedExchanges.current());
    }

    private static ServedExchange begun() {
        return Objects.requireNonNull(ServedExchanges.begin(HEADER));
    }
}
