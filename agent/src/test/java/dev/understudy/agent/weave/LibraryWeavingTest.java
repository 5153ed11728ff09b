package dev.understudy.agent.weave;

import com.fasterxml.jackson.core.JsonFactory;
import dev.understudy.agent.Fuzz;
import dev.understudy.agent.branch.BranchDirectory;
import dev.understudy.agent.branch.SecondLevel;
import dev.understudy.agent.cache.WovenCache;
import dev.understudy.agent.lock.LockSites;
import java.io.IOException;
import java.io.StringWriter;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Whole libraries, woven and verified by the JVM. */
final class LibraryWeavingTest {
    /** Classes of each library; those that they need come with them. */
    private static final int SAMPLE = Fuzz.rounds(250);

    static Stream<Class<?>> libraries() throws ClassNotFoundException {
        return Stream.of(
                JsonFactory.class,
                org.assertj.core.api.Assertions.class,
                com.tngtech.archunit.core.domain.JavaClass.class,
                io.opentelemetry.sdk.trace.SdkTracerProvider.class,
                net.bytebuddy.ByteBuddy.class);
    }

    @ParameterizedTest
    @MethodSource("libraries")
    void everyClass_passesTheJvmsVerifier(Class<?> member) throws Exception {
        Set<String> all = Set.copyOf(LibraryClasses.of(member));
        ProbeDirectory directory = new ProbeDirectory();
        assertThat(verified(some(member), new WovenLoader(all::contains, directory)))
                .isGreaterThan(SAMPLE / 5);
        assertThat(directory.probes()).isGreaterThan(100);
    }

    @ParameterizedTest
    @MethodSource("libraries")
    void everyClass_passesItWithItsBranchesValuesAndLocksToo(Class<?> member) throws Exception {
        DeepLoader loader = new DeepLoader(LibraryClasses.of(member));
        assertThat(verified(some(member), loader)).isGreaterThan(SAMPLE / 5);
        assertThat(loader.numbers).isGreaterThan(4 * SAMPLE);
    }

    static Stream<Class<?>> compiledByOthers() {
        return Stream.of(
                groovy.lang.GroovyShell.class,
                kotlin.Unit.class,
                kotlinx.coroutines.BuildersKt.class,
                scala.Function1.class);
    }

    @ParameterizedTest
    @MethodSource("compiledByOthers")
    void whatOtherCompilersMade_passesItToo(Class<?> member) throws Exception {
        Set<String> all = Set.copyOf(LibraryClasses.of(member));
        assertThat(verified(some(member), new WovenLoader(all::contains, new ProbeDirectory())))
                .isGreaterThan(SAMPLE / 5);
        assertThat(verified(some(member), new DeepLoader(LibraryClasses.of(member))))
                .isGreaterThan(SAMPLE / 5);
    }

    private static List<String> some(Class<?> member) throws Exception {
        List<String> names = LibraryClasses.of(member);
        Collections.shuffle(names, new Random(23));
        return names.subList(0, Math.min(names.size(), SAMPLE));
    }

    private static int verified(List<String> names, ClassLoader loader) throws ClassNotFoundException {
        int verified = 0;
        for (String name : names) {
            try {
                // HotSpot links a class before it lists its methods; linking verifies and runs nothing
                verified += loader.loadClass(name).getDeclaredMethods().length > 0 ? 1 : 0;
            } catch (VerifyError wrong) {
                throw new AssertionError(name, wrong);
            } catch (NoClassDefFoundError optional) {
                // a class for a library that isn't here
            }
        }
        return verified;
    }

    @Test
    void wovenJackson_writesWhatPlainJacksonWrites() throws Exception {
        List<String> names = LibraryClasses.of(JsonFactory.class);
        WovenLoader loader = new WovenLoader(
                name -> names.contains(name) || name.equals(Json.class.getName()), new ProbeDirectory());
        Class<?> json = loader.loadClass(Json.class.getName());
        for (long seed = 0; seed < 20; seed++) {
            assertThat(json.getMethod("roundTrip", long.class).invoke(null, seed))
                    .as("seed %d", seed)
                    .isEqualTo(Json.roundTrip(seed));
        }
    }

    /** Defines each class on the second level, with numbers enough for all of it. */
    private static final class DeepLoader extends ClassLoader {
        private final ProbeDirectory probes = new ProbeDirectory();
        private final Set<String> names;
        private int numbers;

        DeepLoader(List<String> names) {
            super(LibraryWeavingTest.class.getClassLoader());
            this.names = Set.copyOf(names);
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            synchronized (getClassLoadingLock(name)) {
                Class<?> loaded = findLoadedClass(name);
                if (loaded == null && names.contains(name)) {
                    byte[] deep = deep(name);
                    return defineClass(name, deep, 0, deep.length);
                }
                return loaded == null ? super.loadClass(name, resolve) : loaded;
            }
        }

        private byte[] deep(String name) {
            BranchDirectory directory = new BranchDirectory();
            SecondLevel level = new SecondLevel(directory);
            level.set(Set.of(name), Set.of());
            LockSites locks = new LockSites(directory);
            byte[] plain = WovenLoader.classFile(name);
            byte[] deep = new Weaver(probes, WovenCache.none(), false, level, locks).weave(this, plain);
            numbers += directory.numbers() - 1;
            return deep == null ? plain : deep;
        }
    }

    /** Writes and reads a document with whichever Jackson its own loader finds. */
    public static final class Json {
        private Json() {}

        public static String roundTrip(long seed) throws IOException {
            Random random = new Random(seed);
            JsonFactory factory = new JsonFactory();
            StringWriter text = new StringWriter();
            try (var out = factory.createGenerator(text)) {
                out.writeStartArray();
                for (int i = 0; i < 200; i++) {
                    out.writeStartObject();
                    out.writeNumberField("long", random.nextLong());
                    out.writeNumberField("double", random.nextGaussian());
                    out.writeStringField("text", "\u00e9\"\\\n" + random.nextInt() + "\uD83D\uDE00");
                    out.writeEndObject();
                }
                out.writeEndArray();
            }
            StringBuilder tokens = new StringBuilder();
            try (var in = factory.createParser(text.toString())) {
                while (in.nextToken() != null) {
                    tokens.append(in.currentToken()).append(in.getText());
                }
            }
            return text + tokens.toString();
        }
    }
}
