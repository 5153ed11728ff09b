package dev.understudy.agent.orders;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

@Tag("any-jdk")
final class PartsTest {
    private static final int CLASSES = 3_000;

    @Test
    void eachClass_hasOneAgentWhateverTheirOrder_andEachAgentAFairPart() {
        Map<String, Integer> parts = new HashMap<>();
        for (int n = 0; n < CLASSES; n++) {
            String owner = MethodShare.owner(List.of("debug-1", "debug-2", "debug-3"), name(n));
            assertThat(MethodShare.owner(List.of("debug-3", "debug-1", "debug-2"), name(n)))
                    .isEqualTo(owner);
            parts.merge(owner, 1, Integer::sum);
        }

        assertThat(parts).hasSize(3);
        assertThat(parts.values()).allSatisfy(part -> assertThat(part).isBetween(CLASSES / 4, CLASSES / 2));
    }

    @Test
    void whenAnAgentGoes_onlyItsOwnClassesChangeHands() {
        List<String> before = List.of("debug-1", "debug-2", "debug-3");
        List<String> after = new ArrayList<>(before);
        after.remove("debug-2");
        for (int n = 0; n < CLASSES; n++) {
            String owner = MethodShare.owner(before, name(n));
            if (!owner.equals("debug-2")) {
                assertThat(MethodShare.owner(after, name(n))).isEqualTo(owner);
            }
        }
    }

    private static String name(int n) {
        return "com.shop.order.Step" + n;
    }
}
