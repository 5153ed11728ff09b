package dev.understudy.agent.loading;

import dev.understudy.agent.request.ServerTransformer;
import dev.understudy.agent.weave.WovenLoader;
import java.lang.instrument.ClassFileTransformer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class ReachTest {
    private static final String SERVER = "org/apache/catalina/core/ApplicationFilterChain";

    private final List<String> told = new ArrayList<>();
    private final Reach reach = new Reach(told::add);
    private final byte[] classFile = WovenLoader.classFile(SERVER.replace('/', '.'));
    private final ClassFileTransformer unguarded = new ServerTransformer((name, problem) -> {
        throw new AssertionError(name, problem);
    });
    private final ClassFileTransformer guarded = reach.guarding(unguarded);

    @Test
    void aServerInALoaderThatDoesNotLeadToUs_staysAsItIs_andIsToldOnce() throws Exception {
        ClassLoader closed = new Closed();
        assertThat(unguarded.transform(closed, SERVER, null, null, classFile)).isNotNull();

        assertThat(guarded.transform(closed, SERVER, null, null, classFile)).isNull();
        assertThat(guarded.transform(closed, SERVER, null, null, classFile)).isNull();
        assertThat(told).containsExactly(Closed.class.getName());
    }

    @Test
    void aServerElsewhere_isWoven() throws Exception {
        ClassLoader child = new ClassLoader(getClass().getClassLoader()) {};
        assertThat(guarded.transform(child, SERVER, null, null, classFile)).isNotNull();
        assertThat(guarded.transform(null, SERVER, null, null, classFile)).isNotNull();
        assertThat(told).isEmpty();
    }

    @Test
    void whatIsNotWovenAnyway_asksNoLoader() throws Exception {
        assertThat(guarded.transform(new Closed(), "com/lib/Thing", null, null, classFile))
                .isNull();
        assertThat(told).isEmpty();
    }

    @Test
    void aLoaderThatThrows_isAskedAgain() throws Exception {
        ClassLoader hostile = new ClassLoader(null) {
            private boolean asked;

            @Override
            protected Class<?> findClass(String name) throws ClassNotFoundException {
                if (!asked) {
                    asked = true;
                    throw new IllegalStateException("not now");
                }
                return getClass().getClassLoader().loadClass(name);
            }
        };
        assertThat(guarded.transform(hostile, SERVER, null, null, classFile)).isNull();
        assertThat(guarded.transform(hostile, SERVER, null, null, classFile)).isNotNull();
        assertThat(told).isEmpty();
    }

    /** Finds nothing of ours. */
    private static final class Closed extends ClassLoader {
        Closed() {
            super(null);
        }
    }
}
