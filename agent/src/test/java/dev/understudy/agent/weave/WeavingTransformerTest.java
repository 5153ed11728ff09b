package dev.understudy.agent.weave;

import dev.understudy.agent.loading.Reach;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class WeavingTransformerTest {
    private static final String SHAPES = Shapes.class.getName();

    private final List<String> failures = new ArrayList<>();
    private final List<String> unreached = new ArrayList<>();
    private final WeavingTransformer transformer = new WeavingTransformer(
            ApplicationCode.inPackages(List.of("dev.understudy.agent.weave", "broken")),
            new Weaver(WovenLoader.DIRECTORY),
            new Reach(unreached::add),
            (name, problem) -> failures.add(name));

    @Test
    void aClassOfTheApplication_isWovenInAnyLoaderThatReachesUs() throws Exception {
        byte[] classFile = WovenLoader.classFile(SHAPES);
        try (URLClassLoader child = new URLClassLoader(new URL[0], getClass().getClassLoader())) {
            assertThat(transformer.transform(child, SHAPES.replace('.', '/'), null, null, classFile))
                    .isNotNull()
                    .isNotEqualTo(classFile);
        }
    }

    @Test
    void aLoaderThatDoesNotReachTheBootstrapPart_isLeftAlone() throws Exception {
        byte[] classFile = WovenLoader.classFile(SHAPES);
        ClassLoader closed = new ClassLoader(null) {
            @Override
            protected Class<?> findClass(String name) throws ClassNotFoundException {
                throw new ClassNotFoundException(name);
            }
        };
        assertThat(transformer.transform(closed, SHAPES.replace('.', '/'), null, null, classFile))
                .isNull();
        assertThat(transformer.failed()).isZero();
        assertThat(transformer.transform(closed, SHAPES.replace('.', '/'), null, null, classFile))
                .isNull();
        assertThat(unreached).containsExactly(closed.getClass().getName());
    }

    @Test
    void aLoaderThatThrows_isLeftAlone() {
        ClassLoader hostile = new ClassLoader(null) {
            @Override
            protected Class<?> findClass(String name) {
                throw new IllegalStateException("not now");
            }
        };
        assertThat(transformer.transform(hostile, "broken/X", null, null, WovenLoader.classFile(SHAPES)))
                .isNull();
        assertThat(failures).containsExactly("broken.X");
    }

    @Test
    void aClassThatCannotBeWoven_staysAsItWasAndIsCounted() throws Exception {
        try (URLClassLoader child = new URLClassLoader(new URL[0], getClass().getClassLoader())) {
            byte[] garbage = WovenLoader.classFile(SHAPES);
            garbage[7] = 127; // a class file version from far in the future
            assertThat(transformer.transform(child, "broken/Class", null, null, garbage))
                    .isNull();
            assertThat(transformer.transform(child, "broken/Empty", null, null, new byte[0]))
                    .isNull();
            assertThat(transformer.transform(child, "broken/Empty", null, null, new byte[0]))
                    .as("as another agent has it transformed again")
                    .isNull();
        }
        assertThat(transformer.failed()).isEqualTo(2);
        assertThat(failures).contains("broken.Class", "broken.Empty");
    }

    @Test
    void whatIsNotTheApplications_isLeftAlone() {
        byte[] classFile = WovenLoader.classFile(SHAPES);
        ClassLoader child = new ClassLoader(getClass().getClassLoader()) {};

        assertThat(transformer.transform(child, "com/lib/Shapes", null, null, classFile))
                .isNull();
        assertThat(transformer.transform(null, "dev/understudy/agent/weave/Shapes", null, null, classFile))
                .isNull();
        assertThat(transformer.transform(child, null, null, null, classFile)).isNull();
    }
}
