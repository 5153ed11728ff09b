package dev.understudy.agent.loading;

import dev.understudy.agent.Fuzz;
import dev.understudy.agent.bootstrap.OwnClasses;
import dev.understudy.agent.weave.WovenLoader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class LoaderTransformerTest {
    private static final ClassLoader APPLICATION = new ClassLoader(LoaderTransformerTest.class.getClassLoader()) {};

    private final List<String> failures = new ArrayList<>();
    private final LoaderTransformer transformer = new LoaderTransformer((name, problem) -> failures.add(name));

    @Test
    void aLoadersLoadClass_asksForOurClassesFirst_andPassesTheVerifier() throws Exception {
        byte[] edited = Objects.requireNonNull(transform(APPLICATION, "PickyLoader"));
        assertThat(new String(edited, StandardCharsets.ISO_8859_1))
                .contains(OwnClasses.class.getName().replace('.', '/'));

        ClassLoader loader = (ClassLoader)
                new ClassLoader(APPLICATION) {
                    Class<?> define() {
                        return defineClass(null, edited, 0, edited.length);
                    }
                }.define().getDeclaredConstructor().newInstance();
        assertThat(loader.loadClass("java.lang.String")).isEqualTo(String.class);
        assertThat(loader.loadClass("no.such.Thing")).isEqualTo(PickyLoader.class.getSuperclass());
    }

    @Test
    void whatIsNoLoader_orTheJdks_staysAsItIs() {
        assertThat(transformer.transform(APPLICATION, "any/Picky", null, null, classFile("PickyLoader")))
                .isNull();
        assertThat(transform(APPLICATION, "LoaderTransformerTest")).isNull();
        assertThat(transform(APPLICATION, "StaticLoader")).isNull();
        assertThat(transform(null, "PickyLoader")).isNull();
        assertThat(transform(ClassLoader.getPlatformClassLoader(), "PickyLoader"))
                .isNull();
        assertThat(failures).isEmpty();
    }

    @Test
    void garbage_isLeftAloneAndTold() {
        byte[] good = classFile("PickyLoader");
        for (int seed = 0; seed < Fuzz.rounds(300); seed++) {
            Random random = new Random(seed);
            byte[] bad = good.clone();
            for (int i = 0; i < 3; i++) {
                bad[random.nextInt(bad.length)] = (byte) random.nextInt();
            }
            transformer.transform(APPLICATION, "any/Loader", null, null, bad);
        }
        assertThat(failures).isNotEmpty().allMatch("any.Loader"::equals);
    }

    private byte @Nullable [] transform(@Nullable ClassLoader loader, String name) {
        return transformer.transform(loader, "any/" + name, null, null, classFile(name));
    }

    private static byte[] classFile(String name) {
        String own = LoaderTransformerTest.class.getName();
        return WovenLoader.classFile(own.endsWith(name) ? own : own + "$" + name);
    }

    /** Has no loader as its first argument. */
    static final class StaticLoader {
        private StaticLoader() {}

        static Class<?> loadClass(String name) {
            return name.getClass();
        }
    }

    /** Knows a few classes only, and none by its parent. */
    public static final class PickyLoader extends ClassLoader {
        public PickyLoader() {
            super(null);
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            for (int i = 0; i < 2; i++) {
                if (name.startsWith("java.") && i == 1) {
                    return super.loadClass(name, resolve);
                }
            }
            return ClassLoader.class;
        }
    }
}
