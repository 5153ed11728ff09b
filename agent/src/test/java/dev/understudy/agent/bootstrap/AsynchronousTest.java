package dev.understudy.agent.bootstrap;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class AsynchronousTest {
    private static final String HEADER = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

    private final int probe = Probes.CAPACITY / 2 + 41;
    private final List<AsyncListener> listeners = new ArrayList<>();
    private final AsyncContext context = as(AsyncContext.class);
    private final HttpServletRequest request = as(HttpServletRequest.class);
    private boolean started = true;
    private @Nullable RuntimeException refusing;

    @BeforeEach
    void allow() {
        drain();
        Observations.allow(1, Integer.MAX_VALUE);
    }

    @AfterEach
    void drain() {
        ServedExchange current = ServedExchanges.current();
        if (current != null) {
            ServedExchanges.exit(current);
        }
        Observations.allow(0, 0);
        while (Observations.poll() != null) {
            // of other tests
        }
    }

    @Test
    void aRequestThatGoesOn_isOverWhenItIsComplete() throws Exception {
        ServedExchanges.exit(begin());
        assertThat(ServedExchanges.current()).isNull();
        assertThat(Observations.poll()).isNull();
        OtherThreads.onAnotherStripe(() -> {
            ServedExchange again = Objects.requireNonNull(ServedExchanges.begin(HEADER));
            assertThat(again.origin).as("dispatched").isNotNull();
            Probes.exit(Probes.enter(probe));
            ServedExchanges.exit(again);
        });
        assertThat(Observations.poll()).isNull();
        complete();

        Observed observed = Objects.requireNonNull(Observations.poll());
        assertThat(observed.predicates()).contains(probe * 16);
        assertThat(observed.whole()).isTrue();
        assertThat(observed.escaped()).isNull();
        ServedExchange next = Objects.requireNonNull(ServedExchanges.begin(HEADER));
        assertThat(next.origin).isNull();
        ServedExchanges.exit(next);
    }

    @Test
    void whatEscapesWhereItIsDispatched_isToldOfTheRequest() throws Exception {
        ServedExchanges.exit(begin());
        OtherThreads.onAnotherStripe(() -> {
            ServedExchanges.thrown(new IllegalStateException("no stock"), ServedExchanges.begin(HEADER));
            ServedExchange page = ServedExchanges.begin(HEADER);
            complete();
            ServedExchanges.thrown(new IllegalArgumentException("the error page"), page);
        });
        assertThat(Objects.requireNonNull(Observations.poll()).escaped())
                .isEqualTo(IllegalStateException.class.getName());
    }

    @Test
    void whatATaskOfTheContainersThrows_isToldOfTheRequest_evenBeforeTheServletReturns() throws Exception {
        for (boolean early : List.of(true, false)) {
            ServedExchange exchange = begin();
            Runnable task = Objects.requireNonNull(ServedExchanges.started(() -> {
                throw new IllegalStateException("no stock");
            }));
            if (early) {
                fail(task);
            }
            ServedExchanges.exit(exchange);
            if (!early) {
                OtherThreads.onAnotherStripe(() -> fail(task));
            }
            complete();
            listeners.clear();
            assertThat(Objects.requireNonNull(Observations.poll()).escaped())
                    .as("early %s", early)
                    .isEqualTo(IllegalStateException.class.getName());
        }
    }

    private static void fail(Runnable task) {
        assertThatThrownBy(task::run).isInstanceOf(IllegalStateException.class).hasMessage("no stock");
    }

    @Test
    void aTaskOfNoRequest_staysWhatItIs() {
        Runnable task = () -> {};
        assertThat(ServedExchanges.started(task)).isSameAs(task);
        assertThat(ServedExchanges.started(null)).isNull();
    }

    @Test
    void aRequestThatBeginsAnew_isListenedToAnew() throws Exception {
        ServedExchanges.exit(begin());
        listeners.get(0).onStartAsync(new AsyncEvent(context));
        assertThat(listeners).hasSize(2);
        listeners.get(1).onComplete(new AsyncEvent(context));
        assertThat(Observations.poll()).isNotNull();
        assertThat(listeners.get(0)).isEqualTo(listeners.get(0)).hasToString("understudy");
    }

    @Test
    void aRequestThatDoesNotGoOn_isOverAtOnce() {
        started = false;
        ServedExchanges.exit(begin());
        assertThat(listeners).isEmpty();
        assertThat(Observations.poll()).isNotNull();
    }

    @Test
    void aRequestWhoseEndNobodyTells_saysNothingOfWhatWasNotCalled() {
        int before = AgentFaults.count();
        refusing = new IllegalStateException("the container is elsewhere");
        ServedExchanges.exit(begin());
        assertThat(Objects.requireNonNull(Observations.poll()).whole()).isFalse();
        assertThat(AgentFaults.count()).as("which is the container's right").isEqualTo(before);

        refusing = new UnsupportedOperationException("no listeners");
        ServedExchanges.exit(begin());
        assertThat(Objects.requireNonNull(Observations.poll()).whole()).isFalse();
        assertThat(AgentFaults.count() - before).isEqualTo(1);
    }

    private void complete() {
        try {
            listeners.get(0).onComplete(new AsyncEvent(context));
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    private ServedExchange begin() {
        ServedExchange exchange = Objects.requireNonNull(ServedExchanges.begin(HEADER));
        exchange.servlets = Objects.requireNonNull(Asynchronous.of(HttpServletRequest.class));
        exchange.request = request;
        return exchange;
    }

    private <T> T as(Class<T> type) {
        return type.cast(
                Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    return answer(method.getName(), arguments);
                }));
    }

    private @Nullable Object answer(String method, @Nullable Object @Nullable [] arguments) {
        return switch (method) {
            case "isAsyncStarted" -> started;
            case "getAsyncContext" -> context;
            case "addListener" -> listen((AsyncListener) Objects.requireNonNull(Objects.requireNonNull(arguments)[0]));
            default -> null;
        };
    }

    private @Nullable Object listen(AsyncListener listener) {
        if (refusing != null) {
            throw refusing;
        }
        listeners.add(listener);
        return null;
    }
}
