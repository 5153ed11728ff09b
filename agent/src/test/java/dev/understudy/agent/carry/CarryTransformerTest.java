package dev.understudy.agent.carry;

import dev.understudy.agent.weave.JdkEdits;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ForkJoinTask;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class CarryTransformerTest {
    private final List<String> failed = new ArrayList<>();
    private final CarryTransformer transformer =
            new CarryTransformer(JdkEdits.unkept(), (name, problem) -> failed.add(name));

    @Test
    void aClassThatIsLoadedWhileAnotherIsRetransformed_isntTakenForThatOne() throws IOException {
        assertThat(transformed("java/util/concurrent/ForkJoinTask", ForkJoinTask.class))
                .isNotNull();
        assertThat(transformed("java/lang/WeakPairMap", ForkJoinTask.class)).isNull();
        assertThat(transformed("java/lang/WeakPairMap", null)).isNull();
        assertThat(transformed("java/util/Timer", ForkJoinTask.class)).isEqualTo(transformed("java/util/Timer", null));
        assertThat(failed).isEmpty();
    }

    private byte @Nullable [] transformed(String name, @Nullable Class<?> redefined) throws IOException {
        try (InputStream in = ClassLoader.getSystemResourceAsStream(name + ".class")) {
            return transformer.transform(null, name, redefined, null, in.readAllBytes());
        }
    }
}
