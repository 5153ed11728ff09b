package dev.understudy.relay;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.util.Objects;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

class SharedRulesTest {
    /** {@code Objects} needs a {@code Supplier}, and {@code BiFunction} needs {@code Objects}. */
    private final JavaClasses both = new ClassFileImporter().importClasses(Objects.class, BiFunction.class);

    @Test
    void importsBothWays_areFound() {
        assertThatThrownBy(() -> SharedRules.importsRunOneWay("java\\.(util.*)").check(both))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("util needs itself by way of [util.function]");
    }

    @Test
    void importsWithinAPart_areNone() {
        SharedRules.importsRunOneWay("java\\.(util).*").check(both);
    }
}
