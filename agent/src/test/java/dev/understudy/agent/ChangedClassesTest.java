package dev.understudy.agent;

import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

@Tag("any-jdk")
final class ChangedClassesTest {
    private static final String STRING = String.class.getName();
    private static final Class<?>[] LOADED = {Object.class, String.class};
    private static final Class<?>[] NOT_YET = {Object.class};

    private final ChangedClasses classes = new ChangedClasses();

    @Test
    void classThatChanges_isFoundOnce() {
        assertThat(classes.among(Set.of(STRING), LOADED)).containsExactly(String.class);
        assertThat(classes.areLate()).isFalse();
        assertThat(classes.among(Set.of(), LOADED)).isEmpty();
    }

    @Test
    void classThatIsBeingLoaded_isFoundInTheNextTurn() {
        assertThat(classes.among(Set.of(STRING), NOT_YET)).isEmpty();
        assertThat(classes.areLate()).isTrue();
        assertThat(classes.among(Set.of(), LOADED)).containsExactly(String.class);
        assertThat(classes.areLate()).isFalse();
    }

    @Test
    void classThatNeverComes_isLookedForOnceMore() {
        classes.among(Set.of(STRING), NOT_YET);
        assertThat(classes.among(Set.of(), NOT_YET)).isEmpty();
        assertThat(classes.areLate()).isFalse();
        assertThat(classes.among(Set.of(), LOADED)).isEmpty();
    }
}
