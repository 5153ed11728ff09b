package dev.understudy.agent.leak;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

@Tag("any-jdk")
final class SampledTest {
    private static final long LATER = Sampled.RUN_NANOS + 1;

    private final Object object = new Object();
    private final Sampled sampled =
            new Sampled(object, new LastUses(new Stacks("", any -> false, any -> false), new ThreadGroup("agent")));

    @Test
    void ofARunOfUses_theFirstAreLookedAt_andThenFewerAndFewer() {
        assertThat(due(0, 0, Sampled.FIRST_USES, 1)).isEqualTo(Sampled.FIRST_USES);
        assertThat(due(0, 16, 1008, 1)).as("eight for each doubling").isEqualTo(6 * 8);
        assertThat(due(0, LATER + 1024, Sampled.FIRST_USES, 1)).as("a new run").isEqualTo(Sampled.FIRST_USES);
    }

    @Test
    void someRunsBetweenTwoCounts_areLookedAt_fewOfOldObjects() {
        assertThat(due(0, 0, 100, LATER)).isEqualTo(16);
        assertThat(due(1, 0, 100, LATER)).isEqualTo(16);
        sampled.grownOld();
        assertThat(due(2, 0, 100, LATER)).isEqualTo(4);
    }

    @Test
    void theLastUse_isToldWithTheCountBefore_unlessALaterOneWasMissed() {
        UsePlace put = new UsePlace(List.of("Shop#put"), List.of());
        UsePlace drop = new UsePlace(List.of("Shop#drop"), List.of());
        assertThat(sampled.last()).isNull();
        assertThat(sampled.lastCount()).isEqualTo(-1);
        sampled.usedAt(put, 3);
        sampled.usedAt(drop, 4);
        assertThat(sampled.last()).isSameAs(drop);
        assertThat(sampled.lastCount()).isEqualTo(4);
        assertThat(sampled.wasUsedAt(put, 3)).isTrue();
        assertThat(sampled.wasUsedAt(put, 4)).isFalse();

        sampled.missed(5);
        assertThat(sampled.isMissed()).isTrue();
        assertThat(sampled.lastCount()).isEqualTo(5);
        sampled.usedAt(put, 5);
        assertThat(sampled.isMissed()).isFalse();
        assertThat(sampled.last()).isSameAs(put);
    }

    @Test
    void ofMorePlacesThanAreRemembered_theLatestStay() {
        for (int i = 0; i <= Sampled.PLACES; i++) {
            UsePlace place = new UsePlace(List.of("Shop#p" + i), List.of());
            sampled.usedAt(place, i);
            assertThat(sampled.last()).isSameAs(place);
            sampled.usedAt(place, i);
        }
        assertThat(sampled.lastCount()).isEqualTo(Sampled.PLACES);
    }

    @Test
    void whatVisitsAllObjects_leavesWhoWasBefore_andUsesThatNobodyLookedAtAreIts() {
        UsePlace drop = new UsePlace(List.of("Shop#drop"), List.of());
        UsePlace save = new UsePlace(List.of("Shop#save"), List.of());
        sampled.usedAt(drop, 1);
        sampled.usedAt(save, 2);
        sampled.missed(2);
        for (int i = 0; i < UsePlace.FEWEST; i++) {
            save.visited(7, i);
        }
        assertThat(sampled.isMissed()).isTrue();
        save.counted(UsePlace.FEWEST, UsePlace.FEWEST);

        assertThat(sampled.last()).isSameAs(drop);
        assertThat(sampled.lastCount()).isEqualTo(1);
        assertThat(sampled.isMissed()).isFalse();
    }

    @Test
    void whatUsesManyObjects_butNotInARow_isAUseLikeAnyOther() {
        UsePlace serve = new UsePlace(List.of("Shop#serve"), List.of());
        for (int i = 0; i < UsePlace.FEWEST; i++) {
            serve.visited(7, 100 * LATER * i);
        }
        serve.counted(UsePlace.FEWEST, UsePlace.FEWEST);
        assertThat(serve.visitsAll()).isFalse();
        for (int i = 0; i < UsePlace.FEWEST; i++) {
            serve.visited(i, i);
        }
        serve.counted(UsePlace.FEWEST, UsePlace.FEWEST);
        assertThat(serve.visitsAll()).as("each on another thread").isFalse();
    }

    private int due(int count, long from, int times, long apart) {
        int due = 0;
        for (int i = 0; i < times; i++) {
            due += sampled.due(count, from + i * apart) ? 1 : 0;
        }
        return due;
    }
}
