package dev.understudy.agent.weave;

import dev.understudy.agent.bootstrap.Branches;
import dev.understudy.agent.bootstrap.ExchangeTraffic;
import dev.understudy.agent.bootstrap.ObservedPredicate;
import dev.understudy.agent.branch.BranchDirectory;
import dev.understudy.agent.branch.BranchSite;
import dev.understudy.agent.branch.JumpSite;
import dev.understudy.agent.branch.SecondLevel;
import dev.understudy.agent.cache.WovenCache;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import net.bytebuddy.jar.asm.ClassWriter;
import net.bytebuddy.jar.asm.Label;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Classes on the second level. */
final class BranchesTest {
    private static final String FORKS = Forks.class.getName();
    private static final String SHAPES = Shapes.class.getName();
    private static final int KINDS = ObservedPredicate.KINDS;
    private static final int JUMPED = 13;
    private static final int WENT_ON = 14;
    private static final int LEAST = Integer.MIN_VALUE;

    /** Numbers are the JVM's, so all tests share them. */
    private static final BranchDirectory DIRECTORY = new BranchDirectory();

    @Test
    void anIf_isToldBothWays() throws Exception {
        Class<?> forks = deep(FORKS);

        assertThat(told(forks, "sign", -4)).containsExactly("sign 0 on");
        assertThat(told(forks, "sign", 0)).containsExactly("sign 0>3", "sign 3 on");
        assertThat(told(forks, "sign", 9)).containsExactly("sign 0>3", "sign 3>3");
    }

    @Test
    void aLoop_isToldOnceEachWay_howeverOftenItRuns() throws Exception {
        Class<?> forks = deep(FORKS);

        assertThat(told(forks, "loop", 0)).containsExactly("loop 0>3");
        assertThat(told(forks, "loop", 5000)).containsExactly("loop 0 on", "loop 0>3");
    }

    @Test
    void aSwitch_isToldByTheLineItGoesTo() throws Exception {
        Class<?> forks = deep(FORKS);

        assertThat(told(forks, "dense", 1)).containsExactly("dense 0>>2");
        assertThat(told(forks, "dense", 3)).containsExactly("dense 0>>8");
        assertThat(told(forks, "dense", 4)).containsExactly("dense 0>>6");
        assertThat(told(forks, "dense", LEAST)).containsExactly("dense 0>>8");
        assertThat(told(forks, "colour", "FB")).contains("colour 0>>5").doesNotContain("colour 0>>2", "colour 0>>7");
        assertThat(told(forks, "colour", "Ea")).contains("colour 0>>5");
        assertThat(told(forks, "colour", "red")).contains("colour 0>>2");
        assertThat(told(forks, "colour", "")).contains("colour 0>>7");
    }

    @Test
    void severalConditionsOfALine_areToldApart() throws Exception {
        Class<?> forks = deep(FORKS);
        Object one = new Object();

        assertThat(told(forks, "all", null, one, 8L, 0.1)).containsExactly("all 0>0 1/4");
        assertThat(told(forks, "all", one, new Object(), 8L, 0.1)).containsExactly("all 0 on 1/4", "all 0>0 2/4");
        assertThat(told(forks, "all", one, one, 8L, 0.5))
                .containsExactly("all 0 on 1/4", "all 0 on 2/4", "all 0 on 3/4", "all 0>0 4/4");
    }

    @Test
    void constructorsAndLambdas_areToldOfToo() throws Exception {
        Class<?> forks = deep(FORKS);

        assertThat(told(forks, "made", 5)).containsExactly("<init> 0 on");
        assertThat(told(forks, "made", 2)).containsExactly("<init> 0>3");
        assertThat(told(forks, "within", (Object) new int[] {1, 3})).containsExactly("lambda$within$0 0>0");
        assertThat(told(forks, "within", (Object) new int[] {2})).containsExactly("lambda$within$0 0 on");
    }

    @Test
    void aClassThatIsNotNamed_tellsNothingOfItsBranches() throws Exception {
        SecondLevel level = new SecondLevel(DIRECTORY);
        level.set(Set.of("some.other.Class"), Set.of("some.other.Class"));
        Class<?> forks = loader(level, FORKS).loadClass(FORKS);

        assertThat(told(forks, "sign", 1)).isEmpty();
    }

    @Test
    void aMethodWovenAgain_keepsItsNumbers() throws Exception {
        SecondLevel level = new SecondLevel(DIRECTORY);
        level.set(Set.of(FORKS), Set.of(FORKS));
        Weaver weaver = weaver(level);
        WovenLoader own = new WovenLoader(name -> false);
        byte[] first = weaver.weave(own, WovenLoader.classFile(FORKS));
        int branches = DIRECTORY.numbers();

        assertThat(weaver.weave(own, WovenLoader.classFile(FORKS))).isEqualTo(first);
        assertThat(DIRECTORY.numbers()).isEqualTo(branches);
        level.set(Set.of(), Set.of());
        assertThat(weaver.weave(own, WovenLoader.classFile(FORKS)))
                .isEqualTo(new Weaver(WovenLoader.DIRECTORY).weave(own, WovenLoader.classFile(FORKS)));
    }

    @Test
    void deepMethods_haveTheResultsOfPlainOnes() throws Exception {
        Method deep = deep(SHAPES).getMethod("transcript", long.class);
        Random seeds = new Random(5);
        for (int round = 0; round < 40; round++) {
            long seed = seeds.nextLong();
            if (round % 2 == 0) {
                ExchangeTraffic.of(() -> {
                    assertThat(deep.invoke(null, seed)).as("seed %d", seed).isEqualTo(Shapes.transcript(seed));
                    return null;
                });
            } else {
                assertThat(deep.invoke(null, seed)).as("seed %d", seed).isEqualTo(Shapes.transcript(seed));
            }
        }
    }

    @Test
    void passes_areCountedThoughNothingIsObserved() throws Exception {
        Class<?> forks = deep(FORKS);
        Method loop = forks.getDeclaredMethod("loop", int.class);
        loop.setAccessible(true);
        int number = numberOf("loop");
        int before = Branches.passed(number);

        loop.invoke(null, 100);

        assertThat(Branches.passed(number) - before).isEqualTo(101);
    }

    @Test
    void everyClassFileVersion_runsDeep() throws Exception {
        for (int version = 46; version <= Runtime.version().feature() + 44; version++) {
            String name = "v.Deep" + version;
            Class<?> woven = define(name, jumps(name, version, 3));
            assertThat(woven.getMethod("run", int.class).invoke(null, 5))
                    .as("version %d", version)
                    .isEqualTo(3);
            assertThat(told(woven, "run", 5)).as("version %d", version).hasSize(3);
        }
    }

    @Test
    void aMethodThatWouldGrowTooLarge_isLeftAlone() throws Exception {
        // 4 bytes and 3 of iinc each: 1 000 jumps fit before they are told of, but not after; 3 500 are near 32 KB
        for (int jumps : new int[] {1_000, 4_000, 9_000}) {
            String name = "v.Large" + jumps;
            Class<?> woven = define(name, jumps(name, Opcodes.V11, jumps));
            assertThat(woven.getMethod("run", int.class).invoke(null, 5)).isEqualTo(jumps);
            assertThat(told(woven, "run", 5)).as("%d jumps", jumps).isEmpty();
        }
        Class<?> fits = define("v.Fits", jumps("v.Fits", Opcodes.V11, 500));
        assertThat(told(fits, "run", 5)).hasSize(500);
    }

    @Test
    void aLargeSwitchTable_isToldOfIfItsWaysAreFew() throws Exception {
        Class<?> few = define("v.FewWays", table("v.FewWays", 3_000, 12));
        assertThat(told(few, "run", 25)).containsExactly("run 0>>2");
        assertThat(told(few, "run", 4_000)).containsExactly("run 0>>13");
        Class<?> many = define("v.ManyWays", table("v.ManyWays", 3_000, 300));
        assertThat(told(many, "run", 25)).isEmpty();
        assertThat(many.getMethod("run", int.class).invoke(null, 25)).isEqualTo(25);
    }

    @Test
    void garbage_isRefusedByAnException() {
        byte[] good = WovenLoader.classFile(SHAPES);
        SecondLevel level = new SecondLevel(new BranchDirectory());
        level.set(Set.of(SHAPES), Set.of(SHAPES));
        Weaver weaver = weaver(level);
        WovenLoader.weaveGarbage(weaver, good);
    }

    @Test
    void aNumberNobodyHas_isRefused() {
        assertThatThrownBy(() -> new BranchDirectory().site(1)).hasMessageContaining("number: 1 (expected: ");
    }

    /** {@code static int run(int n)}: passes so many jumps, each in a line of its own. */
    private static byte[] jumps(String name, int version, int jumps) {
        ClassWriter writer = new ClassWriter(version >= 50 ? ClassWriter.COMPUTE_FRAMES : ClassWriter.COMPUTE_MAXS);
        writer.visit(version, Opcodes.ACC_PUBLIC, name.replace('.', '/'), null, "java/lang/Object", null);
        MethodVisitor code = writer.visitMethod(Opcodes.ACC_PUBLIC | Opcodes.ACC_STATIC, "run", "(I)I", null, null);
        code.visitCode();
        code.visitInsn(Opcodes.ICONST_0);
        code.visitVarInsn(Opcodes.ISTORE, 1);
        for (int i = 0; i < jumps; i++) {
            Label line = new Label();
            code.visitLabel(line);
            code.visitLineNumber(i + 1, line);
            Label next = new Label();
            code.visitVarInsn(Opcodes.ILOAD, 0);
            code.visitJumpInsn(Opcodes.IFEQ, next);
            code.visitIincInsn(1, 1);
            code.visitLabel(next);
        }
        code.visitVarInsn(Opcodes.ILOAD, 1);
        code.visitInsn(Opcodes.IRETURN);
        code.visitMaxs(0, 0);
        code.visitEnd();
        writer.visitEnd();
        return writer.toByteArray();
    }

    /** {@code static int run(int n)}: n modulo the ways by a table of so many keys, -1 outside of it. */
    private static byte[] table(String name, int keys, int ways) {
        ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_FRAMES);
        writer.visit(Opcodes.V17, Opcodes.ACC_PUBLIC, name.replace('.', '/'), null, "java/lang/Object", null);
        MethodVisitor code = writer.visitMethod(Opcodes.ACC_PUBLIC | Opcodes.ACC_STATIC, "run", "(I)I", null, null);
        code.visitCode();
        Label[] targets = new Label[ways];
        for (int i = 0; i < ways; i++) {
            targets[i] = new Label();
        }
        Label[] table = new Label[keys];
        for (int i = 0; i < keys; i++) {
            table[i] = targets[i % ways];
        }
        Label otherwise = new Label();
        line(code, new Label(), 100);
        code.visitVarInsn(Opcodes.ILOAD, 0);
        code.visitTableSwitchInsn(0, keys - 1, otherwise, table);
        for (int i = 0; i < ways; i++) {
            line(code, targets[i], 101 + i);
            code.visitIntInsn(Opcodes.SIPUSH, i);
            code.visitInsn(Opcodes.IRETURN);
        }
        line(code, otherwise, 101 + ways);
        code.visitInsn(Opcodes.ICONST_M1);
        code.visitInsn(Opcodes.IRETURN);
        code.visitMaxs(0, 0);
        code.visitEnd();
        writer.visitEnd();
        return writer.toByteArray();
    }

    private static void line(MethodVisitor code, Label label, int line) {
        code.visitLabel(label);
        code.visitLineNumber(line, label);
    }

    private static Class<?> deep(String name) throws ClassNotFoundException {
        SecondLevel level = new SecondLevel(DIRECTORY);
        level.set(Set.of(name), Set.of(name));
        return loader(level, name).loadClass(name);
    }

    private static Class<?> define(String name, byte[] classFile) {
        SecondLevel level = new SecondLevel(DIRECTORY);
        level.set(Set.of(name), Set.of(name));
        return new WovenLoader(any -> false, weaver(level)).define(name, classFile);
    }

    private static WovenLoader loader(SecondLevel level, String name) {
        return new WovenLoader(one -> one.startsWith(name), weaver(level));
    }

    private static Weaver weaver(SecondLevel level) {
        return new Weaver(WovenLoader.DIRECTORY, WovenCache.none(), false, level);
    }

    private static int numberOf(String method) {
        int found = 0;
        for (int number = 1; number < DIRECTORY.numbers(); number++) {
            if (DIRECTORY.site(number).method().equals(method)) {
                found = number;
            }
        }
        return found;
    }

    /** What is told of branches in a call of the method, with lines counted from the method's first branch. */
    private static List<String> told(Class<?> type, String name, @Nullable Object... arguments) throws Exception {
        Method called = Stream.of(type.getDeclaredMethods())
                .filter(one -> one.getName().equals(name))
                .findFirst()
                .orElseThrow();
        called.setAccessible(true);
        List<String> told = new ArrayList<>();
        for (int predicate :
                ExchangeTraffic.of(() -> called.invoke(null, arguments)).predicates()) {
            if (predicate >= ObservedPredicate.BRANCHES * KINDS) {
                BranchSite branch = (BranchSite) DIRECTORY.site(predicate / KINDS - ObservedPredicate.BRANCHES);
                told.add(words(branch, predicate % KINDS));
            }
        }
        return told;
    }

    private static String words(BranchSite branch, int kind) {
        int first = Integer.MAX_VALUE;
        for (int number = 1; number < DIRECTORY.numbers(); number++) {
            JumpSite other = DIRECTORY.site(number);
            if (other.className().equals(branch.className()) && other.method().equals(branch.method())) {
                first = Math.min(first, other.line());
            }
        }
        assertThat(kind).isIn(JUMPED, WENT_ON);
        String way = kind == WENT_ON ? " on" : (branch.condition() == 0 ? ">>" : ">") + (branch.to() - first);
        String which = branch.condition() > 0 && branch.conditions() > 1
                ? " " + branch.condition() + "/" + branch.conditions()
                : "";
        return branch.method() + " " + (branch.line() - first) + way + which;
    }
}
