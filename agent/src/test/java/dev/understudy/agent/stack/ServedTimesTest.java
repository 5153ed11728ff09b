package dev.understudy.agent.stack;

import dev.understudy.agent.bootstrap.ExchangeKey;
import dev.understudy.agent.bootstrap.ExchangeTraffic;
import dev.understudy.agent.bootstrap.ServedExchange;
import dev.understudy.agent.bootstrap.ThreadSwitch;
import dev.understudy.agent.bootstrap.ThreadSwitches;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class ServedTimesTest {
    private static final String TRACE = "00-0af7651916cd43dd8448eb211c80319c-";
    private static final long ME = Thread.currentThread().getId();

    private long begun;
    private ServedTimes served;

    @BeforeEach
    void keep() {
        ThreadSwitches.keep(true);
        begun = System.nanoTime();
        served = new ServedTimes(begun);
    }

    @AfterEach
    void keepNoMore() {
        ThreadSwitches.keep(false);
        ThreadSwitches.take();
        ThreadSwitches.tellLost();
    }

    @Test
    void whatAThreadDid_isThatExchangesWhichItServedThen_theInnermostOne() {
        long before = System.nanoTime();
        ServedExchange first = ExchangeTraffic.open(1);
        long inFirst = System.nanoTime();
        Object nobodys = ExchangeTraffic.taskOfNobody();
        long inNobodys = System.nanoTime();
        ExchangeTraffic.endTask(nobodys);
        long inFirstAgain = System.nanoTime();
        ExchangeTraffic.end(first);
        long between = System.nanoTime();
        ServedExchange second = ExchangeTraffic.open(2);
        long inSecond = System.nanoTime();
        served.learn(System.nanoTime());

        assertThat(at(before, inFirst, inNobodys, inFirstAgain, between, inSecond))
                .containsExactly("nobody's", "1", "nobody's", "1", "nobody's", "2");
        served.forgetBefore(between);
        assertThat(at(inFirst, inFirstAgain, between, inSecond))
                .as("what was forgotten isn't made up")
                .containsExactly("unknown", "unknown", "nobody's", "2");
        served.forgetBefore(System.nanoTime());
        assertThat(at(inSecond, System.nanoTime())).as("it goes on").containsExactly("unknown", "2");
        ExchangeTraffic.end(second);
    }

    @Test
    void aTask_isItsExchanges_untilThatIsOver() throws Exception {
        ExecutorService other = Executors.newSingleThreadExecutor();
        try {
            long otherThread =
                    other.submit(() -> Thread.currentThread().getId()).get();
            ServedExchange exchange = ExchangeTraffic.open(7);
            Object task = other.submit(() -> ExchangeTraffic.taskOf(exchange)).get();
            long during = System.nanoTime();
            ExchangeTraffic.end(exchange);
            long afterwards = System.nanoTime();
            served.learn(System.nanoTime());

            assertThat(name(served.whose(otherThread, during))).isEqualTo("7");
            assertThat(name(served.whose(otherThread, afterwards))).isEqualTo("nobody's");
            other.submit(() -> ExchangeTraffic.endTask(task)).get();
        } finally {
            other.shutdownNow();
        }
    }

    @Test
    void ofAThreadThatHasntChangedOver_nobodyKnowsForTenSeconds_norOfTimesBefore() {
        long sure = begun + ServedTimes.UNSURE_NANOS;
        assertThat(at(begun - 1, begun, sure - 1, sure)).containsExactly("unknown", "unknown", "unknown", "nobody's");
    }

    @Test
    void whereShiftsWereLost_nothingIsKnown_untilTheThreadChangesOver() {
        ServedExchange lasting = ExchangeTraffic.open(TRACE + "000000000000000a-01");
        for (int i = 0; i < ThreadSwitches.CAPACITY / 2; i++) {
            ExchangeTraffic.one();
        }
        long then = System.nanoTime();
        served.learn(System.nanoTime());
        long now = System.nanoTime();
        ServedExchange known = ExchangeTraffic.open(TRACE + "000000000000000b-01");
        long inKnown = System.nanoTime();
        served.learn(System.nanoTime());
        assertThat(at(then, inKnown)).containsExactly("unknown", "b");
        assertThat(name(served.whose(ME, now)))
                .as("what it came from is known from where it went")
                .isEqualTo("a");
        ExchangeTraffic.end(known);
        ExchangeTraffic.end(lasting);
    }

    @Test
    void threadsThatServeNothing_areForgotten() throws Exception {
        Thread gone = new Thread(ExchangeTraffic::one);
        gone.start();
        gone.join();
        ServedExchange open = ExchangeTraffic.open(1);
        served.learn(System.nanoTime());
        served.forgetBefore(System.nanoTime());
        assertThat(served.threads()).isEqualTo(1);
        ExchangeTraffic.end(open);
    }

    @Test
    void untilSomebodyWantsThem_noneAreKept() {
        ThreadSwitches.keep(false);
        ExchangeTraffic.one();
        assertThat(ThreadSwitches.take()).isNull();
        ThreadSwitches.keep(true);
        ExchangeTraffic.one();
        ThreadSwitch latest = Objects.requireNonNull(ThreadSwitches.take());
        assertThat(latest.unlink()).isNotNull();
        assertThat(latest.unlink()).as("so that one doesn't keep all before it").isNull();
    }

    private List<String> at(long... times) {
        List<String> all = new ArrayList<>();
        for (long time : times) {
            all.add(name(served.whose(ME, time)));
        }
        return all;
    }

    private static String name(Whose whose) {
        ExchangeKey exchange = whose.exchange();
        if (exchange != null) {
            return exchange.port() > 0 ? "" + exchange.port() : exchange.span().replaceFirst("^0+", "");
        }
        return whose.equals(Whose.UNKNOWN) ? "unknown" : "nobody's";
    }
}
