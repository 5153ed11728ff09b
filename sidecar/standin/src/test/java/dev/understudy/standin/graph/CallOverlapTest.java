package dev.understudy.standin.graph;

import dev.understudy.standin.graph.MadeCall.Target;
import dev.understudy.standin.trace.NodeKind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class CallOverlapTest {
    private static final Target TARGET = new Target("a", "b");

    private static int[] atOnce(long... startsAndEnds) {
        List<MadeCall> calls = new ArrayList<>();
        for (int i = 0; i < startsAndEnds.length; i += 2) {
            calls.add(new MadeCall(TARGET, NodeKind.SERVICE, startsAndEnds[i], startsAndEnds[i + 1]));
        }
        return CallOverlap.atOnce(calls);
    }

    @Test
    void callsThatTouch_areOneAfterAnother() {
        assertThat(atOnce()).isEmpty();
        assertThat(atOnce(0, 10, 10, 20, 20, 20, 21, 30)).containsExactly(1, 1, 1, 1);
    }

    @Test
    void longCall_hasTheMostThatBeginInIt() {
        assertThat(atOnce(0, 100, 10, 20, 15, 30, 40, 50, 200, 201)).containsExactly(3, 3, 3, 2, 1);
    }

    @Test
    void randomCalls_areAsCountedOneByOne() {
        Random random = new Random(3);
        for (int round = 0; round < 2_000; round++) {
            List<MadeCall> calls = new ArrayList<>();
            int count = random.nextInt(12);
            for (int i = 0; i < count; i++) {
                int start = random.nextInt(20);
                calls.add(new MadeCall(TARGET, NodeKind.SERVICE, start, start + 1 + random.nextInt(8)));
            }
            calls.sort(Comparator.comparingLong(MadeCall::start));

            assertThat(CallOverlap.atOnce(calls)).isEqualTo(counted(calls));
        }
    }

    private static int[] counted(List<MadeCall> calls) {
        int[] most = new int[calls.size()];
        for (int time = 0; time < 40; time++) {
            int now = time;
            long together = calls.stream().filter(call -> isAt(call, now)).count();
            for (int i = 0; i < most.length; i++) {
                most[i] = isAt(calls.get(i), now) ? Math.max(most[i], (int) together) : most[i];
            }
        }
        return most;
    }

    private static boolean isAt(MadeCall call, int time) {
        return call.start() <= time && time < call.end();
    }
}
