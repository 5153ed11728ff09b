package dev.understudy.agent.export;

import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

@Tag("any-jdk")
final class ShownMethodsTest {
    private static final int SLOW = 20_001;
    private static final int PROBES = 30_000;

    /** Ten thousand are called often, one twice a minute for seconds each. */
    @Test
    void aMethodThatIsCalledSeldomForLong_isShown() {
        Set<Integer> shown = ShownMethods.most(
                PROBES,
                probe -> probe <= 10_000 ? 1_000_000 + probe : probe == SLOW ? 2 : 0,
                probe -> probe <= 10_000 ? 5_000 + probe : probe == SLOW ? 6e9 : 0);

        assertThat(shown).contains(SLOW, 10_000, 9_901).doesNotContain(9_800);
        assertThat(shown).first().isEqualTo(10_000);
    }

    @Test
    void whatIsShown_isBounded_andHasWhatWasNeverCalledNotAtAll() {
        assertThat(ShownMethods.most(PROBES, probe -> probe, probe -> PROBES - probe, probe -> 0))
                .hasSize(2 * ShownMethods.EACH);
        assertThat(ShownMethods.most(PROBES, probe -> 0, probe -> 0)).isEmpty();
    }
}
