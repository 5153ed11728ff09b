package dev.understudy.agent.bootstrap;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import kotlin.coroutines.Continuation;
import kotlin.coroutines.CoroutineContext;
import kotlin.coroutines.EmptyCoroutineContext;
import kotlinx.coroutines.CancellableContinuationImpl;
import kotlinx.coroutines.Dispatchers;
import kotlinx.coroutines.internal.DispatchedContinuation;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.assertj.core.api.Assertions.assertThat;

/** What kotlinx.coroutines, which isn't woven here, would tell of a coroutine. */
@ExtendWith(AllObserved.class)
final class CoroutinesTest {
    private static final String HEADER = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    private static final String OTHER = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203332-01";

    /** Where a function goes on, and where it is suspended there: that is dispatched. */
    private final Continuation<Object> continuation =
            new DispatchedContinuation<>(Dispatchers.getDefault(), new Nowhere());

    private final Runnable suspended = new CancellableContinuationImpl<>(continuation, 1);

    @Test
    void aCoroutine_isForTheExchangeThatBeganIt_whoeverHasItGoOn() throws Exception {
        ServedExchange exchange = begun(HEADER);
        Coroutines.begun(continuation);
        for (int i = 0; i < 3; i++) {
            elsewhere(() -> {
                ServedExchange other = begun(OTHER);
                Coroutines.dispatched(suspended);
                ServedExchanges.exit(other);
            });
            assertThat(resumed(suspended)).isSameAs(exchange);
        }
        elsewhere(() -> Coroutines.dispatched(continuation));
        assertThat(resumed(continuation)).isSameAs(exchange);
        ServedExchanges.exit(exchange);
    }

    @Test
    void oneThatIsThereForMany_isForWhoeverHasItGoOn() throws Exception {
        for (String header : new String[] {HEADER, OTHER}) {
            for (Object dispatched : new Object[] {suspended, continuation}) {
                ServedExchange exchange = begun(header);
                Coroutines.dispatched(dispatched);
                assertThat(resumed(dispatched)).isSameAs(exchange);
                assertThat(resumed(dispatched)).as("dispatched once").isNull();
                ServedExchanges.exit(exchange);
            }
        }
    }

    @Test
    void oneWhoseExchangeIsOver_isForWhoeverHasItGoOn() throws Exception {
        ServedExchange first = begun(HEADER);
        Coroutines.begun(continuation);
        ServedExchanges.exit(first);
        ServedExchange second = begun(OTHER);
        for (Object dispatched : new Object[] {suspended, continuation}) {
            Coroutines.dispatched(dispatched);
            assertThat(resumed(dispatched)).isSameAs(second);
        }
        ServedExchanges.exit(second);
    }

    @Test
    void aTaskThatIsNoCoroutine_runsForWhoeverHandedItOver() throws Exception {
        AtomicReference<@Nullable ServedExchange> seen = new AtomicReference<>();
        Runnable task = () -> seen.set(ServedExchanges.current());
        ServedExchange exchange = begun(HEADER);
        Coroutines.dispatched(task);
        elsewhere(() -> Coroutines.run(task));
        assertThat(Objects.requireNonNull(seen.get()).origin).isSameAs(exchange);
        ServedExchanges.exit(exchange);
    }

    /** For which exchange it runs then. */
    private static @Nullable ServedExchange resumed(Object dispatched) throws InterruptedException {
        AtomicReference<@Nullable ServedExchange> origin = new AtomicReference<>();
        elsewhere(() -> {
            Object token = Coroutines.resumed(dispatched);
            ServedExchange current = ServedExchanges.current();
            origin.set(current == null ? null : current.origin);
            Handover.end(token);
            assertThat(ServedExchanges.current()).isNull();
        });
        return origin.get();
    }

    private static ServedExchange begun(String header) {
        return Objects.requireNonNull(ServedExchanges.begin(header));
    }

    private static void elsewhere(Runnable work) throws InterruptedException {
        OtherThreads.onAnotherStripe(work);
    }

    private static final class Nowhere implements Continuation<Object> {
        @Override
        public CoroutineContext getContext() {
            return EmptyCoroutineContext.INSTANCE;
        }

        @Override
        public void resumeWith(Object result) {
            throw new AssertionError("it isn't run here");
        }
    }
}
