package dev.understudy.agent.weave;

import dev.understudy.agent.Fuzz;
import dev.understudy.agent.bootstrap.Probes;
import dev.understudy.agent.branch.BranchDirectory;
import dev.understudy.agent.branch.LockPlace;
import dev.understudy.agent.branch.SecondLevel;
import dev.understudy.agent.cache.WovenCache;
import dev.understudy.agent.lock.LockSites;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.ArrayList;
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
                Shapes.class,
                Makers.Order.class,
                Makers.Chosen.class,
                ClassReader.class,
                ClassWriter.class,
                MethodVisitor.class,
                Weaver.class,
                Random.class)) {
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
    void aKeptClassThatTellsOfLocks_isNotWovenAgain_andTellsOfTheSame() {
        byte[] classFile = classFile(Bank.class);
        weaver(new ProbeDirectory(), new BranchDirectory()).weave(loader, classFile);
        cache.keep(NO_CLASS_FILE, kept(classFile));
        BranchDirectory numbers = numbered(5);
        BranchDirectory numbersAnew = numbered(5);

        byte[] again = weaver(directory(3), numbers).weave(loader, NO_CLASS_FILE);

        byte[] anew = new Weaver(directory(3), WovenCache.none(), false, level(), new LockSites(numbersAnew))
                .weave(loader, classFile);
        assertThat(again).isNotNull().isEqualTo(anew);
        assertThat(places(numbers)).hasSizeGreaterThan(10).isEqualTo(places(numbersAnew));
    }

    @Test
    void synchronizedMethodsOfAKeptClass_areKnownToItsCallers() {
        byte[] till = classFile(Till.class);
        weaver(new ProbeDirectory(), new BranchDirectory()).weave(loader, till);
        Weaver next = weaver(new ProbeDirectory(), new BranchDirectory());
        byte[] alone = weaver(new ProbeDirectory(), new BranchDirectory()).weave(loader, classFile(Clerk.class));
        cache.keep(classFile(Clerk.class), NO_CLASS_FILE);

        next.weave(loader, till);

        assertThat(Objects.requireNonNull(next.weave(loader, classFile(Clerk.class))))
                .hasSizeGreaterThan(Objects.requireNonNull(alone).length);
    }

    @Test
    void probesOfAKeptClass_areNamedAsIfItWereWovenAnew() {
        byte[] classFile = classFile(Bank.class);
        new Weaver(new ProbeDirectory(), cache).weave(loader, classFile);
        ProbeDirectory directory = directory(3);
        ProbeDirectory anew = directory(3);

        new Weaver(directory, cache).weave(loader, classFile);
        new Weaver(anew).weave(loader, classFile);

        assertThat(directory.probes()).isEqualTo(anew.probes()).isGreaterThan(10);
        for (int probe = 1; probe < anew.probes(); probe++) {
            assertThat(directory.probe(probe)).hasToString(anew.probe(probe).toString());
            assertThat(directory.probe(probe).gate())
                    .isEqualTo(anew.probe(probe).gate());
            assertThat(directory.probe(probe).annotations())
                    .isEqualTo(anew.probe(probe).annotations());
        }
        assertThat(new Weaver(directory).weave(loader, classFile))
                .as("woven once more, as when it is retransformed")
                .isEqualTo(new Weaver(anew).weave(loader, classFile));
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
        for (int round = 0; round < Fuzz.rounds(300); round++) {
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

    private Weaver weaver(ProbeDirectory directory, BranchDirectory numbers) {
        return new Weaver(directory, cache, false, level(), new LockSites(numbers));
    }

    private static SecondLevel level() {
        return new SecondLevel(new BranchDirectory());
    }

    private BranchDirectory numbered(int taken) {
        BranchDirectory numbers = new BranchDirectory();
        for (int n = 0; n < taken; n++) {
            numbers.number(loader, "other.C", "m()V", "m", n, n, "lock");
        }
        return numbers;
    }

    private static List<String> places(BranchDirectory numbers) {
        List<String> places = new ArrayList<>();
        for (int number = 1; number < numbers.numbers(); number++) {
            LockPlace place = (LockPlace) numbers.site(number);
            places.add(place.className() + '#' + place.method() + ':' + place.line() + ' ' + place.lock());
        }
        return places;
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

    static final class Till {
        private int total;

        synchronized int close(int amount) {
            total += amount;
            return total;
        }
    }

    static final class Clerk {
        int twice(Till till, int amount) {
            return till.close(amount) + till.close(amount);
        }
    }
}
