package dev.understudy.agent.request;

import dev.understudy.agent.weave.ClassFiles;
import dev.understudy.agent.weave.MethodEdit;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class ServedEditsTest {
    @Test
    void theJdksSockets_areEditedDirectlyAsByTheOtherWay() throws IOException {
        int edited = 0;
        for (String name : ServerTransformer.ofJdk()) {
            Map<String, MethodEdit> edits = new HashMap<>();
            SocketBracket.of(name).forEach((method, bracket) -> edits.put(method, MethodEdit.around(bracket)));
            if (!edits.isEmpty()) {
                ClassFiles.assertEditedAlike(name, edits, Objects.requireNonNull(ClassFiles.ofJdk(name), name));
                edited++;
            }
        }

        assertThat(edited).isEqualTo(3);
    }
}
