package dev.understudy.agent.weave;

import dev.understudy.agent.bootstrap.Branches;
import dev.understudy.agent.bootstrap.ExchangeTraffic;
import dev.understudy.agent.bootstrap.ObservedPredicate;
import dev.understudy.agent.branch.BranchDirectory;
import dev.understudy.agent.branch.BranchValue;
import dev.understudy.agent.branch.JumpSite;
import dev.understudy.agent.branch.SecondLevel;
import dev.understudy.agent.cache.WovenCache;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.ClassVisitor;
import net.bytebuddy.jar.asm.ClassWriter;
import net.bytebuddy.jar.asm.Opcodes;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** What is told of values, in classes on the second level. */
final class ValuesTest {
    private static final String SUMS = Sums.class.getName();
    private static final String SHAPES = Shapes.class.getName();

    /** Numbers are the JVM's, so all tests share them. */
    private static final BranchDirectory DIRECTORY = new BranchDirectory();

    @Test
    void aStoredNumber_isToldAloneAndBesideArguments() throws Exception {
        Class<?> sums = deep(SUMS);

        assertThat(told(sums, "within", 10, 3))
                .containsExactly(
                        "entry number limit: 6",
                        "entry number used: 4",
                        "store number left: 5",
                        "store pair left limit: 0",
                        "store pair left used: 2",
                        "return number : 6",
                        "return pair  limit: 2",
                        "return pair  used: 2",
                        "return pair  left: 2");
        assertThat(told(sums, "within", 6, 3)).contains("store pair left used: 1", "store pair left limit: 0");
        assertThat(told(sums, "within", 0, 5))
                .contains("store number left: 0", "return pair  left: 0", "entry number limit: 2");
    }

    @Test
    void longs_areComparedWithLongs_exceptWhatAJumpCompares() throws Exception {
        List<String> told = told(deep(SUMS), "longs", 1L << 40, 2, 5L);

        assertThat(told)
                .containsExactly(
                        "entry number start: 15",
                        "entry number step: 4",
                        "entry number end: 5",
                        "store number sum: 15",
                        "store pair sum start: 2",
                        "return number : 15",
                        "return pair  start: 2");
        assertThat(told(deep(SUMS), "longs", -7L, 0, 0L))
                .contains("store pair sum start: 1", "store pair sum start: 0");
    }

    @Test
    void arguments_areToldByTheirKind() throws Exception {
        Class<?> sums = deep(SUMS);

        assertThat(told(sums, "called", null, true, -1, List.of(), new HashMap<>(), 1.0))
                .containsExactly(
                        "entry object text: 0",
                        "entry truth flag: 1",
                        "entry number number: 1",
                        "entry object list: 1",
                        "entry object list: 2",
                        "entry object map: 1",
                        "entry object map: 2");
        assertThat(told(sums, "called", "/a?b=c&d=%20", false, 70_000, List.of("x"), new Own(), 1.0))
                .containsExactly(
                        "entry object text: 1",
                        "entry object text: 3",
                        "entry object text: 4",
                        "entry object text: 5",
                        "entry object text: 6",
                        "entry truth flag: 0",
                        "entry number number: 14",
                        "entry object list: 1",
                        "entry object list: 3",
                        "entry object map: 1");
    }

    @Test
    void texts_areToldByTheCharactersTheyHave() throws Exception {
        Class<?> sums = deep(SUMS);

        assertThat(text(sums, "")).containsExactly(1, 2);
        assertThat(text(sums, "plain")).containsExactly(1, 3);
        assertThat(text(sums, "0123456789")).containsExactly(1, 3, 11);
        assertThat(text(sums, "O'Neill <b>")).containsExactly(1, 3, 7, 8, 9);
        assertThat(text(sums, "f\u00fcr")).containsExactly(1, 3, 10);
        assertThat(text(sums, "1".repeat(256))).containsExactly(1, 3, 11);
        assertThat(text(sums, "1".repeat(256) + "?")).containsExactly(1, 3, 12);
    }

    @Test
    void fields_areToldWhereTheyAreWritten() throws Exception {
        assertThat(told(deep(SUMS), "raise", 3))
                .containsExactly(
                        "entry number by: 4",
                        "entry number by: 4",
                        "store number most: 5",
                        "store pair most by: 2",
                        "store number most: 6",
                        "store pair most by: 2",
                        "return number : 6",
                        "return pair  by: 2");
    }

    @Test
    void pairs_areSharedOutAmongThePlaces_upToSixteen() throws Exception {
        List<String> pairs = told(deep(SUMS), "many", 1, 2, 3).stream()
                .filter(one -> one.contains(" pair "))
                .map(one -> one.substring(0, one.indexOf(':')))
                .distinct()
                .collect(Collectors.toList());

        assertThat(pairs)
                .as("i is stored in two lines")
                .hasSize(14)
                .contains("store pair d a", "store pair e b", "store pair i a", "return pair  a");
        assertThat(pairs).doesNotContain("store pair i h").noneMatch(pair -> pair.contains("constant"));
    }

    @Test
    void aLoop_isToldOnce_andItsTextsAreLookedAtOnlySoOften() throws Exception {
        Class<?> sums = deep(SUMS);
        Method called = method(sums, "called");
        List<String> told = words(() -> {
            for (int i = 0; i < 100; i++) {
                called.invoke(null, i < 64 ? "a" : "?", false, i, List.of(), Map.of(), 0.0);
            }
            return null;
        });

        assertThat(told).contains("entry object text: 3").doesNotContain("entry object text: 4");
        assertThat(told)
                .contains("entry number number: 2", "entry number number: 9")
                .doesNotHaveDuplicates();
        assertThat(text(sums, "?")).as("the next exchange").contains(4);
    }

    @Test
    void passes_areCountedThoughNothingIsObserved() throws Exception {
        Class<?> sums = deep(SUMS);
        int number = IntStream.range(1, DIRECTORY.numbers())
                .filter(one -> DIRECTORY.site(one) instanceof BranchValue value
                        && value.name().equals("used"))
                .max()
                .orElseThrow();
        int before = Branches.passed(number);
        for (int i = 0; i < 7; i++) {
            method(sums, "within").invoke(null, i, i);
        }

        assertThat(Branches.passed(number) - before).isEqualTo(7);
    }

    @Test
    void aClassThatTellsItsBranchesOnly_tellsNoValues() throws Exception {
        SecondLevel level = new SecondLevel(DIRECTORY);
        level.set(Set.of(SUMS), Set.of(SUMS));

        assertThat(told(loader(level, SUMS).loadClass(SUMS), "within", 1, 2)).isEmpty();
    }

    @Test
    void methodsWithTheirValues_haveTheResultsOfPlainOnes() throws Exception {
        Method shapes = deep(SHAPES).getMethod("transcript", long.class);
        Random seeds = new Random(5);
        for (int round = 0; round < 40; round++) {
            long seed = seeds.nextLong();
            assertThat(shapes.invoke(null, seed)).as("seed %d", seed).isEqualTo(Shapes.transcript(seed));
        }
        Method branchy = method(deep(SUMS), "branchy");
        for (int n = -5; n < 20; n++) {
            assertThat(branchy.invoke(null, n)).as("n %d", n).isEqualTo(Sums.branchy(n));
        }
    }

    @Test
    void withoutNames_argumentsAreNumbered() throws Exception {
        byte[] bare = read(WovenLoader.classFile(SUMS), 0, ClassReader.SKIP_DEBUG);
        assertThat(told(define(SUMS, bare), "within", 10, 3))
                .containsExactly(
                        "entry number argument 1: 6",
                        "entry number argument 2: 4",
                        "return number : 6",
                        "return pair  argument 1: 2",
                        "return pair  argument 2: 2");
    }

    @Test
    void beforeClassFilesHadFrames_onlyArgumentsAreTold() throws Exception {
        for (int version : new int[] {Opcodes.V1_5, Opcodes.V1_6}) {
            byte[] old = read(WovenLoader.classFile(SUMS), version, ClassReader.EXPAND_FRAMES);
            assertThat(told(define(SUMS, old), "within", 10, 3))
                    .as("version %d", version)
                    .containsExactly("entry number limit: 6", "entry number used: 4");
        }
    }

    @Test
    void aMethodWovenAgain_keepsItsNumbers() {
        SecondLevel level = new SecondLevel(DIRECTORY);
        level.set(Set.of(SUMS), Set.of());
        Weaver weaver = weaver(level);
        WovenLoader own = new WovenLoader(name -> false);
        byte[] first = weaver.weave(own, WovenLoader.classFile(SUMS));
        int numbers = DIRECTORY.numbers();

        assertThat(weaver.weave(own, WovenLoader.classFile(SUMS))).isEqualTo(first);
        assertThat(DIRECTORY.numbers()).isEqualTo(numbers);
    }

    @Test
    void values_leaveNumbersToBranches() {
        BranchDirectory directory = new BranchDirectory();
        SecondLevel level = new SecondLevel(directory);
        level.set(Set.of(SUMS), Set.of());
        Weaver weaver = weaver(level);
        List<WovenLoader> loaders = new ArrayList<>();
        for (int before = 0; before < directory.numbers(); ) {
            before = directory.numbers();
            WovenLoader own = new WovenLoader(name -> false);
            loaders.add(own);
            weaver.weave(own, WovenLoader.classFile(SUMS));
            if (loaders.size() > 400) {
                break; // branches of that many loaders still get numbers
            }
        }
        long values = IntStream.range(1, directory.numbers())
                .filter(number -> directory.site(number) instanceof BranchValue)
                .count();

        assertThat(values).isEqualTo(Branches.CAPACITY / 2);
        assertThat(directory.numbers() - 1 - values).isGreaterThan(400);
    }

    @Test
    void garbage_isRefusedByAnException() {
        byte[] good = WovenLoader.classFile(SUMS);
        SecondLevel level = new SecondLevel(new BranchDirectory());
        level.set(Set.of(SUMS), Set.of());
        Weaver weaver = weaver(level);
        WovenLoader.weaveGarbage(weaver, good);
    }

    /** The same class with another version, or without what the options skip. */
    private static byte[] read(byte[] classFile, int version, int options) {
        ClassWriter writer = new ClassWriter(0);
        new ClassReader(classFile)
                .accept(
                        new ClassVisitor(Opcodes.ASM9, writer) {
                            @Override
                            public void visit(
                                    int own,
                                    int access,
                                    String name,
                                    @Nullable String signature,
                                    @Nullable String superName,
                                    String @Nullable [] interfaces) {
                                super.visit(
                                        version == 0 ? own : version, access, name, signature, superName, interfaces);
                            }
                        },
                        options);
        return writer.toByteArray();
    }

    private static List<Integer> text(Class<?> sums, String text) throws Exception {
        return told(sums, "called", text, false, 0, List.of(), Map.of(), 0.0).stream()
                .filter(one -> one.startsWith("entry object text: "))
                .map(one -> Integer.parseInt(one.substring("entry object text: ".length())))
                .sorted()
                .collect(Collectors.toList());
    }

    private static Class<?> deep(String name) throws ClassNotFoundException {
        SecondLevel level = new SecondLevel(DIRECTORY);
        level.set(Set.of(name), Set.of());
        return loader(level, name).loadClass(name);
    }

    private static Class<?> define(String name, byte[] classFile) {
        SecondLevel level = new SecondLevel(DIRECTORY);
        level.set(Set.of(name), Set.of());
        return new WovenLoader(any -> false, weaver(level)).define(name, classFile);
    }

    private static WovenLoader loader(SecondLevel level, String name) {
        return new WovenLoader(one -> one.startsWith(name), weaver(level));
    }

    private static Weaver weaver(SecondLevel level) {
        return new Weaver(WovenLoader.DIRECTORY, WovenCache.none(), false, level);
    }

    private static Method method(Class<?> type, String name) {
        Method called = Stream.of(type.getDeclaredMethods())
                .filter(one -> one.getName().equals(name))
                .findFirst()
                .orElseThrow();
        called.setAccessible(true);
        return called;
    }

    /** What is told of values in a call of the method, by the numbers of the kinds. */
    private static List<String> told(Class<?> type, String name, @Nullable Object... arguments) throws Exception {
        Method called = method(type, name);
        return words(() -> called.invoke(null, arguments));
    }

    private static List<String> words(java.util.concurrent.Callable<?> work) throws Exception {
        List<String> told = new ArrayList<>();
        for (int predicate : ExchangeTraffic.of(work).predicates()) {
            int number = predicate / ObservedPredicate.KINDS - ObservedPredicate.BRANCHES;
            JumpSite site = number < 0 ? null : DIRECTORY.site(number);
            if (site instanceof BranchValue value) {
                String other = value.other().isEmpty() ? "" : " " + value.other();
                told.add(value.at() + " " + value.kind() + " " + value.name() + other + ": "
                        + predicate % ObservedPredicate.KINDS);
            }
        }
        return told;
    }

    /** Not the JDK's, so it isn't asked whether it is empty. */
    private static final class Own extends HashMap<String, String> {
        private static final long serialVersionUID = 1;

        @Override
        public boolean isEmpty() {
            return false;
        }
    }
}
