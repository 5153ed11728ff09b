package dev.understudy.agent.weave;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

import static dev.understudy.agent.weave.WovenBank.all;
import static dev.understudy.agent.weave.WovenBank.called;
import static dev.understudy.agent.weave.WovenBank.heldUpTo;
import static dev.understudy.agent.weave.WovenBank.slow;
import static org.assertj.core.api.Assertions.assertThat;

/** What is told of how long locks are held. */
final class LockTimesTest {
    private final WovenBank woven = new WovenBank();

    LockTimesTest() throws Exception {}

    @Test
    void howLongALockIsHeld_isToldWhereItIsGivenBack() throws Exception {
        Object bank = woven.bank();

        assertThat(held(() -> with(bank, "closedWith", 10), "held ten"))
                .containsExactly(all("closedWith this Bank", "held ten"));
        assertThat(held(() -> with(bank, "openedWith", 1), "held"))
                .containsExactly(all("openedWith Bank.vault", "held"));
        Object other = woven.bank();
        Method both = woven.type.getMethod("with", woven.type, Callable.class);
        assertThat(held(() -> both.invoke(bank, other, slow(100)), "held hundred"))
                .containsExactly(Stream.of(all("with this Bank", "held hundred"), all("with ", "held hundred"))
                        .flatMap(Stream::of)
                        .toArray(String[]::new));
        assertThat(heldShortly(() -> called(bank, "closeFrom", 1))).containsExactly("close this Bank held shortly");
        assertThat(heldShortly(() -> called(bank, "bookAndAudit", 1)))
                .containsExactly("bookAndAudit Bank.audit held shortly", "bookAndAudit Bank.ledger held shortly");
        assertThat(heldShortly(() -> called(bank, "rated", 1)))
                .containsExactly(
                        "rated Bank.rates.readLock() held shortly", "rated Bank.rates.writeLock() held shortly");
    }

    @Test
    void aLockThatIsTakenTwice_isHeldUntilItIsGivenBackForTheLastTime() throws Exception {
        Object bank = woven.bank();

        assertThat(held(() -> with(bank, "openedTwiceWith", 10), "held ten"))
                .filteredOn(told -> told.contains("vault"))
                .containsExactly(all("openedTwiceWith Bank.vault", "held ten"));
        assertThat(heldShortly(() -> called(bank, "bookTwice", 1)))
                .containsExactly("bookTwice Bank.ledger held shortly");
        Method both = woven.type.getMethod("with", woven.type, Callable.class);
        Callable<?> closed = () -> with(bank, "closedWith", 10);
        assertThat(held(() -> both.invoke(bank, bank, closed), "held ten")).containsExactly(all("with ", "held ten"));
    }

    /** Others may have it meanwhile. */
    @Test
    void aLockWhoseConditionIsWaitedFor_isNotHeldMeanwhile() throws Exception {
        Object bank = woven.bank();

        for (String method : List.of("waitedWith", "awaitedWith")) {
            assertThat(heldShortly(() -> with(bank, method, 0))).hasSize(1);
            assertThat(held(() -> with(bank, method, 10), "held ten")).anyMatch(told -> told.endsWith("held ten"));
        }
    }

    @Test
    void aWaitThatIsInterrupted_tellsOfNothingThatFollows() throws Exception {
        Object bank = woven.bank();

        for (String method : List.of("waitedWith", "awaitedWith")) {
            List<String> told = heldShortly(() -> {
                Thread.currentThread().interrupt();
                try {
                    return with(bank, method, 0);
                } catch (InvocationTargetException interrupted) {
                    assertThat(interrupted).hasCauseInstanceOf(InterruptedException.class);
                    return slow(Bank.WAIT_MILLIS).call();
                }
            });
            assertThat(told).as("up to the wait").hasSize(1);
        }
    }

    private Object with(Object bank, String method, int millis) throws ReflectiveOperationException {
        return woven.type.getMethod(method, Callable.class).invoke(bank, slow(millis));
    }

    private static List<String> heldShortly(Callable<?> work) throws Exception {
        return heldUpTo("held shortly", work);
    }

    private static List<String> held(Callable<?> work, String longest) throws Exception {
        return heldUpTo(longest, work);
    }
}
