package dev.understudy.agent;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class FailureLinesTest {
    private final List<String> lines = new ArrayList<>();
    private final FailureLines failures = new FailureLines("isn't woven", lines::add);

    @Test
    void aClass_isNamedOnce_howeverOftenItFails() {
        for (int n = 0; n < 5; n++) {
            failures.accept("com.shop.Cart", new IllegalStateException("late"));
            failures.accept("com.shop.Tax", new IllegalStateException("early"));
        }

        assertThat(lines)
                .containsExactly(
                        "com.shop.Cart isn't woven: java.lang.IllegalStateException: late",
                        "com.shop.Tax isn't woven: java.lang.IllegalStateException: early");
    }

    @Test
    void manyClasses_areNotAllNamed_andThatIsSaidOnce() {
        for (int n = 0; n < 3 * FailureLines.MOST; n++) {
            failures.accept("com.shop.Cart" + n, new IllegalStateException());
        }

        assertThat(lines)
                .hasSize(FailureLines.MOST + 1)
                .last()
                .isEqualTo("another class isn't woven; no more are named");
    }
}
