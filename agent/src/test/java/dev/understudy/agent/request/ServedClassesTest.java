package dev.understudy.agent.request;

import dev.understudy.agent.weave.ClassNames;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class ServedClassesTest {
    private final Set<String> changed = new HashSet<>(ServerEntry.classes());

    ServedClassesTest() {
        changed.addAll(SocketBracket.classes());
        changed.addAll(StartedTask.CONTEXTS);
        changed.addAll(OtherAgentEdits.classes());
    }

    @Test
    void names_areThoseOfWhatIsChanged() {
        assertThat(ServedClasses.SIMPLE)
                .isEqualTo(changed.stream().map(ClassNames::simple).collect(Collectors.toSet()));
        assertThat(ServedClasses.OF_JDK)
                .isEqualTo(changed.stream()
                        .filter(name ->
                                name.startsWith("sun/") || name.startsWith("com/sun/") || name.startsWith("java/"))
                        .collect(Collectors.toSet()));
    }
}
