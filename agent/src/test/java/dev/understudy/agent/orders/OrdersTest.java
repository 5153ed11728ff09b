package dev.understudy.agent.orders;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class OrdersTest {
    private final BlockingQueue<Map<String, Object>> brought = new LinkedBlockingQueue<>();
    private final BlockingQueue<OrderFollower.Done> done = new LinkedBlockingQueue<>();
    private final Deque<List<String>> problems = new ArrayDeque<>();
    private volatile String sheet = "";
    private final OrderFollower orders =
            new OrderFollower(this::get, List.of(new Dimming()), () -> done.add(current()));
    private final Thread thread = new Thread(orders);

    OrdersTest() {
        thread.setDaemon(true);
        thread.start();
    }

    @AfterEach
    void stop() {
        thread.interrupt();
    }

    @Test
    void aNewRevision_isFetchedAndDone_andWhatIsTheSameIsLeftAlone() throws Exception {
        assertThat(orders.done().revision()).isEqualTo(-1);
        sheet = "{\"revision\":0,\"orders\":{}}";
        orders.told(-1);
        orders.told(0);
        assertThat(done().revision()).isZero();
        sheet = "{\"revision\":1,\"orders\":{\"dim\":{\"to\":3}}}";
        orders.told(0);
        orders.told(1);
        assertThat(done().revision()).isEqualTo(1);
        assertThat(brought.take()).isEqualTo(Map.of("to", 3));
        sheet = "{\"revision\":2,\"orders\":{\"dim\":{\"to\":3},\"juggle\":{}}}";
        orders.told(2);
        assertThat(done().problems()).containsExactly("juggle: this agent knows no such order");
        assertThat(brought).as("as it was").isEmpty();
        sheet = "{\"revision\":3,\"orders\":{}}";
        orders.told(3);
        assertThat(done().problems()).isEmpty();
        assertThat(brought.take()).isEmpty();
        assertThat(orders.standing()).isEqualTo(Map.of("dim", "dimmed"));
    }

    @Test
    void anotherSidecar_isAskedAgain_thoughItsRevisionIsTheSame() throws Exception {
        sheet = "{\"revision\":1,\"orders\":{\"dim\":{\"to\":3}}}";
        orders.told(1);
        done();
        sheet = "{\"revision\":1,\"orders\":{\"dim\":{\"to\":4}}}";
        orders.connected();
        orders.told(1);
        done();
        assertThat(brought).containsExactly(Map.of("to", 3), Map.of("to", 4));
    }

    @Test
    void whatFailed_isTriedAgainWithTheNextRevision_alsoWhenNothingIsWantedAnyMore() throws Exception {
        problems.add(List.of("the lamp is broken"));
        sheet = "{\"revision\":1,\"orders\":{\"dim\":{\"to\":3}}}";
        orders.told(1);
        assertThat(done().problems()).containsExactly("dim: the lamp is broken");
        sheet = "{\"revision\":2,\"orders\":{}}";
        orders.told(2);
        assertThat(done().problems()).isEmpty();
        assertThat(brought).containsExactly(Map.of("to", 3), Map.of());
    }

    @Test
    void aSheetThatCannotBeRead_isAskedForUntilItCan() throws Exception {
        sheet = "{\"revision\":";
        orders.told(1);
        assertThat(done().problems()).singleElement().asString().startsWith("not fetched: ");
        sheet = "{\"revision\":1,\"orders\":{}}";
        OrderFollower.Done last = done();
        while (!last.problems().isEmpty()) {
            last = done();
        }
        assertThat(last.revision()).isEqualTo(1);
    }

    private OrderFollower.Done current() {
        return orders.done();
    }

    private OrderFollower.Done done() throws InterruptedException {
        OrderFollower.Done next = done.poll(30, TimeUnit.SECONDS);
        if (next == null) {
            throw new AssertionError("nothing was done");
        }
        return next;
    }

    private byte[] get(String path, int most) throws IOException {
        assertThat(path).isEqualTo("/v1/orders");
        assertThat(most).isPositive();
        return sheet.getBytes(StandardCharsets.UTF_8);
    }

    private final class Dimming implements Order {
        @Override
        public String kind() {
            return "dim";
        }

        @Override
        public List<String> bring(Map<String, Object> wanted) {
            brought.add(wanted);
            return problems.isEmpty() ? List.of() : problems.remove();
        }

        @Override
        public String standing() {
            return "dimmed";
        }
    }
}
