package dev.understudy.agent.lock;

import dev.understudy.agent.bootstrap.Locks;
import dev.understudy.agent.branch.BranchDirectory;
import dev.understudy.agent.weave.CodeSizes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.ClassWriter;
import net.bytebuddy.jar.asm.Label;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import net.bytebuddy.jar.asm.Type;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class LockSitesTest {
    private final LockSites sites = new LockSites(new BranchDirectory());
    private final List<String> told = new ArrayList<>();

    @Test
    void ofAMethodsPlaces_twentyFourAreTold_andAsManyOfItsCalls_andTwiceAsManyEnds() {
        sites.areSynchronized(Set.of("total()I"));
        MethodVisitor code = method();
        code.visitCode();
        for (int i = 0; i < 30; i++) {
            code.visitInsn(Opcodes.MONITORENTER);
            code.visitMethodInsn(Opcodes.INVOKEVIRTUAL, "com/shop/Cart", "total", "()I", false);
            code.visitMethodInsn(Opcodes.INVOKEVIRTUAL, "java/lang/Object", "wait", "()V", false);
            for (int end = 0; end < 3; end++) {
                code.visitInsn(Opcodes.MONITOREXIT);
            }
        }

        assertThat(Collections.frequency(told, "entering")).isEqualTo(24);
        assertThat(Collections.frequency(told, "calling")).isEqualTo(24);
        assertThat(Collections.frequency(told, "leaving")).isEqualTo(48);
        assertThat(Collections.frequency(told, "pausing")).isEqualTo(24);
    }

    /** Or a lock would seem to be held since it was taken before. */
    @Test
    void behindALockWhoseTakingIsNotTold_noneIsGivenBack() {
        MethodVisitor code = method();
        code.visitCode();
        for (int i = 0; i < 30; i++) {
            code.visitInsn(Opcodes.MONITORENTER);
            code.visitInsn(Opcodes.MONITOREXIT);
        }
        code.visitMethodInsn(Opcodes.INVOKEVIRTUAL, "java/lang/Object", "wait", "()V", false);

        assertThat(Collections.frequency(told, "leaving")).isEqualTo(24);
        assertThat(told).as("whoever waits has none of its locks").endsWith("pausing", "resuming");
    }

    /** There is no token yet, and nothing may be done with the object. */
    @Test
    void ofAConstructor_nothingIsToldBeforeItIsItsObjects() {
        sites.areSynchronized(Set.of("total()I"));
        MethodVisitor code = method(noted(), 1, 2);
        code.visitCode();
        locks(code);
        code.visitTypeInsn(Opcodes.NEW, "com/shop/Cart");
        code.visitMethodInsn(Opcodes.INVOKESPECIAL, "com/shop/Cart", "<init>", "()V", false);
        locks(code);
        assertThat(told).isEmpty();
        code.visitMethodInsn(Opcodes.INVOKESPECIAL, "java/lang/Object", "<init>", "()V", false);
        locks(code);
        assertThat(told)
                .containsExactly(
                        "entering", "leaving", "locking", "locked", "unlocking", "calling", "pausing", "resuming");
    }

    private static void locks(MethodVisitor code) {
        code.visitInsn(Opcodes.MONITORENTER);
        code.visitInsn(Opcodes.MONITOREXIT);
        for (String name : List.of("lock", "unlock")) {
            code.visitMethodInsn(Opcodes.INVOKEVIRTUAL, "java/util/concurrent/locks/ReentrantLock", name, "()V", false);
        }
        code.visitMethodInsn(Opcodes.INVOKEVIRTUAL, "com/shop/Cart", "total", "()I", false);
        code.visitMethodInsn(Opcodes.INVOKEVIRTUAL, "java/lang/Object", "wait", "()V", false);
    }

    /** HotSpot's first compiler would leave it to the interpreter. */
    @Test
    void inAHandlerThatCoversItself_nothingIsCalled() {
        MethodVisitor code = method();
        Label start = new Label();
        Label end = new Label();
        Label handler = new Label();
        Label handled = new Label();
        code.visitCode();
        code.visitTryCatchBlock(start, end, handler, null);
        code.visitTryCatchBlock(handler, handled, handler, null);
        code.visitInsn(Opcodes.MONITORENTER);
        code.visitLabel(start);
        code.visitInsn(Opcodes.MONITOREXIT);
        code.visitLabel(end);
        code.visitLabel(handler);
        code.visitInsn(Opcodes.MONITOREXIT);
        code.visitLabel(handled);
        assertThat(told).containsExactly("entering", "leaving");
        code.visitInsn(Opcodes.MONITOREXIT);

        assertThat(told).containsExactly("entering", "leaving", "leaving");
    }

    @Test
    void soManyMethodsAreRemembered_andNoMore() {
        for (int i = 0; i <= 1 << 14; i++) {
            sites.areSynchronized(Set.of("method" + i + "()V"));
        }

        assertThat(sites.mayBeSynchronized("method" + ((1 << 14) - 1) + "()V")).isTrue();
        assertThat(sites.mayBeSynchronized("method" + (1 << 14) + "()V")).isFalse();
    }

    /** Its size decides whether the JIT still compiles it. */
    @Test
    void ofAMethodWithManyVariablesAndConstants_allPlacesAndCallsTogether_takeAsManyBytesAsAreReckonedWith() {
        sites.areSynchronized(Set.of("total()I"));

        assertThat(size(true) - size(false)).isEqualTo(LockSites.BYTES);
    }

    private int size(boolean woven) {
        ClassWriter file = new ClassWriter(0);
        file.visit(Opcodes.V11, Opcodes.ACC_PUBLIC, "com/shop/Till", null, "java/lang/Object", null);
        for (int i = 0; i < 300; i++) {
            file.newConst(100_000 + i);
        }
        MethodVisitor plain = file.visitMethod(Opcodes.ACC_PUBLIC, "close", "()V", null, null);
        MethodVisitor code = woven ? method(plain, 300) : plain;
        code.visitCode();
        for (int i = 0; i < 30; i++) {
            code.visitMethodInsn(
                    Opcodes.INVOKEVIRTUAL,
                    "java/util/concurrent/locks/ReentrantLock",
                    "tryLock",
                    "(JLjava/util/concurrent/TimeUnit;)Z",
                    false);
            code.visitMethodInsn(Opcodes.INVOKEVIRTUAL, "com/shop/Cart", "total", "()I", false);
            code.visitMethodInsn(Opcodes.INVOKEVIRTUAL, "java/lang/Object", "wait", "()V", false);
            for (int end = 0; end < 3; end++) {
                code.visitInsn(Opcodes.MONITOREXIT);
            }
        }
        code.visitMaxs(1, 301);
        code.visitEnd();
        return CodeSizes.of(new ClassReader(file.toByteArray())).bytes(0);
    }

    @Test
    void whatLiesOnTheStackBehindALabel_isKnown_unlessAJumpMayLeadThereWithoutAFrame() {
        assertThat(lockBehindALabel(Opcodes.V11)).containsExactly("Till.drawer");
        assertThat(lockBehindALabel(Opcodes.V1_5)).containsExactly("");
    }

    private List<String> lockBehindALabel(int version) {
        List<String> locks = new ArrayList<>();
        MethodVisitor nothing = new MethodVisitor(Opcodes.ASM9) {};
        MethodVisitor code = sites.visitor(nothing, locked(version, 0), 1, place -> locks.add(place.lock));
        code.visitCode();
        code.visitFieldInsn(Opcodes.GETFIELD, "com/shop/Till", "drawer", "Ljava/lang/Object;");
        code.visitLabel(new Label());
        code.visitInsn(Opcodes.MONITORENTER);
        return locks;
    }

    private MethodVisitor method() {
        return method(noted(), 1);
    }

    private MethodVisitor noted() {
        return new MethodVisitor(Opcodes.ASM9) {
            @Override
            public void visitMethodInsn(int opcode, String owner, String name, String descriptor, boolean ofInterface) {
                if (owner.equals(Type.getInternalName(Locks.class))) {
                    told.add(name);
                }
            }
        };
    }

    private MethodVisitor method(MethodVisitor next, int token) {
        return method(next, token, 0);
    }

    private MethodVisitor method(MethodVisitor next, int token, int begin) {
        return sites.visitor(next, locked(Opcodes.V11, begin), token, place -> {});
    }

    private static LockedMethod locked(int version, int begin) {
        ClassLoader loader = LockSitesTest.class.getClassLoader();
        return new LockedMethod(loader, "com.shop.Till", version, 0, "close", "()V", "com.shop.Till#close", begin);
    }
}
