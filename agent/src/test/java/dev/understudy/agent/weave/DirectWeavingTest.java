package dev.understudy.agent.weave;

import com.fasterxml.jackson.core.JsonFactory;
import dev.understudy.agent.Fuzz;
import dev.understudy.agent.branch.BranchDirectory;
import dev.understudy.agent.branch.SecondLevel;
import dev.understudy.agent.cache.WovenCache;
import dev.understudy.agent.classfile.UnusualClassFile;
import dev.understudy.agent.lock.LockSites;
import java.io.IOException;
import java.net.URI;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.Opcodes;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/** What is woven directly is what comes of taking class files apart and writing them anew, for thousands of them. */
final class DirectWeavingTest {
    /** Classes of each source. */
    private static final int SAMPLE = 300;

    private final ClassLoader loader = DirectWeavingTest.class.getClassLoader();

    static Stream<Class<?>> libraries() throws ClassNotFoundException {
        return Stream.of(
                JsonFactory.class,
                org.assertj.core.api.Assertions.class,
                com.tngtech.archunit.core.domain.JavaClass.class,
                net.bytebuddy.ByteBuddy.class,
                groovy.lang.GroovyShell.class,
                kotlin.Unit.class,
                kotlinx.coroutines.BuildersKt.class,
                scala.Function1.class);
    }

    @ParameterizedTest
    @MethodSource("libraries")
    void classOfLibrary_isWovenAsByTheOtherWay(Class<?> member) throws Exception {
        Path jar = Path.of(
                member.getProtectionDomain().getCodeSource().getLocation().toURI());
        List<byte[]> files = new ArrayList<>();
        try (JarFile all = new JarFile(jar.toFile())) {
            Stream<String> names = all.stream().map(Object::toString).filter(DirectWeavingTest::isClass);
            for (String name : some(names, Fuzz.rounds(SAMPLE))) {
                files.add(all.getInputStream(all.getEntry(name)).readAllBytes());
            }
        }
        assertSame(files);
    }

    @ParameterizedTest
    @MethodSource("modules")
    void classOfTheJdk_isWovenAsByTheOtherWay(String module) throws Exception {
        Path root = FileSystems.getFileSystem(URI.create("jrt:/")).getPath("modules", module);
        List<byte[]> files = new ArrayList<>();
        try (Stream<Path> all = Files.walk(root)) {
            for (Path file : some(all.filter(path -> isClass(path.toString())), SAMPLE)) {
                files.add(Files.readAllBytes(file));
            }
        }
        assertSame(files);
    }

    static Stream<String> modules() {
        return Stream.of("java.base", "java.desktop", "java.xml", "jdk.compiler");
    }

    @Test
    void classOfAnOlderVersion_isLeftToTheOtherWay() {
        byte[] old = WovenLoader.classFile(Bank.class.getName());
        old[7] = Opcodes.V1_6;
        assertThat(directly(old, new ProbeDirectory(), new LockSites(new BranchDirectory()), WovenCache.none()))
                .isNull();
        assertThat(new Weaver(new ProbeDirectory()).weave(loader, old)).isNotNull();
    }

    /** Among damaged ones are some that only the other way can read. */
    @Test
    void classFileThatSurprises_isToldOfAndOneOfAnOlderVersionIsNot() {
        List<String> surprises = new ArrayList<>();
        Weaver weaver = new Weaver(
                new ProbeDirectory(),
                WovenCache.none(),
                false,
                new SecondLevel(new BranchDirectory()),
                null,
                (className, surprise) -> surprises.add(className));
        byte[] whole = WovenLoader.classFile(Bank.class.getName());
        byte[] old = whole.clone();
        old[7] = Opcodes.V1_6;
        weaver.weave(loader, whole);
        weaver.weave(loader, old);
        assertThat(surprises).isEmpty();

        Random random = new Random(17);
        for (int n = 0; n < 20_000 && surprises.isEmpty(); n++) {
            try {
                weaver.weave(loader, damaged(whole, random));
            } catch (RuntimeException unreadable) {
                assertThat(surprises).isEmpty();
            }
        }
        assertThat(surprises).hasSize(1);
    }

    /** Nothing but a {@link RuntimeException} comes of it: no error, no end of memory, no loop without an end. */
    @Test
    @Timeout(300)
    void damagedClassFile_isWovenOrRefused() {
        List<byte[]> whole = Stream.of(
                        Bank.class, Makers.class, Shapes.class, Sums.class, LockUse.class, Switches.class)
                .map(one -> WovenLoader.classFile(one.getName()))
                .toList();
        Random random = new Random(31);
        int refused = 0;
        int rounds = Fuzz.rounds(6_000);
        for (int n = 0; n < rounds; n++) {
            byte[] damaged = damaged(whole.get(n % whole.size()), random);
            try {
                DirectWeaving.anew(
                        new ProbeDirectory(), new LockSites(new BranchDirectory()), loader, damaged, WovenCache.none());
            } catch (RuntimeException strange) {
                refused++;
            }
        }
        assertThat(refused).isBetween(rounds / 20, rounds * 19 / 20);
    }

    static byte[] damaged(byte[] whole, Random random) {
        byte[] file = whole.clone();
        for (int damages = random.nextInt(4); damages >= 0; damages--) {
            int at = 8 + random.nextInt(file.length - 12);
            if (random.nextBoolean()) {
                file[at] = (byte) random.nextInt(256);
            } else {
                Arrays.fill(file, at, at + 4, (byte) (random.nextBoolean() ? 0x7F : 0xFF));
            }
        }
        return random.nextInt(8) == 0 ? Arrays.copyOf(file, random.nextInt(file.length)) : file;
    }

    @Test
    void whatIsKept_isGivenTheSameNumbers(@TempDir Path folder) throws Exception {
        WovenCache direct = WovenCache.open(folder.resolve("direct"), 1);
        WovenCache other = WovenCache.open(folder.resolve("other"), 1);
        LockSites sites = new LockSites(new BranchDirectory());
        for (Class<?> one : List.of(Bank.class, Archive.class, Makers.class, Shapes.class, Sums.class, LockUse.class)) {
            byte[] file = WovenLoader.classFile(one.getName());
            directly(file, new ProbeDirectory(), sites, direct);
            taken(file, new ProbeDirectory(), sites, other);
            assertThat(again(direct, file)).isEqualTo(again(other, file));
        }
    }

    private byte[] again(WovenCache cache, byte[] file) throws IOException {
        ProbeDirectory directory = new ProbeDirectory();
        new Weaver(directory).weave(loader, WovenLoader.classFile(Forks.class.getName()));
        LockSites sites = new LockSites(new BranchDirectory());
        byte[] kept = Objects.requireNonNull(cache.find(file));
        return ClassFiles.normal(Objects.requireNonNull(Numbered.read(kept).renumbered(loader, directory, sites)));
    }

    private static <T> List<T> some(Stream<T> all, int most) {
        List<T> shuffled = all.collect(Collectors.toList());
        Collections.shuffle(shuffled, new Random(29));
        return shuffled.subList(0, Math.min(shuffled.size(), most));
    }

    private void assertSame(List<byte[]> files) {
        ProbeDirectory one = new ProbeDirectory();
        ProbeDirectory other = new ProbeDirectory();
        LockSites sites = new LockSites(new BranchDirectory());
        LockSites otherSites = new LockSites(new BranchDirectory());
        int woven = 0;
        List<String> unusual = new ArrayList<>();
        for (byte[] file : files) {
            if (file[7] < Opcodes.V1_7 || new ClassReader(file).getClassName().equals("module-info")) {
                continue;
            }
            String name = new ClassReader(file).getClassName();
            byte[] expected = taken(file, other, otherSites, WovenCache.none());
            byte[] direct;
            try {
                direct = DirectWeaving.anew(one, sites, loader, file, WovenCache.none());
            } catch (UnusualClassFile left) {
                taken(file, one, sites, WovenCache.none());
                unusual.add(name + ": " + left.getMessage());
                continue;
            }
            assertThat(direct == null).as(name).isEqualTo(expected == null);
            if (direct != null && expected != null) {
                woven++;
                assertThat(ClassFiles.normal(direct)).as(name).isEqualTo(ClassFiles.normal(expected));
            }
        }
        assertThat(unusual).hasSizeLessThanOrEqualTo(1 + woven / 50);
        assertThat(one.probes()).isEqualTo(other.probes());
    }

    private byte @Nullable [] directly(byte[] file, ProbeDirectory directory, LockSites sites, WovenCache cache) {
        try {
            return DirectWeaving.anew(directory, sites, loader, file, cache);
        } catch (UnusualClassFile left) {
            return null;
        }
    }

    private byte @Nullable [] taken(byte[] file, ProbeDirectory directory, LockSites sites, WovenCache cache) {
        return new Weaving(directory, false, sites).anew(loader, file, cache, null, false);
    }

    private static boolean isClass(String name) {
        return name.endsWith(".class") && !name.endsWith("module-info.class") && !name.startsWith("META-INF");
    }

    /** Has a switch of either kind, in a constructor too. */
    static final class Switches {
        private final int chosen;

        Switches(int number) {
            chosen = switch (number) {
                case 1 -> dense(2);
                case 2 -> dense(3);
                case 3 -> dense(4);
                default -> sparse(number);
            };
        }

        int dense(int number) {
            return switch (number) {
                case 0 -> sparse(7);
                case 1 -> 5;
                case 2 -> 4;
                default -> chosen;
            };
        }

        static int sparse(int number) {
            return switch (number) {
                case 7 -> 1;
                case 7_000 -> 2;
                case 7_000_000 -> 3;
                default -> number;
            };
        }
    }

    /** Takes locks of all kinds. */
    static final class LockUse {
        private final java.util.concurrent.locks.ReentrantLock lock = new java.util.concurrent.locks.ReentrantLock();
        private int sum;

        synchronized int whole(int more) {
            return sum += more;
        }

        int part(int more) {
            synchronized (this) {
                sum += more;
            }
            lock.lock();
            try {
                return whole(more);
            } finally {
                lock.unlock();
            }
        }
    }
}
