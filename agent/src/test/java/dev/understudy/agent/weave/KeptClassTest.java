package dev.understudy.agent.weave;

import dev.understudy.agent.bootstrap.Probes;
import dev.understudy.agent.cache.WovenCache;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.ClassWriter;
import net.bytebuddy.jar.asm.MethodVisitor;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/** A class that was woven in an earlier run, whose numbers were others. */
final class KeptClassTest {
    private static final String SHAPES = Shapes.class.getName();
    private static final byte[] NO_CLASS_FILE = {1, 2, 3};

    @TempDir
    private Path folder;

    private WovenCache cache = WovenCache.none();
    private final WovenLoader loader = new WovenLoader(name -> false);

    @BeforeEach
    void openCache() throws IOException {
        cache = WovenCache.open(folder.resolve("cache"), 1);
    }

    @Test
    void aKeptClass_isTheSameAsIfItWereWovenAnew() {
        for (Class<?> some : List.of(
                Shapes.class, ClassReader.class, ClassWriter.class, MethodVisitor.class, Weaver.class, Random.class)) {
            byte[] classFile = classFile(some);
            new Weaver(new ProbeDirectory(), cache).weave(loader, classFile);
            ProbeDirectory directory = directory(some.getName().length());

            byte[] again = new Weaver(directory, cache).weave(loader, classFile);

            assertThat(again).isNotNull().isEqualTo(new Weaver(directory).weave(loader, classFile));
        }
    }

    @Test
    void aKeptClass_isNotWovenAgain() {
        byte[] classFile = WovenLoader.classFile(SHAPES);
        new Weaver(new ProbeDirectory(), cache).weave(loader, classFile);
        cache.keep(NO_CLASS_FILE, kept(classFile));

        assertThat(new Weaver(directory(3), cache).weave(loader, NO_CLASS_FILE)).isNotNull();
    }

    @Test
    void aClassWithNothingToWeave_isNotReadAgain() {
        byte[] classFile = classFile(Bracket.class);
        assertThat(new Weaver(new ProbeDirectory(), cache).weave(loader, classFile))
                .isNull();
        cache.keep(NO_CLASS_FILE, kept(classFile));

        assertThat(new Weaver(new ProbeDirectory(), cache).weave(loader, NO_CLASS_FILE))
                .isNull();
    }

    @Test
    void aKeptClass_countsItsCallsAtItsNewNumbers() throws Exception {
        byte[] classFile = WovenLoader.classFile(SHAPES);
        new Weaver(new ProbeDirectory(), cache).weave(loader, classFile);
        byte[] again = Objects.requireNonNull(new Weaver(WovenLoader.DIRECTORY, cache).weave(loader, classFile));
        Class<?> shapes = new ClassLoader(getClass().getClassLoader()) {
            Class<?> define() {
                return defineClass(SHAPES, again, 0, again.length);
            }
        }.define();
        int probe = WovenLoader.DIRECTORY.number(
                Objects.requireNonNull(WovenLoader.DIRECTORY.woven(loader, SHAPES)),
                "recursive",
                "(I)I",
                false,
                List.of());
        int before = Probes.hits(probe);
        Method recursive = shapes.getDeclaredMethod("recursive", int.class);
        recursive.setAccessible(true);

        assertThat(recursive.invoke(null, 10)).isEqualTo(89);

        assertThat(Probes.hits(probe) - before).isEqualTo(177);
    }

    @Test
    void whatIsNotWhole_isWovenAnew() {
        byte[] classFile = WovenLoader.classFile(SHAPES);
        new Weaver(new ProbeDirectory(), cache).weave(loader, classFile);
        byte[] whole = kept(classFile);
        ProbeDirectory directory = new ProbeDirectory();
        byte[] anew = new Weaver(directory).weave(loader, classFile);
        Random random = new Random(5);
        for (int round = 0; round < 300; round++) {
            int length = 1 + random.nextInt(whole.length - 1);
            cache.keep(classFile, Arrays.copyOf(whole, length));
            assertThat(new Weaver(directory, cache).weave(loader, classFile))
                    .as("%d bytes", length)
                    .isEqualTo(anew);
        }
    }

    private byte[] kept(byte[] classFile) {
        return Objects.requireNonNull(cache.find(classFile));
    }

    /** One whose next numbers aren't the first. */
    private ProbeDirectory directory(int taken) {
        ProbeDirectory directory = new ProbeDirectory();
        for (int n = 0; n < taken; n++) {
            WovenClass other = Objects.requireNonNull(directory.woven(loader, "other.C" + n));
            directory.number(other, "m", "()V", false, List.of());
        }
        return directory;
    }

    private static byte[] classFile(Class<?> type) {
        try (InputStream in = type.getResourceAsStream("/" + type.getName().replace('.', '/') + ".class")) {
            return Objects.requireNonNull(in).readAllBytes();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
