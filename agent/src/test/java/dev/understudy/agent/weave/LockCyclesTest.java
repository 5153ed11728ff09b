package dev.understudy.agent.weave;

import dev.understudy.agent.bootstrap.ExchangeTraffic;
import dev.understudy.agent.bootstrap.lock.Nestings;
import dev.understudy.agent.branch.LockPlace;
import dev.understudy.agent.lock.LockCycle;
import dev.understudy.agent.lock.LockOrder;
import java.lang.reflect.Method;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static dev.understudy.agent.weave.WovenBank.DIRECTORY;
import static dev.understudy.agent.weave.WovenBank.called;
import static dev.understudy.agent.weave.WovenBank.told;
import static org.assertj.core.api.Assertions.assertThat;

/** What is told of the order in which locks are taken. */
final class LockCyclesTest {
    private static final String BANK = Bank.class.getName();

    private final WovenBank woven = new WovenBank();
    private final LockOrder order = new LockOrder(Nestings::poll);

    LockCyclesTest() throws Exception {}

    @BeforeEach
    void forgetNestings() {
        while (Nestings.poll() != null) {
            // of other tests
        }
    }

    @Test
    void locksTakenInBothOrders_areACycle_withBothPlaces() throws Exception {
        Object bank = woven.bank();
        inThread("first", () -> told(bank, "bookAndAudit", 1));
        order.take();
        assertThat(order.cycles()).isEmpty();
        inThread("second", () -> told(bank, "auditAndBook", 1));
        order.take();

        assertThat(order.cycles()).hasSize(1);
        List<LockCycle.Step> steps = order.cycles().get(0).steps();
        assertThat(steps.stream().map(LockCyclesTest::words))
                .containsExactlyInAnyOrder(
                        "first: bookAndAudit Bank.audit while Bank.ledger of bookAndAudit",
                        "second: book Bank.ledger while Bank.audit of auditAndBook");
        assertThat(steps).allSatisfy(step -> {
            assertThat(step.type()).isEqualTo("java.lang.Object");
            assertThat(step.stack().get(0)).startsWith(BANK + "#book");
        });
        inThread("third", () -> told(bank, "auditAndBook", 1));
        told(woven.bank(), "bookAndAudit", 1);
        order.take();
        assertThat(order.cycles()).hasSize(1);
    }

    @Test
    void monitorsAndLocksOfTheJdk_areOfOneOrder() throws Exception {
        Object bank = woven.bank();
        told(bank, "opened", 1);
        told(bank, "bookAndOpen", 1);
        order.take();

        assertThat(order.cycles()).hasSize(1);
    }

    @Test
    void twoObjectsOfAClass_areACycleOnlyIfTheVeryTwoAreTakenBothWays() throws Exception {
        Object one = woven.bank();
        Object other = woven.bank();
        Method with = woven.type.getMethod("with", woven.type, Callable.class);
        Callable<Integer> nothing = () -> 1;
        ExchangeTraffic.of(() -> with.invoke(one, other, nothing));
        ExchangeTraffic.of(() -> with.invoke(other, woven.bank(), nothing));
        ExchangeTraffic.of(() -> with.invoke(woven.bank(), one, nothing));
        order.take();
        assertThat(order.cycles()).isEmpty();

        ExchangeTraffic.of(() -> with.invoke(other, one, nothing));
        order.take();
        assertThat(order.cycles()).hasSize(1);
    }

    @Test
    void aConsistentOrder_isNoCycle() throws Exception {
        Object bank = woven.bank();
        for (int i = 0; i < 3; i++) {
            told(bank, "bookAndAudit", 1);
            told(bank, "afterwards", 1);
            told(bank, "opened", 1);
            told(bank, "bookTwice", 1);
            told(woven.bank(), "auditAndBook", 1);
        }
        order.take();

        assertThat(order.cycles()).isEmpty();
    }

    @Test
    void ordersUnderOneLockThatBothHold_areNoCycle() throws Exception {
        Object bank = woven.bank();
        Method with = woven.type.getMethod("with", woven.type, Callable.class);
        Object gate = woven.bank();
        for (String method : List.of("bookAndAudit", "auditAndBook")) {
            ExchangeTraffic.of(() -> with.invoke(bank, gate, (Callable<?>) () -> called(bank, method, 1)));
        }
        order.take();
        assertThat(order.cycles()).isEmpty();
    }

    @Test
    void withoutAnExchange_nothingIsTold() throws Exception {
        Object bank = woven.bank();
        called(bank, "bookAndAudit", 1);

        assertThat(Nestings.poll()).isNull();
    }

    private static void inThread(String name, Callable<?> work) throws Exception {
        Throwable[] problem = new Throwable[1];
        Thread thread = new Thread(
                () -> {
                    try {
                        work.call();
                    } catch (Exception wrong) {
                        problem[0] = wrong;
                    }
                },
                name);
        thread.start();
        thread.join();
        assertThat(problem[0]).isNull();
    }

    private static String words(LockCycle.Step step) {
        return Stream.of(step.takenAt(), step.heldAt())
                .map(number -> (LockPlace) DIRECTORY.site(number))
                .map(place -> place.method() + ' ' + place.lock())
                .collect(Collectors.joining(" while ", step.thread() + ": ", ""))
                .replaceFirst("while (\\w+) (.*)", "while $2 of $1");
    }
}
