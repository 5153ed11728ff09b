package dev.understudy.agent.weave;

import dev.understudy.agent.branch.BranchDirectory;
import dev.understudy.agent.branch.SecondLevel;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** What is told of locks that are taken where objects are made. */
final class LockedConstructorsTest {
    private static final String TILLS = Tills.class.getName();

    private final Method made = loaded(new SecondLevel(new BranchDirectory())).getMethod("made", int.class);

    LockedConstructorsTest() throws Exception {}

    private static Class<?> loaded(SecondLevel level) throws ClassNotFoundException {
        return new WovenLoader(one -> one.startsWith(TILLS), WovenBank.weaver(level)).loadClass(TILLS);
    }

    @Test
    void locksOfConstructors_areToldOf_andThoseThatTheirArgumentsTake_areTheirMethods() throws Exception {
        assertThat(atOnce(() -> made.invoke(null, 1)))
                .containsExactlyInAnyOrder(
                        "counted Tills.LEDGER at once",
                        "<init>(int) Tills.LEDGER at once",
                        "<init>(int) Tills.VAULT at once",
                        "<init>(int,String) this Tills$Till at once");
    }

    @Test
    void howLongTheyAreHeld_isToldToo() throws Exception {
        assertThat(WovenBank.held(() -> made.invoke(null, 1)))
                .anyMatch(one -> one.startsWith("<init>(int) Tills.LEDGER held"))
                .anyMatch(one -> one.startsWith("<init>(int) Tills.VAULT held"));
    }

    /** Also on the second level, with branches and values beside the locks. */
    @Test
    void wovenConstructors_makeWhatPlainOnesDo() throws Exception {
        SecondLevel deep = new SecondLevel(WovenBank.DIRECTORY);
        deep.set(Set.of(TILLS + "$Till", TILLS), Set.of());
        Method deeper = loaded(deep).getMethod("made", int.class);
        for (int amount = -3; amount < 9; amount++) {
            assertThat(made.invoke(null, amount)).isEqualTo(Tills.made(amount));
            assertThat(deeper.invoke(null, amount)).isEqualTo(Tills.made(amount));
        }
        assertThat(Tills.VAULT.isLocked()).isFalse();
    }

    /** A thread that loses its core for a moment looks like one that waits; sooner or later it doesn't. */
    private static List<String> atOnce(Callable<?> work) throws Exception {
        List<String> told = WovenBank.told(work);
        for (int i = 0; i < 1_000 && told.stream().anyMatch(one -> one.contains(" waited")); i++) {
            told = WovenBank.told(work);
        }
        return told;
    }
}
